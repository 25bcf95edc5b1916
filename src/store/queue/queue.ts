// Waiting and leased tasks: lease due tasks, take leases back, queue again. All times come from the database, so that a worker or orchestrator with a wrong
// clock can neither steal nor keep a task.
import type { Pool } from 'pg';
import type { EarlierAttempts } from '../../model/run/scrape-run.ts';
import type { WaitReason } from '../../model/run/why-waits.ts';
import { BANDS, type Band } from '../../model/task/band.ts';
import { HOST_MARK } from '../../model/task/line.ts';
import type { TaskError, TaskRef } from '../../model/task/messages.ts';
import type { RetryRule } from '../../model/task/retry.ts';
import type { Tried } from '../../model/task/tried.ts';
import { type Client, query } from '../postgres/pool.ts';
import { plainArray } from '../postgres/text.ts';

/** What a lease remembers of its task's past; the retry policy reads it. */
export interface Lease {
  taskId: string;
  key: string;
  /** The run that made the task. */
  runSeq: string;
  lane: string;
  /** Where it stood in the queue, and whose rate limit it waits for. */
  line: string;
  host: string | null;
  band: Band;
  turn: string;
  attempt: number;
  failures: number;
  crashes: number;
  waits: number;
  worker: string | null;
  /** Whether its worker had begun it when it was last heard of; null: nobody has said so. */
  started: boolean | null;
}

export interface LeaseRow {
  task_id: string;
  key: string;
  run_seq: string;
  lane: string;
  line: string;
  host: string | null;
  band: number;
  turn: string;
  attempt: number;
  failures: number;
  crashes: number;
  waits: number;
  worker: string | null;
  started: boolean | null;
}

export const LEASE_COLUMNS =
  'leases.task_id, key, run_seq, lane, line, host, band, turn, attempt, failures, crashes, waits, worker, started';

export const toLease = (row: LeaseRow): Lease => ({
  taskId: row.task_id,
  key: row.key,
  runSeq: row.run_seq,
  lane: row.lane,
  line: row.line,
  host: row.host,
  band: BANDS[row.band]!,
  turn: row.turn,
  attempt: row.attempt,
  failures: row.failures,
  crashes: row.crashes,
  waits: row.waits,
  worker: row.worker,
  started: row.started,
});

/** Takes the leases of these attempts; who gets a row decides what becomes of its task. In id order, so that two takers never deadlock. */
export async function takeLeases(client: Client, tasks: TaskRef[]): Promise<Map<string, Lease>> {
  const { rows } = await client.query<LeaseRow>({
    name: 'take-leases',
    text: `with wanted as (
             select l.task_id from leases l join unnest($1::uuid[], $2::int[]) as w(task_id, attempt)
               on w.task_id = l.task_id and w.attempt = l.attempt
             order by l.task_id for update of l
           )
           delete from leases using wanted where leases.task_id = wanted.task_id returning ${LEASE_COLUMNS}`,
    values: [plainArray(tasks.map((t) => t.task_id)), plainArray(tasks.map((t) => t.attempt))],
  });
  return new Map(rows.map((row) => [row.task_id, toLease(row)]));
}

export async function retryRulesOf(client: Client, taskIds: string[]): Promise<Map<string, RetryRule>> {
  if (taskIds.length === 0) return new Map();
  const { rows } = await client.query<{ id: string; max_retries: number; backoff: RetryRule['backoff'] }>(
    `select id, (message->>'max_retries')::int as max_retries, coalesce(message->>'backoff', 'usual') as backoff
     from tasks where id = any($1::uuid[])`,
    [taskIds],
  );
  return new Map(rows.map((row) => [row.id, { maxRetries: row.max_retries, backoff: row.backoff }]));
}

export interface Requeue {
  lease: Lease;
  band: Band;
  /** Wait this long first; 0 means ready now. */
  delayMs: number;
  failures: number;
  crashes: number;
  waits: number;
  /** Web counters of the attempt that ended, if it reported them. */
  asked?: EarlierAttempts;
  /** What went wrong with it. */
  error?: TaskError;
  /** The same for a person; not for an attempt that only waited for its turn. */
  tried?: Tried;
}

export async function requeue(client: Client, rows: Requeue[]): Promise<void> {
  if (rows.length === 0) return;
  await client.query(
    // It had its turn once: it does not wait for it again because of its priority in a band that it is no longer in.
    `insert into queue (task_id, key, run_seq, lane, line, host, band, turn, due_at, attempt, failures, crashes, waits)
     select task_id, key, run_seq, lane, line, host, band, least(turn, (extract(epoch from now()) * 1000)::bigint),
            case when delay_ms > 0 then now() + make_interval(secs => delay_ms / 1000.0) end,
            attempt, failures, crashes, waits
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::smallint[], $5::bigint[], $6::float8[], $7::int[], $8::smallint[], $9::smallint[],
       $10::smallint[], $11::bigint[], $12::text[], $13::text[])
       as q(task_id, key, lane, band, turn, delay_ms, attempt, failures, crashes, waits, run_seq, line, host)`,
    [
      rows.map((r) => r.lease.taskId),
      rows.map((r) => r.lease.key),
      rows.map((r) => r.lease.lane),
      rows.map((r) => BANDS.indexOf(r.band)),
      rows.map((r) => r.lease.turn),
      rows.map((r) => r.delayMs),
      rows.map((r) => r.lease.attempt),
      rows.map((r) => r.failures),
      rows.map((r) => r.crashes),
      rows.map((r) => r.waits),
      rows.map((r) => r.lease.runSeq),
      rows.map((r) => r.lease.line),
      rows.map((r) => r.lease.host),
    ],
  );
}

export async function promoteDelayed(pool: Pool, limit: number): Promise<number> {
  const rows = await query<{ n: number }>(
    pool,
    `with due as (
       select task_id from queue where due_at <= now() order by due_at limit $1 for update skip locked
     ), moved as (
       update queue set due_at = null, parked = false from due where queue.task_id = due.task_id returning 1
     )
     select count(*)::int as n from moved`,
    [limit],
  );
  return rows[0]!.n;
}

export interface LaneDepth {
  lane: string;
  band: Band;
  waiting: number;
  delayed: number;
  /** Held back because their source is. */
  paused: number;
  active: number;
  /** The first ready task of each line, by how long it has been there. Lines of hosts are left out: who stands in one waits for the host. */
  firsts: { source: string; host: string | null; seconds: number }[];
}

export async function queueDepths(pool: Pool): Promise<LaneDepth[]> {
  const rows = await query<{
    lane: string;
    band: number;
    waiting: number;
    delayed: number;
    paused: number;
    active: number;
    firsts: LaneDepth['firsts'];
  }>(
    pool,
    `with recursive lines(lane, line) as (
       (select lane, line from queue where due_at is null order by lane, line limit 1)
       union all
       select n.lane, n.line from lines l cross join lateral (
         select q.lane, q.line from queue q where q.due_at is null and (q.lane, q.line) > (l.lane, case when l.line < '${HOST_MARK}' then l.line else chr(127) end)
         order by q.lane, q.line limit 1) n
     ), firsts as (
       select l.lane, b.band, f.task_id, f.host
       from lines l cross join generate_series(0, 2) as b(band) cross join lateral (
         select q.task_id, q.host from queue q where q.lane = l.lane and q.line = l.line and q.band = b.band and q.due_at is null order by q.turn limit 1) f
       where l.line < '${HOST_MARK}'
     )
     select d.lane, d.band, sum(waiting)::int as waiting, sum(delayed)::int as delayed, sum(paused)::int as paused, sum(active)::int as active,
            (select coalesce(json_agg(json_build_object('source', t.source, 'host', f.host, 'seconds', extract(epoch from now() - t.created_at)::float8)), '[]')
             from firsts f join tasks t on t.id = f.task_id where f.lane = d.lane and f.band = d.band) as firsts
     from (
       select lane, band, count(*) filter (where due_at is null) as waiting, count(*) filter (where due_at is not null and not parked) as delayed,
              count(*) filter (where parked) as paused, 0 as active from queue group by 1, 2
       union all
       select lane, band, 0, 0, 0, count(*) from leases group by 1, 2
     ) d group by 1, 2 order by 1, 2`,
  );
  return rows.map((row) => ({
    lane: row.lane,
    band: BANDS[row.band]!,
    waiting: row.waiting,
    delayed: row.delayed,
    paused: row.paused,
    active: row.active,
    firsts: row.firsts,
  }));
}

export interface LaneWait {
  lane: string;
  /** As in `waiting` of a run; `queue`: for its turn and a worker. */
  reason: Extract<WaitReason, 'queue' | 'pace' | 'retry' | 'paused' | 'breaker'>;
  tasks: number;
  /** How long ago the run of the first of them was accepted. */
  oldestSeconds: number;
}

/** What tasks in the queue wait for. Those that our own rate limit sent back have no failure to their name. */
export async function queueWaits(pool: Pool): Promise<LaneWait[]> {
  const rows = await query<{ lane: string; reason: LaneWait['reason']; tasks: number; oldest: number }>(
    pool,
    `with why as (
       select q.lane, q.run_seq, case
         when q.parked and h.paused_at is not null then 'paused'
         when q.parked then 'breaker'
         when q.due_at is not null and q.failures + q.crashes + q.waits > 0 then 'retry'
         when q.due_at is not null or q.line >= '${HOST_MARK}' then 'pace'
         else 'queue' end as reason
       from queue q left join source_holds h
         on q.parked and h.source = split_part(q.line, ' ', case when q.line >= '${HOST_MARK}' then 2 else 1 end)
     ), counted as (
       select lane, reason, count(*)::int as tasks, min(run_seq) as first from why group by 1, 2
     )
     select lane, reason, tasks, coalesce(extract(epoch from now() - r.created_at), 0)::float8 as oldest
     from counted left join runs r on r.seq = first order by 1, 2`,
  );
  return rows.map(({ oldest, ...row }) => ({ ...row, oldestSeconds: oldest }));
}

export async function leasedLanes(pool: Pool): Promise<string[]> {
  const rows = await query<{ lane: string }>(pool, 'select distinct lane from leases');
  return rows.map((row) => row.lane);
}

/** One of the several results of an attempt. */
export interface PartRef extends TaskRef {
  part: number;
  last: boolean;
}

export const partKey = (part: PartRef): string => `${part.task_id} ${part.attempt} ${part.part}`;

export interface Parts {
  /** Parts that come next, by `partKey`, with the task's key. */
  fresh: Map<string, string>;
  /** Parts that came before the ones they follow: not to be lost, and not to be recorded yet. A last part may be among them. */
  early: Set<string>;
}

/**
 * Which of these come next, of attempts that hold their lease; the lease counts them. Recorders work side by side, so parts overtake each other,
 * and a last one that is taken at once would end the task without what is still on its way.
 */
export async function acceptParts(client: Client, parts: PartRef[]): Promise<Parts> {
  const found: Parts = { fresh: new Map(), early: new Set() };
  if (parts.length === 0) return found;
  const { rows } = await client.query<{ task_id: string; attempt: number; part: number; key: string }>(
    `select l.task_id, l.attempt, l.part, l.key from leases l where l.task_id = any($1::uuid[]) order by l.task_id for update`,
    [[...new Set(parts.map((part) => part.task_id))]],
  );
  const leases = new Map(rows.map((row) => [row.task_id, row]));
  for (const part of parts.toSorted((a, b) => a.part - b.part)) {
    const lease = leases.get(part.task_id);
    if (!lease || lease.attempt !== part.attempt || part.part <= lease.part) continue;
    if (part.part > lease.part + 1) found.early.add(partKey(part));
    else if (!part.last) {
      lease.part = part.part;
      found.fresh.set(partKey(part), lease.key);
    }
  }
  await client.query(
    'update leases set part = p.part from unnest($1::uuid[], $2::int[]) as p(task_id, part) where leases.task_id = p.task_id',
    [rows.map((row) => row.task_id), rows.map((row) => row.part)],
  );
  return found;
}
