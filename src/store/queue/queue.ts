// Waiting and leased tasks: lease due tasks, take leases back, queue again. All times come from the database, so that a worker or orchestrator with a wrong
// clock can neither steal nor keep a task.
import type { Pool } from 'pg';
import type { EarlierAttempts } from '../../model/run/scrape-run.ts';
import { BANDS, type Band } from '../../model/task/band.ts';
import { type SealedTask, sealTask, type TaskError, type TaskRef } from '../../model/task/messages.ts';
import type { RetryRule } from '../../model/task/retry.ts';
import { type Client, query } from '../postgres/pool.ts';
import { plainArray } from '../postgres/text.ts';
import { checkpointsOf } from './checkpoints.ts';

/** What a lease remembers of its task's past; the retry policy reads it. */
export interface Lease {
  taskId: string;
  key: string;
  /** The run that made the task. */
  runSeq: string;
  lane: string;
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
  'leases.task_id, key, run_seq, lane, band, turn, attempt, failures, crashes, waits, worker, started';

export const toLease = (row: LeaseRow): Lease => ({
  taskId: row.task_id,
  key: row.key,
  runSeq: row.run_seq,
  lane: row.lane,
  band: BANDS[row.band]!,
  turn: row.turn,
  attempt: row.attempt,
  failures: row.failures,
  crashes: row.crashes,
  waits: row.waits,
  worker: row.worker,
  started: row.started,
});

/** Sources whose tasks must not go now, and the ones of theirs that may all the same. */
export interface Holds {
  sources: string[];
  probes: string[];
}

export interface Ready {
  counts: Record<Band, number>;
  /** Null when nothing is held back. */
  holds: Holds | null;
}

const IS_HELD = `(paused_at is not null or breaker in ('open', 'half_open'))`;

/** What holds tasks back, null in good times: a source that was given up does not, and a paused one sends no probe. */
const HELD = `select json_agg(json_build_object('source', source, 'probe', case when paused_at is null then probe_task end))
  from source_holds where ${IS_HELD}`;

export async function countReady(pool: Pool, lane: string, upTo: number): Promise<Ready> {
  const ready = (band: number): string =>
    `(select count(*)::int from (select 1 from queue where lane = $1 and band = ${band} and due_at is null limit $2) x)`;
  const rows = await query<Record<Band, number> & { held: { source: string; probe: string | null }[] | null }>(
    pool,
    `select ${BANDS.map((band, index) => `${ready(index)} as ${band}`).join(', ')}, (${HELD}) as held`,
    [lane, upTo],
  );
  const { held, ...counts } = rows[0]!;
  if (!held) return { counts, holds: null };
  return { counts, holds: { sources: held.map((one) => one.source), probes: held.flatMap((one) => one.probe ?? []) } };
}

export async function readyLanes(pool: Pool, lanes: string[]): Promise<string[]> {
  const rows = await query<{ lane: string }>(
    pool,
    `select lane from unnest($1::text[]) lane
     where exists (select 1 from queue where queue.lane = lane.lane and due_at is null)`,
    [lanes],
  );
  return rows.map((row) => row.lane);
}

export async function sourcesReleasedSince(pool: Pool, sources: string[]): Promise<string[]> {
  const rows = await query<{ source: string }>(
    pool,
    `select source from unnest($1::text[]) source where source not in (select source from source_holds where ${IS_HELD})`,
    [sources],
  );
  return rows.map((row) => row.source);
}

interface LeasedRow {
  id: string | null;
  body: string;
  attempt: number;
  failures: number;
  crashes: number;
  parked: number;
}

export async function leaseReady(
  pool: Pool,
  options: { lane: string; band: Band; limit: number; leaseSeconds: number; holds: Holds | null },
): Promise<{ tasks: SealedTask[]; parked: number }> {
  const { holds } = options;
  const values = [options.lane, BANDS.indexOf(options.band), options.limit, options.leaseSeconds];
  const rows = holds
    ? await query<LeasedRow & Record<string, unknown>>(pool, LEASE_UNLESS_HELD, [
        ...values,
        holds.sources,
        holds.probes,
      ])
    : await query<LeasedRow & Record<string, unknown>>(pool, LEASE, values);
  const again = rows.flatMap((row) => (row.id !== null && row.attempt > 1 ? [row.id] : []));
  const checkpoints = await checkpointsOf(pool, again);
  const tasks = rows.flatMap((row) =>
    row.id === null ? [] : [sealTask(row.id, row.body, { ...row, checkpoint: checkpoints.get(row.id) })],
  );
  return { tasks, parked: rows[0]?.parked ?? 0 };
}

const LEASE_TAKEN = `leased as (
       insert into leases (task_id, key, run_seq, lane, band, turn, attempt, failures, crashes, waits, lease_until)
       select task_id, key, run_seq, lane, band, turn, attempt + 1, failures, crashes, waits, now() + make_interval(secs => $4) from taken
       returning task_id, turn, attempt, failures, crashes
     )`;

const LEASE = `with due as (
       select ctid from queue where lane = $1 and band = $2 and due_at is null order by turn limit $3 for update skip locked
     ), taken as (
       delete from queue where ctid = any(array(select ctid from due)) returning *
     ), ${LEASE_TAKEN}
     select t.id, t.message::text as body, l.attempt, l.failures, l.crashes, 0 as parked
     from leased l join tasks t on t.id = l.task_id order by l.turn`;

/** A parked task becomes ready again after some minutes, and is parked again if needed, so that it cannot be forgotten. */
export const PARKED_UNTIL = `now() + interval '10 minutes' * (1 + random() * 0.2)`;

const LEASE_UNLESS_HELD = `with due as (
       select q.ctid, t.source = any($5::text[]) and not t.id = any($6::uuid[]) as is_held
       from queue q join tasks t on t.id = q.task_id
       where q.lane = $1 and q.band = $2 and q.due_at is null order by q.turn limit $3 for update of q skip locked
     ), parked as (
       update queue set parked = true, due_at = ${PARKED_UNTIL}
       where ctid = any(array(select ctid from due where is_held)) returning 1
     ), taken as (
       delete from queue where ctid = any(array(select ctid from due where not is_held)) returning *
     ), ${LEASE_TAKEN}
     select t.id, t.message::text as body, l.attempt, l.failures, l.crashes, p.n as parked
     from (select count(*)::int as n from parked) p left join leased l on true left join tasks t on t.id = l.task_id order by l.turn`;

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
}

export async function requeue(client: Client, rows: Requeue[]): Promise<void> {
  if (rows.length === 0) return;
  await client.query(
    `insert into queue (task_id, key, run_seq, lane, band, turn, due_at, attempt, failures, crashes, waits)
     select task_id, key, run_seq, lane, band, turn, case when delay_ms > 0 then now() + make_interval(secs => delay_ms / 1000.0) end,
            attempt, failures, crashes, waits
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::smallint[], $5::bigint[], $6::float8[], $7::int[], $8::smallint[], $9::smallint[],
       $10::smallint[], $11::bigint[]) as q(task_id, key, lane, band, turn, delay_ms, attempt, failures, crashes, waits, run_seq)`,
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
  oldestWaitingSeconds: number | null;
}

export async function queueDepths(pool: Pool): Promise<LaneDepth[]> {
  const rows = await query<{
    lane: string;
    band: number;
    waiting: number;
    delayed: number;
    paused: number;
    active: number;
    oldest: number | null;
  }>(
    pool,
    `select d.lane, d.band, sum(waiting)::int as waiting, sum(delayed)::int as delayed, sum(paused)::int as paused, sum(active)::int as active,
            (select extract(epoch from now() - t.created_at)::float8 from tasks t where t.id = (
               select q.task_id from queue q where q.lane = d.lane and q.band = d.band and q.due_at is null order by q.turn limit 1)) as oldest
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
    oldestWaitingSeconds: row.oldest,
  }));
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
