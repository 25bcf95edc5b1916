// Fires: the times a schedule was due, and their outcomes. A due schedule is claimed and moved to its next time in one transaction, which writes its fire
// as `waiting`; the work is started afterwards, and after a crash in between another scheduler takes over the fire.
import type { Pool } from 'pg';
import { whySkip } from '../../model/schedule/schedule.ts';
import { type Client, query, transaction } from '../postgres/pool.ts';
import { plainArray, textArray } from '../postgres/text.ts';
import { instantAfter, SCHEDULE_COLUMNS, type Schedule, type ScheduleRow, toSchedule } from './schedules.ts';

/** Work for the one who claimed it. */
export interface WaitingFire {
  schedule: Schedule;
  instant: Date;
}

export interface Claimed {
  fires: WaitingFire[];
  skipped: { schedule: Schedule; instant: Date; reason: string }[];
}

const HOLD_SECONDS = 60;

/** A fire of "run now". No scheduler takes it over: a caller without an answer repeats the request. */
export const BY_HAND = 'run by hand';

/**
 * The last run of `s`, `r`, goes on. One over companies does not if all that is left of it waits to be tried again: one company that is down for half an
 * hour must not keep the others from their next scrape, and shares its task with both runs.
 */
const IS_RUNNING = `coalesce(r.status = 'running' and (s.task <> 'companies.scrape' or exists (
  select 1 from run_tasks l where l.run_seq = r.seq and not exists (select 1 from outcomes o where o.task_id = l.task_id)
    and not exists (select 1 from queue q where q.task_id = l.task_id and q.due_at is not null and q.failures > 0 and not q.parked))), false)`;

/** What is in the way of another run of `s`, whose last one is `r`. */
const BUSY = `case when ${IS_RUNNING} then 'run ' || r.id || ' has not ended yet'
  when exists (select 1 from fires f where f.schedule_id = s.id and f.state = 'waiting' and (f.reason is null or f.held_until > now()))
  then 'the previous one has not started yet' end`;

type DueRow = ScheduleRow & { next_run_at: Date; now: Date; busy: string | null; free_at: Date | null };

export async function claimDue(pool: Pool, limit: number): Promise<Claimed> {
  return transaction(pool, async (client) => {
    const { rows } = await client.query<DueRow>(
      // One that queues behind its last run stays due until that is over.
      `select ${SCHEDULE_COLUMNS}, now() as now, case when s.overlap = 'queue' then r.finished_at end as free_at, ${BUSY} as busy
       from schedules s left join runs r on r.id = s.last_run_id
       where s.enabled and s.next_run_at <= now() and not (s.overlap = 'queue' and ${IS_RUNNING}) order by s.next_run_at limit $1 for update of s skip locked`,
      [limit],
    );
    const claimed: Claimed = { fires: [], skipped: [] };
    if (rows.length === 0) return claimed;
    const reasons = rows.map((row) =>
      whySkip({
        dueMs: row.next_run_at.getTime(),
        freeMs: row.free_at?.getTime() ?? null,
        nowMs: row.now.getTime(),
        catchUp: row.catch_up,
        busy: row.busy,
      }),
    );
    const fresh = await writeFires(client, rows, reasons);
    for (const [index, row] of rows.entries()) {
      const [schedule, instant, reason] = [toSchedule(row), row.next_run_at, reasons[index]!];
      // An instant that has been decided before (the clock went back) is not decided again.
      if (!fresh.has(row.id)) continue;
      if (reason === null) claimed.fires.push({ schedule, instant });
      else claimed.skipped.push({ schedule, instant, reason });
    }
    return claimed;
  });
}

async function writeFires(client: Client, rows: DueRow[], reasons: (string | null)[]): Promise<Set<string>> {
  const { rows: inserted } = await client.query<{ schedule_id: string }>(
    `with due as (
       select * from unnest($1::text[], $2::text[], $3::timestamptz[]) as d(id, reason, next)
     ), moved as (
       update schedules s set next_run_at = coalesce(d.next, 'infinity') from due d where s.id = d.id
     )
     insert into fires (schedule_id, instant, state, reason, held_until)
     select s.id, s.next_run_at, case when d.reason is null then 'waiting' else 'skipped' end, d.reason, now() + make_interval(secs => $4)
     from due d join schedules s on s.id = d.id
     on conflict do nothing returning schedule_id`,
    [
      textArray(rows.map((row) => row.id)),
      textArray(reasons),
      plainArray(rows.map((row) => instantAfter(row, row.now))),
      HOLD_SECONDS,
    ],
  );
  return new Set(inserted.map((row) => row.schedule_id));
}

export async function takeOverFires(pool: Pool, limit: number): Promise<WaitingFire[]> {
  const rows = await query<ScheduleRow & { instant: Date }>(
    pool,
    `with late as (
       select schedule_id, instant, reason from fires where state = 'waiting' and held_until < now() order by held_until limit $1 for update skip locked
     ), lost as (
       update fires f set state = 'failed', reason = f.reason || '; what was to start it has not told what became of it' from late
       where f.schedule_id = late.schedule_id and f.instant = late.instant and late.reason is not null
     ), held as (
       update fires f set held_until = now() + make_interval(secs => $2) from late
       where f.schedule_id = late.schedule_id and f.instant = late.instant and late.reason is null returning f.schedule_id, f.instant
     )
     select ${SCHEDULE_COLUMNS}, held.instant from held join schedules s on s.id = held.schedule_id`,
    [limit, HOLD_SECONDS],
  );
  return rows.map((row) => ({ schedule: toSchedule(row), instant: row.instant }));
}

export interface FireOutcome {
  scheduleId: string;
  instant: Date;
  state: 'started' | 'done' | 'skipped' | 'failed';
  reason: string | null;
  runId: string | null;
}

export async function endFires(pool: Pool, outcomes: FireOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  await query(
    pool,
    `with ended as (
       select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[]) as e(id, instant, state, reason, run_id)
     ), kept as (
       insert into fires (schedule_id, instant, state, reason, run_id)
       select e.id, e.instant, e.state, e.reason, e.run_id from ended e join schedules s on s.id = e.id
       on conflict (schedule_id, instant) do update set state = excluded.state, reason = excluded.reason, run_id = excluded.run_id,
         held_until = null, decided_at = now()
     )
     update schedules s set last_run_at = now(), last_run_id = coalesce(e.run_id, s.last_run_id) from ended e
     where s.id = e.id and e.state in ('started', 'done')`,
    [
      textArray(outcomes.map((one) => one.scheduleId)),
      plainArray(outcomes.map((one) => `"${one.instant.toISOString()}"`)),
      textArray(outcomes.map((one) => one.state)),
      textArray(outcomes.map((one) => one.reason)),
      textArray(outcomes.map((one) => one.runId)),
    ],
  );
}

export interface Fire {
  instant: Date;
  state: string;
  reason: string | null;
  run_id: string | null;
}

export async function listFires(pool: Pool, scheduleId: string, limit: number): Promise<Fire[]> {
  return query<Fire & Record<string, unknown>>(
    pool,
    'select instant, state, reason, run_id from fires where schedule_id = $1 order by instant desc limit $2',
    [scheduleId, limit],
  );
}

export async function claimNow(pool: Pool, scheduleId: string): Promise<{ instant: Date } | { busy: string } | null> {
  return transaction(pool, async (client) => {
    // By itself: only what is read after the lock has what others wrote while they held it.
    const { rowCount } = await client.query('select 1 from schedules where id = $1 for update', [scheduleId]);
    if (rowCount === 0) return null;
    const { rows } = await client.query<{ now: Date; busy: string | null }>(
      // An instant of its own, also where the last one was this very millisecond.
      `select greatest(date_trunc('milliseconds', clock_timestamp()), (select max(instant) + interval '1 millisecond' from fires where schedule_id = s.id)) as now,
         ${BUSY} as busy
       from schedules s left join runs r on r.id = s.last_run_id where s.id = $1`,
      [scheduleId],
    );
    const { now: instant, busy } = rows[0]!;
    if (busy !== null) return { busy };
    await client.query(
      `insert into fires (schedule_id, instant, state, reason, held_until) values ($1, $2, 'waiting', $3, now() + make_interval(secs => $4))`,
      [scheduleId, instant, BY_HAND, HOLD_SECONDS],
    );
    return { instant };
  });
}
