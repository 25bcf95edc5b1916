// Ready tasks, by the lines they stand in (model/task/line.ts), and leasing them. What a reader would get wrong: lines are found by stepping from one to the
// next in the index, so that a million tasks in one of them cost nothing to those behind it.
import type { Pool } from 'pg';
import { BANDS, type Band } from '../../model/task/band.ts';
import { HOST_MARK } from '../../model/task/line.ts';
import { type SealedTask, sealTask } from '../../model/task/messages.ts';
import { query } from '../postgres/pool.ts';
import { plainArray, textArray } from '../postgres/text.ts';
import { checkpointsOf } from './checkpoints.ts';

/** Sources whose tasks must not go now, and the ones of theirs that may all the same. */
export interface Holds {
  sources: string[];
  probes: string[];
}

export interface ReadyLine {
  line: string;
  /** Counted no further than was asked for. */
  counts: Record<Band, number>;
}

export interface ReadyLines {
  lines: ReadyLine[];
  /** Null when nothing is held back. */
  holds: Holds | null;
  /** Sources that were given up: their tasks go once each, whatever the pace of their site says, so that their runs end. */
  givenUp: string[];
}

/** Lines that are looked at in one round: of sources and owners, of which there are mostly fewer, and of hosts. */
export const LINES_AT_ONCE = { sources: 500, hosts: 100 } as const;

/** Where to look for lines from. */
export interface LookFrom {
  sources: string;
  hosts: string;
}

export const FIRST_LINES: LookFrom = { sources: '', hosts: HOST_MARK };

const IS_HELD = `(paused_at is not null or breaker in ('open', 'half_open'))`;

/** What holds tasks back, null in good times: a source that was given up does not, and a paused one sends no probe. */
const HELD = `select json_agg(json_build_object('source', source, 'isGivenUp', not ${IS_HELD}, 'probe', case when paused_at is null then probe_task end))
  from source_holds where ${IS_HELD} or breaker = 'given_up'`;

const NEXT_LINE = 'select line from queue where lane = $1 and due_at is null';
const READY_IN = 'queue.lane = $1 and queue.line = l.line and queue.due_at is null';

/** The order is for the planner: without it a line of few tasks may be looked for by reading the whole table. */
export async function readyLines(
  pool: Pool,
  lane: string,
  { upTo, from }: { upTo: number; from: LookFrom },
): Promise<ReadyLines> {
  const rows = await query<
    Record<Band, number> & { line: string; held: { source: string; isGivenUp: boolean; probe: string | null }[] | null }
  >(pool, {
    name: 'ready-lines',
    text: `with recursive of_sources(line, n) as (
         (select line, 1 from (${NEXT_LINE} and line >= $4 and line < '${HOST_MARK}' order by line limit 1) first)
         union all
         select (${NEXT_LINE} and line > s.line and line < '${HOST_MARK}' order by line limit 1), s.n + 1
         from of_sources s where s.line is not null and s.n < ${LINES_AT_ONCE.sources}
       ), of_hosts(line, n) as (
         (select line, 1 from (${NEXT_LINE} and line >= $3 order by line limit 1) first)
         union all
         select (${NEXT_LINE} and line > h.line order by line limit 1), h.n + 1
         from of_hosts h where h.line is not null and h.n < ${LINES_AT_ONCE.hosts}
       )
       select l.line,
         (select count(*)::int from (select 1 from queue where ${READY_IN} and band = 0 order by turn limit $2) x) as high,
         (select count(*)::int from (select 1 from queue where ${READY_IN} and band = 1 order by turn limit $2) x) as medium,
         (select count(*)::int from (select 1 from queue where ${READY_IN} and band = 2 order by turn limit $2) x) as low,
         (${HELD}) as held
       from (select line from of_sources union all select line from of_hosts) l where l.line is not null`,
    values: [lane, upTo, from.hosts, from.sources],
  });
  const known = rows[0]?.held ?? [];
  const held = known.filter(({ isGivenUp }) => !isGivenUp);
  return {
    lines: rows.map(({ line, high, medium, low }) => ({ line, counts: { high, medium, low } })),
    holds:
      held.length > 0
        ? { sources: held.map((one) => one.source), probes: held.flatMap((one) => one.probe ?? []) }
        : null,
    givenUp: known.filter(({ isGivenUp }) => isGivenUp).map(({ source }) => source),
  };
}

/** A part of a line: its first tasks in one band. */
export interface LinePart {
  line: string;
  band: Band;
  count: number;
}

/** Which hosts the first tasks of these lines wait for, and how many of them each. */
export async function readyHosts(
  pool: Pool,
  lane: string,
  parts: LinePart[],
): Promise<(LinePart & { host: string })[]> {
  if (parts.length === 0) return [];
  const rows = await query<{ line: string; band: number; host: string; count: number }>(pool, {
    name: 'ready-hosts',
    text: `select w.line, w.band, q.host, count(*)::int as count
       from unnest($2::text[], $3::smallint[], $4::int[]) as w(line, band, n) cross join lateral (
         select host from queue where lane = $1 and queue.line = w.line and queue.band = w.band and due_at is null order by turn limit w.n
       ) q where q.host is not null group by 1, 2, 3`,
    values: [
      lane,
      textArray(parts.map((part) => part.line)),
      plainArray(parts.map((part) => BANDS.indexOf(part.band))),
      plainArray(parts.map((part) => part.count)),
    ],
  });
  return rows.map((row) => ({ ...row, band: BANDS[row.band]! }));
}

/** How many tasks are out that wait for these hosts, or ask them. */
export async function leasedByHost(pool: Pool, hosts: string[]): Promise<Map<string, number>> {
  if (hosts.length === 0) return new Map();
  const rows = await query<{ host: string; n: number }>(pool, {
    name: 'leased-by-host',
    text: 'select host, count(*)::int as n from leases where host = any($1::text[]) group by 1',
    values: [textArray(hosts)],
  });
  return new Map(rows.map(({ host, n }) => [host, n]));
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

/** What to lease of a line, by turns. */
export interface Pick {
  line: string;
  limit: number;
  /** All of them wait for one host: no more than `most` tasks of it may be out afterwards, whoever leased them. */
  host?: { name: string; most: number };
}

/** Of a line whose tasks wait for different hosts: how many of those of one host may go. The others leave the line for that of their host. */
export interface HostLimit {
  line: string;
  host: string;
  limit: number;
}

export interface LeaseOptions {
  lane: string;
  band: Band;
  picks: Pick[];
  hosts: HostLimit[];
  leaseSeconds: number;
  holds: Holds | null;
}

export interface LeasedTasks {
  tasks: SealedTask[];
  /** Held tasks that were met, and are now among the delayed ones. */
  parked: number;
  /** Tasks that now stand in the line of their host. */
  aside: number;
}

interface LeasedRow {
  id: string | null;
  body: string;
  attempt: number;
  failures: number;
  crashes: number;
  parked: number;
  aside: number;
}

export async function leaseReady(pool: Pool, options: LeaseOptions): Promise<LeasedTasks> {
  const { picks, hosts, holds } = options;
  const values = [
    options.lane,
    BANDS.indexOf(options.band),
    textArray(picks.map((pick) => pick.line)),
    options.leaseSeconds,
    plainArray(picks.map((pick) => pick.limit)),
    textArray(picks.map((pick) => pick.host?.name ?? null)),
    plainArray(picks.map((pick) => pick.host?.most ?? null)),
  ];
  const rows =
    holds === null && hosts.length === 0
      ? await query<LeasedRow & Record<string, unknown>>(pool, { name: 'lease', text: LEASE, values })
      : await query<LeasedRow & Record<string, unknown>>(pool, {
          name: 'lease-chosen',
          text: LEASE_CHOSEN,
          values: [
            ...values,
            holds?.sources ?? [],
            holds?.probes ?? [],
            textArray(hosts.map((one) => one.line)),
            textArray(hosts.map((one) => one.host)),
            plainArray(hosts.map((one) => one.limit)),
          ],
        });
  const again = rows.flatMap((row) => (row.id !== null && row.attempt > 1 ? [row.id] : []));
  const checkpoints = await checkpointsOf(pool, again);
  const tasks = rows.flatMap((row) =>
    row.id === null ? [] : [sealTask(row.id, row.body, row, checkpoints.get(row.id))],
  );
  return { tasks, parked: rows[0]?.parked ?? 0, aside: rows[0]?.aside ?? 0 };
}

/** The first tasks of each line. Who else is leasing at this moment is seen by the count of what is out, not by what was read before. */
const DUE = `due as (
       select q.tid, q.task_id, q.line, q.host, q.turn, w.host is null as is_mixed
       from unnest($3::text[], $5::int[], $6::text[], $7::int[]) as w(line, n, host, most) cross join lateral (
         select ctid as tid, task_id, queue.line, queue.host, turn from queue
         where lane = $1 and queue.line = w.line and band = $2 and due_at is null order by turn
         limit case when w.host is null then w.n else
           greatest(0, least(w.n, w.most - (select count(*)::int from leases where leases.host = w.host))) end
         for update skip locked
       ) q
     )`;

const LEASE_TAKEN = `leased as (
       insert into leases (task_id, key, run_seq, lane, line, host, band, turn, attempt, failures, crashes, waits, lease_until)
       select task_id, key, run_seq, lane, line, host, band, turn, attempt + 1, failures, crashes, waits, now() + make_interval(secs => $4) from taken
       returning task_id, turn, attempt, failures, crashes
     )`;

const LEASE = `with ${DUE}, taken as (
       delete from queue where ctid = any(array(select tid from due)) returning *
     ), ${LEASE_TAKEN}
     select t.id, t.message::text as body, l.attempt, l.failures, l.crashes, 0 as parked, 0 as aside
     from leased l join tasks t on t.id = l.task_id order by l.turn`;

/** A parked task becomes ready again after some minutes, and is parked again if needed, so that it cannot be forgotten. */
export const PARKED_UNTIL = `now() + interval '10 minutes' * (1 + random() * 0.2)`;

/**
 * A host that nobody has looked at yet gets one task: it came to the line a moment ago. The source is read by the key of each task: asked with `exists`, the
 * planner, which expects a thousand tasks where twenty are asked for, reads the whole table.
 */
const LEASE_CHOSEN = `with ${DUE}, judged as (
       select d.tid,
         (select t.source from tasks t where t.id = d.task_id) = any($8::text[]) and not d.task_id = any($9::uuid[]) as is_held,
         d.is_mixed and d.host is not null
           and row_number() over (partition by d.line, d.host order by d.turn) > coalesce(a.n, 1) as is_over
       from due d left join unnest($10::text[], $11::text[], $12::int[]) as a(line, host, n) on a.line = d.line and a.host = d.host
     ), parked as (
       update queue set parked = true, due_at = ${PARKED_UNTIL}
       where ctid = any(array(select tid from judged where is_held)) returning 1
     ), aside as (
       update queue set line = '${HOST_MARK}' || host || ' ' || line
       where ctid = any(array(select tid from judged where is_over and not is_held)) returning 1
     ), taken as (
       delete from queue where ctid = any(array(select tid from judged where not is_over and not is_held)) returning *
     ), ${LEASE_TAKEN}
     select t.id, t.message::text as body, l.attempt, l.failures, l.crashes, p.n as parked, s.n as aside
     from (select count(*)::int as n from parked) p cross join (select count(*)::int as n from aside) s
       left join leased l on true left join tasks t on t.id = l.task_id order by l.turn`;
