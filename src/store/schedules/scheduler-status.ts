// Who schedules, what is due next, and how each schedule has been doing.
import type { Pool } from 'pg';
import { query } from '../postgres/pool.ts';

export interface SchedulerStatus {
  instances: { name: string; started_at: Date; ticked_at: Date }[];
  lastTickAt: Date | null;
  next: { id: string; next_run_at: Date } | null;
  schedules: {
    id: string;
    enabled: boolean;
    next_run_at: Date | null;
    started: number;
    skipped: number;
    failed: number;
  }[];
}

/** An instance that has not been heard of for so long has gone. */
const GONE_SECONDS = 15;
const SCHEDULES_MAX = 1_000;

export async function beatScheduler(pool: Pool, name: string): Promise<void> {
  await query(
    pool,
    `with gone as (delete from schedulers where ticked_at < now() - interval '1 day')
     insert into schedulers (name) values ($1) on conflict (name) do update set ticked_at = now()`,
    [name],
  );
}

export async function leaveScheduler(pool: Pool, name: string): Promise<void> {
  await query(pool, 'delete from schedulers where name = $1', [name]);
}

export async function schedulerStatus(pool: Pool, owner: string | null): Promise<SchedulerStatus> {
  const instances = await query<SchedulerStatus['instances'][number]>(
    pool,
    'select name, started_at, ticked_at from schedulers where ticked_at > now() - make_interval(secs => $1) order by name',
    [GONE_SECONDS],
  );
  const [next] = await query<{ id: string; next_run_at: Date }>(
    pool,
    `select id, next_run_at from schedules where enabled and next_run_at < 'infinity' and ($1::text is null or owner = $1) order by next_run_at limit 1`,
    [owner],
  );
  const schedules = await query<SchedulerStatus['schedules'][number]>(
    pool,
    `select s.id, s.enabled, nullif(s.next_run_at, 'infinity') as next_run_at,
       count(*) filter (where f.state in ('started', 'done'))::int as started, count(*) filter (where f.state = 'skipped')::int as skipped,
       count(*) filter (where f.state = 'failed')::int as failed
     from (select * from schedules where ($2::text is null or owner = $2) order by id limit $1) s left join fires f on f.schedule_id = s.id
     group by s.id, s.enabled, s.next_run_at order by s.id`,
    [SCHEDULES_MAX, owner],
  );
  const ticks = instances.map((one) => one.ticked_at.getTime());
  return {
    instances,
    lastTickAt: ticks.length === 0 ? null : new Date(Math.max(...ticks)),
    next: next ?? null,
    schedules,
  };
}
