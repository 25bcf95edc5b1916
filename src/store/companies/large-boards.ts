// Sessions of large boards: their postings become positions some hundred at a time, while the board is still being read and before it is settled, because all of
// them in one answer of PostgreSQL would hold this process for seconds. An unfinished scrape only ever adds and refreshes; settling it does what is left.
import type { Pool } from 'pg';
import { changesOf, type KnownPosition, type ScrapeOutcome, type StoredAlready } from '../../model/company/position.ts';
import type { Posting } from '../../model/posting/posting.ts';
import { type Client, query, transaction } from '../postgres/pool.ts';
import { textArray } from '../postgres/text.ts';
import { applyChanges, type KnownPositionRow, knownPositions, readPosition } from './positions.ts';

/** More postings than this are read in steps. */
export const LARGE = 250;

/** Sessions of which parts are in and the end is not: one of each task, the oldest. */
export async function unfinishedSessions(pool: Pool, limit: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    pool,
    `select distinct on (a.task_id) s.id from sessions s join run_tasks l on l.run_seq = s.run_seq and l.pos = s.pos
     join leases a on a.task_id = l.task_id and a.part > 0
     where s.status = 'running' order by a.task_id, s.run_seq limit $1`,
    [limit],
  );
  return rows.map((row) => row.id);
}

const UNFINISHED: ScrapeOutcome = { mode: 'full', status: 'partial', atMs: 0, unreadable: [], unconfirmed: null };

/**
 * Makes positions of what a running session has found and that are none yet. `from`: the place where the step before ended, so that a step costs the same
 * however many there were; null: from the start. Null when nothing is left.
 */
export function progressSession(pool: Pool, id: string, from: number | null): Promise<number | null> {
  return transaction(pool, async (client) => {
    const { rows } = await client.query<{ company_id: string }>(
      `select c.id as company_id from companies c where c.id = (select company_id from sessions where id = $1 and status = 'running')
       for no key update skip locked`,
      [id],
    );
    const companyId = rows[0]?.company_id;
    if (companyId === undefined) return null;
    const { rows: fresh } = await client.query<{ data: Posting; pos: number }>(
      // Looked up one by one: a join would be planned for tables of another size.
      `select p.data, i.pos from sessions s join run_tasks l on l.run_seq = s.run_seq and l.pos = s.pos
       cross join lateral (select pos, item_key from task_items where task_id = l.task_id and pos >= $3 order by pos) i
       cross join lateral (select data, job_hash from postings where key = i.item_key limit 1) p
       where s.id = $1 and s.status = 'running' and p.data -> 'is_closed' is distinct from 'true'
         and (select true from positions x where x.company_id = s.company_id and x.job_hash = p.job_hash and x.last_seen_at >= s.started_at limit 1) is not true
       order by i.pos limit $2`,
      [id, LARGE, from ?? 0],
    );
    const last = fresh.at(-1);
    if (last === undefined) return null;
    const postings = fresh.map((row) => row.data);
    const known = await knownPositions(
      client,
      companyId,
      postings.map((posting) => posting.job_hash),
    );
    const { changes, counts } = changesOf(known, postings, UNFINISHED, []);
    await applyChanges(client, companyId, changes);
    await client.query(
      'update sessions set found = found + $2, created = created + $3, updated = updated + $4, unchanged = unchanged + $5 where id = $1',
      [id, counts.found, counts.new, counts.updated, counts.unchanged],
    );
    return last.pos;
  });
}

/** Postings of the session $1, by what they are known by, that are active positions since it began. */
const STORED = `with scraped as (
  select p.job_hash, min(p.external_id) as external_id from sessions s join run_tasks l on l.run_seq = s.run_seq and l.pos = s.pos
  join task_items i on i.task_id = l.task_id join postings p on p.key = i.item_key where s.id = $1
  group by p.job_hash having bool_and(p.data -> 'is_closed' is distinct from 'true')
), stored as materialized (
  select x.key, x.job_hash, c.external_id from scraped c join sessions s on s.id = $1
  join positions x on x.company_id = s.company_id and x.job_hash = c.job_hash and x.active and x.last_seen_at >= s.started_at
)`;

interface Rest {
  known: KnownPosition[];
  postings: Posting[];
  stored: StoredAlready;
}

/** What settling has left to do: positions that were not seen, postings that are none or say that they are closed. */
export async function readRest(
  client: Client,
  session: { id: string; company_id: string; task_id: string },
  unreadable: readonly { id: string | null }[],
): Promise<Rest> {
  const { rows: counted } = await client.query<StoredAlready>(
    `${STORED} select count(*)::int as found, coalesce(array_agg(external_id) filter (where external_id = any($2::text[])), '{}') as ids from stored`,
    [session.id, textArray(unreadable.flatMap(({ id }) => (id === null ? [] : [id])))],
  );
  const { rows: known } = await client.query<KnownPositionRow>(
    `${STORED} select job_hash, external_id, active, last_seen_at, content from positions x
     where company_id = $2 and not exists (select 1 from stored where stored.key = x.key)`,
    [session.id, session.company_id],
  );
  const { rows: postings } = await client.query<{ data: Posting }>(
    `${STORED} select p.data from task_items i join postings p on p.key = i.item_key
     where i.task_id = $2 and not exists (select 1 from stored where stored.job_hash = p.job_hash) order by i.pos`,
    [session.id, session.task_id],
  );
  return { known: known.map(readPosition), postings: postings.map((row) => row.data), stored: counted[0]! };
}
