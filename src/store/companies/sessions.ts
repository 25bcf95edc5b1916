// Scrapes of companies. A session is written with its run; once its task has ended, the result is compared with the known positions in one transaction:
// two orchestrators never settle the same session, and after a crash the next one does it. What a large board has brought becomes positions before that
// (large-boards.ts).
// Order of locks: company, then session. One company is settled by one transaction at a time, or two sessions would each create what the other did.
import type { Pool } from 'pg';
import { changesOf, type ScrapeVerdict } from '../../model/company/position.ts';
import type { Posting } from '../../model/posting/posting.ts';
import type { ResultMetadata, TaskError } from '../../model/task/messages.ts';
import { ofOwner } from '../postgres/of-owner.ts';
import { type Client, query, transaction } from '../postgres/pool.ts';
import { pgJson, pgText, plainArray } from '../postgres/text.ts';
import { LARGE, readRest } from './large-boards.ts';
import { applyChanges, knownPositions } from './positions.ts';

export interface NewSession {
  id: string;
  companyId: string;
  pos: number;
  incremental: boolean;
}

/** Companies that were deleted meanwhile have none. */
export async function insertSessions(
  client: Client,
  run: { seq: string; id: string; owner: string | null },
  sessions: NewSession[],
): Promise<void> {
  await client.query(
    `insert into sessions (id, company_id, pos, incremental, run_seq, run_id, owner)
     select s.id, c.id, s.pos, s.incremental, $5, $6, $7
     from unnest($1::uuid[], $2::uuid[], $3::int[], $4::boolean[]) as s(id, company_id, pos, incremental)
     join companies c on c.id = s.company_id`,
    [
      plainArray(sessions.map((one) => one.id)),
      plainArray(sessions.map((one) => one.companyId)),
      plainArray(sessions.map((one) => one.pos)),
      sessions.map((one) => one.incremental),
      run.seq,
      run.id,
      run.owner,
    ],
  );
}

/** Tasks of a run that wait to be tried again are due now: a person asked for them. Of those somebody is just moving, none is waited for. */
export async function startDelayed(client: Client, runSeq: string): Promise<void> {
  await client.query(
    `with delayed as (
       select q.task_id from queue q join run_tasks l on l.task_id = q.task_id
       where l.run_seq = $1 and q.due_at is not null and not q.parked for update of q skip locked
     )
     update queue set due_at = null from delayed where queue.task_id = delayed.task_id`,
    [runSeq],
  );
}

/** Sessions for tasks that are tried again as the entries of another run, in this order. Tasks that were no company's have none. */
export async function repeatSessions(
  client: Client,
  run: { seq: string; id: string; owner: string | null },
  taskIds: string[],
): Promise<void> {
  await client.query(
    `insert into sessions (id, company_id, pos, incremental, run_seq, run_id, owner)
     select distinct on (d.pos) gen_random_uuid(), s.company_id, d.pos - 1, s.incremental, $2, $3, $4
     from unnest($1::uuid[]) with ordinality as d(task_id, pos) join tasks t on t.id = d.task_id
     join run_tasks l on l.run_seq = t.run_seq and l.task_id = t.id join sessions s on s.run_seq = l.run_seq and s.pos = l.pos
     order by d.pos`,
    [plainArray(taskIds), run.seq, run.id, run.owner],
  );
}

export interface Ended {
  id: string;
  /** To be settled in steps. */
  isLarge: boolean;
}

export async function endedSessions(pool: Pool, limit: number): Promise<Ended[]> {
  return query<Ended & Record<string, unknown>>(
    pool,
    `select s.id, (select true from task_items i where i.task_id = l.task_id order by i.pos offset ${LARGE} limit 1) is true as "isLarge"
     from sessions s join run_tasks l on l.run_seq = s.run_seq and l.pos = s.pos join outcomes o on o.task_id = l.task_id
     where s.status = 'running' order by s.run_seq, s.pos limit $1`,
    [limit],
  );
}

interface EndedSession {
  id: string;
  company_id: string;
  incremental: boolean;
  task_id: string;
  state: 'done' | 'failed' | 'cancelled';
  error: TaskError | null;
  metadata: ResultMetadata | null;
  history: number[];
  unconfirmed: number | null;
  /** While it was running. */
  created: number;
  updated: number;
}

export interface SettledSession {
  id: string;
  runId: string;
  company: string;
  status: SessionStatus;
  verdict: ScrapeVerdict;
}

type SessionStatus = 'completed' | 'partial' | 'failed';

export function settleSession(pool: Pool, { id, isLarge }: Ended): Promise<SettledSession | null> {
  return transaction(pool, async (client) => {
    const { rows: companies } = await client.query<{ name: string }>(
      `select c.name from companies c where c.id = (select company_id from sessions where id = $1 and status = 'running')
       for no key update skip locked`,
      [id],
    );
    const { rows } = await client.query<EndedSession & { run_id: string }>(
      `select s.id, s.run_id, s.company_id, s.incremental, l.task_id, o.state, o.error, o.metadata, c.history, c.unconfirmed, s.created, s.updated
       from sessions s join run_tasks l on l.run_seq = s.run_seq and l.pos = s.pos join outcomes o on o.task_id = l.task_id
       join companies c on c.id = s.company_id
       where s.id = $1 and s.status = 'running' for update of s`,
      [id],
    );
    const [company, session] = [companies[0], rows[0]];
    if (!company || !session) return null;
    const status = statusOf(session);
    const unreadable = session.metadata?.skipped ?? [];
    const { known, postings, stored } = isLarge
      ? await readRest(client, session, unreadable)
      : {
          known: await knownPositions(client, session.company_id),
          postings: await postingsOf(client, session.task_id),
          stored: undefined,
        };
    const verdict = changesOf(
      known,
      postings,
      {
        mode: session.incremental ? 'incremental' : 'full',
        status,
        atMs: Date.now(),
        unreadable,
        unconfirmed: session.unconfirmed,
        ...(stored && { stored }),
      },
      session.history,
    );
    await applyChanges(client, session.company_id, verdict.changes);
    const counts = countsOfAll(session, verdict.counts);
    await closeSession(client, session, status, { ...verdict, counts });
    return { id, runId: session.run_id, company: company.name, status, verdict: { ...verdict, counts } };
  });
}

/** What it created or updated while it was running is unchanged at its end. */
const countsOfAll = ({ created, updated }: EndedSession, counts: ScrapeVerdict['counts']): ScrapeVerdict['counts'] => ({
  ...counts,
  new: counts.new + created,
  updated: counts.updated + updated,
  unchanged: Math.max(0, counts.unchanged - created - updated),
});

function statusOf({ state, metadata }: EndedSession): SessionStatus {
  if (state !== 'done') return 'failed';
  const missed = (metadata?.pages_requested ?? 0) > (metadata?.pages_completed ?? 0);
  return missed || (metadata?.incomplete ?? []).length > 0 ? 'partial' : 'completed';
}

async function postingsOf(client: Client, taskId: string): Promise<Posting[]> {
  const { rows } = await client.query<{ data: Posting }>(
    'select p.data from task_items i join postings p on p.key = i.item_key where i.task_id = $1 order by i.pos',
    [taskId],
  );
  return rows.map((row) => row.data);
}

const ERRORS_MAX = 100;

async function closeSession(
  client: Client,
  session: EndedSession,
  status: SessionStatus,
  { counts, closingRefused, history, unconfirmed }: ScrapeVerdict,
): Promise<void> {
  const errors = [
    ...(session.error ? [session.error.message] : session.state === 'cancelled' ? ['cancelled'] : []),
    ...(session.metadata?.incomplete ?? []),
    ...(session.metadata?.skipped ?? []).map(({ id, reason }) => `${id ?? 'row without an id'}: ${reason}`),
  ];
  await client.query(
    `update sessions set status = $2, found = $3, created = $4, updated = $5, unchanged = $6, deactivated = $7, closing_refused = $8,
       errors = $9, finished_at = now() where id = $1`,
    [
      session.id,
      status,
      counts.found,
      counts.new,
      counts.updated,
      counts.unchanged,
      counts.deactivated,
      closingRefused,
      pgJson(errors.slice(0, ERRORS_MAX)),
    ],
  );
  await client.query('update companies set history = $2::int[], unconfirmed = $3 where id = $1', [
    session.company_id,
    history,
    unconfirmed,
  ]);
}

export async function failSession(pool: Pool, id: string, reason: string): Promise<void> {
  await query(
    pool,
    `update sessions set status = 'failed', errors = $2, finished_at = now() where id = $1 and status = 'running'`,
    [id, pgJson([reason.slice(0, 500)])],
  );
}

export async function failOrphanSessions(pool: Pool): Promise<number> {
  const rows = await query(
    pool,
    `update sessions s set status = 'failed', errors = '["cancelled"]', finished_at = now()
     where s.status = 'running' and not exists (select 1 from run_tasks l where l.run_seq = s.run_seq and l.pos = s.pos) returning 1`,
  );
  return rows.length;
}

export interface Session {
  id: string;
  company: string;
  run_id: string;
  status: string;
  /** What its company is scraped with now. */
  source: string;
  incremental: boolean;
  found: number;
  created: number;
  updated: number;
  unchanged: number;
  deactivated: number;
  closing_refused: string | null;
  errors: string[];
  /** While it is running: why the last attempt failed, and when the next one is due. */
  cause: string | null;
  next_try_at: Date | null;
  started_at: Date;
  finished_at: Date | null;
  /** Microseconds of `started_at`, for a cursor: a Date would lose some. */
  place: string;
}

export async function listSessions(
  pool: Pool,
  options: {
    companyId: string | null;
    runId: string | null;
    after: [place: string, id: string] | null;
    limit: number;
    owner: string | null;
  },
): Promise<{ sessions: Session[]; total: number }> {
  const filter = '($1::uuid is null or s.company_id = $1) and ($2::text is null or s.run_id = $2)';
  const ofThem = (value: string): string => ofOwner(options.owner, value, 's.owner');
  const sessions = await query<Session & Record<string, unknown>>(
    pool,
    `select s.id, c.name as company, s.run_id, s.status, c.scraper_type as source, s.incremental, s.created, s.updated, s.unchanged, s.deactivated,
            case when s.status = 'running' then (select count(*)::int from task_items i where i.task_id = l.task_id) else s.found end as found,
            s.closing_refused, s.errors, case when e.error->>'code' is distinct from 'paced' then e.error->>'message' end as cause, q.due_at as next_try_at, s.started_at, s.finished_at,
            (extract(epoch from s.started_at) * 1000000)::bigint as place
     from sessions s join companies c on c.id = s.company_id
     left join run_tasks l on s.status = 'running' and l.run_seq = s.run_seq and l.pos = s.pos
     left join earlier_attempts e on e.task_id = l.task_id left join queue q on q.task_id = l.task_id and not q.parked
     where ${filter} and ${ofThem('$6')} and ($3::bigint is null or (s.started_at, s.id) < ('epoch'::timestamptz + $3 * interval '1 microsecond', $4::uuid))
     order by s.started_at desc, s.id desc limit $5`,
    [
      options.companyId,
      pgText(options.runId),
      options.after?.[0] ?? null,
      options.after?.[1] ?? null,
      options.limit,
      options.owner,
    ],
  );
  const [counted] = await query<{ n: number }>(
    pool,
    `select count(*)::int as n from sessions s where ${filter} and ${ofThem('$3')}`,
    [options.companyId, pgText(options.runId), options.owner],
  );
  return { sessions, total: counted!.n };
}
