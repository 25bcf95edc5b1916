// How much an owner may have waiting, and ask for in a day. Decided in the transaction that accepts the work, one at a time for each owner: of requests to several
// processes no more get in than fit. Owners without a limit never come here. A crawl counts
// with the pages that it may have while it runs, so that what it finds later always fits, and with those that it had once it has ended.
import { AppError } from '../../model/errors.ts';
import type { Client } from '../postgres/pool.ts';
import type { Submission } from './submit.ts';

/** What holds where no key of the owner says otherwise; null: no limit. */
export interface Quota {
  openTasks: number | null;
  tasksPerDay: number | null;
}

/** Null for runs that are no crawls, and for maps. */
const MAY_GROW_TO = `case when c.options->>'mode' = 'crawl' then (c.options->>'limit')::int end`;
const LOCK_CLASS = 7_246_337;
const OPEN_RETRY_MS = 10_000;

interface Use {
  open: number;
  today: number;
  /** Of crawls of today: what they have, or may still have, beyond their first task. */
  grown: number;
  max_open: number | null;
  max_today: number | null;
  seconds_left: number;
}

export async function checkQuotas(client: Client, batch: readonly Submission[]): Promise<void> {
  const limited = batch.filter(({ quota, owner }) => quota && owner);
  const byOwner = [...Map.groupBy(limited, ({ owner }) => owner!)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [owner, submissions] of byOwner) {
    const made = submissions.reduce((sum, { tasks }) => sum + tasks.length, 0);
    const wanted = submissions.reduce((sum, { tasks, mayGrowTo = 0 }) => sum + Math.max(tasks.length, mayGrowTo), 0);
    // By itself: only what is read after the lock has what others wrote while they held it.
    await client.query('select pg_advisory_xact_lock($1, hashtext($2))', [LOCK_CLASS, owner]);
    const { openTasks, tasksPerDay } = submissions[0]!.quota!;
    const { rows } = await client.query<Use>({
      name: 'owner-quota',
      text: `with today as (select (now() at time zone 'utc')::date as day), gone as (
               delete from owner_days using today where owner = $1 and owner_days.day < today.day
             ), counted as (
               insert into owner_days (owner, day, tasks) select $1, day, $2 from today
               on conflict (owner, day) do update set tasks = owner_days.tasks + excluded.tasks returning tasks
             ), allowed as (
               select max(max_open_tasks) as open, max(max_tasks_per_day) as today from api_keys
               where owner = $1 and revoked_at is null and (expires_at is null or expires_at > now())
             ), open as (
               select sum(greatest(r.total, ${MAY_GROW_TO}) - r.completed - r.failed) as tasks
               from runs r left join crawls c on c.run_seq = r.seq where r.owner = $1 and r.status = 'running'
             ), grown as (
               select sum(case r.status when 'running' then greatest(c.admitted, ${MAY_GROW_TO}) else c.admitted end - 1) as tasks
               from today, crawls c join runs r on r.seq = c.run_seq where r.owner = $1 and r.created_at >= today.day::timestamp at time zone 'utc'
             )
             select coalesce((select tasks from open), 0)::float8 as open, coalesce((select tasks from grown), 0)::float8 as grown,
               (select tasks from counted)::float8 as today, coalesce(a.open, $3::int) as max_open, coalesce(a.today, $4::int) as max_today,
               extract(epoch from (day + 1)::timestamp - (now() at time zone 'utc'))::float8 as seconds_left
             from allowed a, today`,
      values: [owner, made, openTasks, tasksPerDay],
    });
    const use = rows[0]!;
    refuse(owner, wanted, { ...use, today: use.today - made + use.grown + wanted });
  }
}

function refuse(owner: string, wanted: number, use: Use): void {
  const { max_open: maxOpen, max_today: maxToday } = use;
  if (maxOpen !== null && use.open + wanted > maxOpen)
    throw new AppError(
      'owner_quota',
      `${owner} may have ${count(maxOpen)} waiting or running, has ${count(use.open)}, and asked for ${wanted} more. Ask for fewer, wait, or cancel runs; more is allowed by max_open_tasks of a key, or OWNER_MAX_OPEN_TASKS.`,
      { retryAfterMs: OPEN_RETRY_MS },
    );
  if (maxToday !== null && use.today > maxToday)
    throw new AppError(
      'owner_quota',
      `${owner} may ask for ${count(maxToday)} a day (UTC), and has asked for ${use.today - wanted} today; ${wanted} more do not fit. More is allowed by max_tasks_per_day of a key, or OWNER_MAX_TASKS_PER_DAY.`,
      { retryAfterMs: Math.ceil(use.seconds_left) * 1_000 },
    );
}

const count = (tasks: number): string => `${tasks} ${tasks === 1 ? 'task' : 'tasks'}`;
