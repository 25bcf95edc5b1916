// Schedules. The next time is left null here and computed by `planSchedules` with the time of the database, so that a change takes effect at once and the
// same way for all writers.
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import {
  type CatchUp,
  nextInstant,
  type Overlap,
  type ScheduleTask,
  type Timing,
} from '../../model/schedule/schedule.ts';
import { type Client, query, transaction } from '../postgres/pool.ts';
import { pgJson, plainArray, textArray } from '../postgres/text.ts';
import { claimId, type IdempotencyKey } from '../submissions/idempotency.ts';

export interface ScheduleInput {
  task: ScheduleTask;
  siteName: string | null;
  enabled: boolean;
  timing: Timing;
  payload: Record<string, unknown>;
  minPauseSeconds: number | null;
  maxPauseSeconds: number | null;
  maxRetries: number | null;
  catchUp: CatchUp;
  overlap: Overlap;
}

export interface Schedule extends ScheduleInput {
  id: string;
  /** Of its runs too. */
  owner: string | null;
  anchorAt: Date;
  lastRunAt: Date | null;
  lastRunId: string | null;
  nextRunAt: Date | null;
  /** The run that it is due behind. */
  waitingFor: string | null;
}

export interface ScheduleRow {
  id: string;
  owner: string | null;
  task: ScheduleTask;
  site_name: string | null;
  enabled: boolean;
  interval_minutes: number | null;
  cron: string | null;
  timezone: string;
  payload: Record<string, unknown>;
  min_pause_seconds: number | null;
  max_pause_seconds: number | null;
  max_retries: number | null;
  catch_up: CatchUp;
  overlap: Overlap;
  anchor_at: Date;
  last_run_at: Date | null;
  last_run_id: string | null;
  next_run_at: Date | null;
  waiting_for: string | null;
}

export const SCHEDULE_COLUMNS = `s.id, s.owner, s.task, s.site_name, s.enabled, s.interval_minutes, s.cron, s.timezone, s.payload, s.min_pause_seconds,
  s.max_pause_seconds, s.max_retries, s.catch_up, s.overlap, s.anchor_at, s.last_run_at, s.last_run_id,
  nullif(s.next_run_at, 'infinity') as next_run_at, (select id from runs where id = s.last_run_id and status = 'running'
    and s.enabled and s.overlap = 'queue' and s.next_run_at <= now()) as waiting_for`;

export const toSchedule = (row: ScheduleRow): Schedule => ({
  id: row.id,
  owner: row.owner,
  task: row.task,
  siteName: row.site_name,
  enabled: row.enabled,
  timing:
    row.interval_minutes === null
      ? { cron: row.cron!, timezone: row.timezone }
      : { intervalMinutes: row.interval_minutes },
  payload: row.payload,
  minPauseSeconds: row.min_pause_seconds,
  maxPauseSeconds: row.max_pause_seconds,
  maxRetries: row.max_retries,
  catchUp: row.catch_up,
  overlap: row.overlap,
  anchorAt: row.anchor_at,
  lastRunAt: row.last_run_at,
  lastRunId: row.last_run_id,
  nextRunAt: row.next_run_at,
  waitingFor: row.waiting_for,
});

export async function getSchedule(pool: Pool, id: string): Promise<Schedule | null> {
  const rows = await query<ScheduleRow>(pool, `select ${SCHEDULE_COLUMNS} from schedules s where s.id = $1`, [id]);
  return rows[0] ? toSchedule(rows[0]) : null;
}

export async function listSchedules(
  pool: Pool,
  options: { after: string | null; limit: number; task?: ScheduleTask | null; owner?: string | null },
): Promise<{ schedules: Schedule[]; total: number }> {
  const rows = await query<ScheduleRow>(
    pool,
    `select ${SCHEDULE_COLUMNS} from schedules s where ($1::text is null or s.task = $1) and ($2::text is null or s.id > $2)
       and ($4::text is null or s.owner = $4) order by s.id limit $3`,
    [options.task ?? null, options.after, options.limit, options.owner ?? null],
  );
  const [counted] = await query<{ n: number }>(
    pool,
    'select count(*)::int as n from schedules where ($1::text is null or task = $1) and ($2::text is null or owner = $2)',
    [options.task ?? null, options.owner ?? null],
  );
  return { schedules: rows.map(toSchedule), total: counted!.n };
}

const newId = (): string => `sch_${randomBytes(8).toString('hex')}`;

export async function saveSchedule(pool: Pool, input: ScheduleInput, id = newId()): Promise<Schedule> {
  await transaction(pool, (client) => write(client, id, input, null));
  await planSchedules(pool);
  return (await getSchedule(pool, id))!;
}

export async function createSchedule(
  pool: Pool,
  input: ScheduleInput,
  claim: IdempotencyKey | null,
  owner: string | null = null,
): Promise<{ schedule: Schedule | null; isReplay: boolean }> {
  const id = newId();
  const kept = await transaction(pool, async (client) => {
    const claimed = claim ? await claimId(client, claim, id) : id;
    if (claimed === id) await write(client, id, input, owner);
    return claimed;
  });
  await planSchedules(pool);
  return { schedule: await getSchedule(pool, kept), isReplay: kept !== id };
}

/** The owner stays as it is once it is there. Its grid begins anew only when its timing changed, so that a new payload moves no instant. */
async function write(client: Client, id: string, input: ScheduleInput, owner: string | null): Promise<void> {
  const { timing } = input;
  const [minutes, cron, zone] =
    'cron' in timing ? [null, timing.cron, timing.timezone] : [timing.intervalMinutes, null, 'UTC'];
  await client.query(
    `insert into schedules as s (id, task, site_name, enabled, interval_minutes, cron, timezone, payload, min_pause_seconds, max_pause_seconds, max_retries, catch_up, overlap, owner)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     on conflict (id) do update set task = excluded.task, site_name = excluded.site_name, enabled = excluded.enabled,
       interval_minutes = excluded.interval_minutes, cron = excluded.cron, timezone = excluded.timezone, payload = excluded.payload,
       min_pause_seconds = excluded.min_pause_seconds, max_pause_seconds = excluded.max_pause_seconds, max_retries = excluded.max_retries,
       catch_up = excluded.catch_up, overlap = excluded.overlap, updated_at = now(),
       anchor_at = case when (s.interval_minutes, s.cron, s.timezone) is distinct from (excluded.interval_minutes, excluded.cron, excluded.timezone)
                        then now() else s.anchor_at end,
       -- What was missed while it was paused is not made up for.
       next_run_at = case when (s.interval_minutes, s.cron, s.timezone, s.enabled)
                               is distinct from (excluded.interval_minutes, excluded.cron, excluded.timezone, excluded.enabled)
                          then null else s.next_run_at end`,
    [
      id,
      input.task,
      input.siteName,
      input.enabled,
      minutes,
      cron,
      zone,
      pgJson(input.payload),
      input.minPauseSeconds,
      input.maxPauseSeconds,
      input.maxRetries,
      input.catchUp,
      input.overlap,
      owner,
    ],
  );
}

export async function deleteSchedule(pool: Pool, id: string): Promise<boolean> {
  return (await query(pool, 'delete from schedules where id = $1 returning 1', [id])).length > 0;
}

const PLAN_BATCH = 10_000;

export async function planSchedules(pool: Pool): Promise<number> {
  return transaction(pool, async (client) => {
    const { rows } = await client.query<ScheduleRow & { now: Date }>(
      `select ${SCHEDULE_COLUMNS}, now() as now from schedules s where enabled and next_run_at is null order by s.id limit ${PLAN_BATCH}
       for update skip locked`,
    );
    if (rows.length === 0) return 0;
    await client.query(
      `update schedules s set next_run_at = coalesce(p.next, 'infinity') from unnest($1::text[], $2::timestamptz[]) as p(id, next) where s.id = p.id`,
      [textArray(rows.map((row) => row.id)), plainArray(rows.map((row) => instantAfter(row, row.now)))],
    );
    return rows.length;
  });
}

/** As PostgreSQL reads it; null where there is none. */
export function instantAfter(row: ScheduleRow, after: Date): string | null {
  const { id, timing, anchorAt } = toSchedule(row);
  const next = nextInstant({ id, timing, anchorMs: anchorAt.getTime() }, after.getTime());
  return next === null ? null : `"${new Date(next).toISOString()}"`;
}
