// The tasks of a run that have not ended, by source and state: what the reason why it waits is found from. Of a large run only some are looked at, so that a
// poll costs little whatever its size.
import type { Pool } from 'pg';
import { AHEAD_MAX, type LiveTasks } from '../../model/run/why-waits.ts';
import type { TaskError } from '../../model/task/messages.ts';
import { query } from '../postgres/pool.ts';
import { spooledRuns } from '../submissions/spooled-runs.ts';

/** The first ones that have not ended, and besides them one that is with a worker, wherever in the run it is. */
const TASKS_MAX = 200;

interface LiveRow {
  source: string;
  lane: string;
  state: LiveTasks['state'];
  due_at: Date | null;
  error: TaskError | null;
  ahead: number;
  host: string | null;
}

export async function liveTasks(pool: Pool, runId: string): Promise<LiveTasks[]> {
  const rows = await query<LiveRow & Record<string, unknown>>(
    pool,
    // Looked up one by one: joined freely, the planner reads whole tables to find a handful of rows.
    `with run as (
       select seq from runs where id = $1
     ), live_of_run as (
       (select l.task_id from run r cross join lateral (
          select l.task_id from run_tasks l where l.run_seq = r.seq and exists (select 1 from live v where v.key = l.item_key and v.task_id = l.task_id offset 0)
          order by l.pos limit $2) l)
       union (select s.task_id from run r cross join lateral (select task_id from leases where run_seq = r.seq and worker is not null limit 1) s)
     ), seen as (
       select t.source, coalesce(q.lane, s.lane) as lane, q.line, q.host, q.band, q.turn, q.due_at, e.error,
              case when s.worker is not null then 'started' when s.task_id is not null then 'sent'
                   when q.parked then 'held' when q.due_at is not null then 'delayed' else 'ready' end as state
       from live_of_run o
       cross join lateral (select source from tasks where id = o.task_id limit 1) t
       left join lateral (select lane, line, host, band, turn, due_at, parked from queue where task_id = o.task_id limit 1) q on true
       left join lateral (select task_id, lane, worker from leases where task_id = o.task_id limit 1) s on true
       left join lateral (select error from earlier_attempts where task_id = o.task_id limit 1) e on true
       where q.lane is not null or s.lane is not null
     ), first_of_each as (
       select distinct on (source, lane, state) * from seen order by source, lane, state, due_at, band, turn
     )
     select source, lane, state, due_at, error, host, case when state <> 'ready' then 0 else (
       select count(*)::int from (
         select 1 from queue a where a.lane = f.lane and a.line = f.line and a.due_at is null and (a.band, a.turn) < (f.band, f.turn)
         order by a.band, a.turn limit $3) n) end as ahead
     from first_of_each f`,
    [runId, TASKS_MAX, AHEAD_MAX],
  );
  if (rows.length > 0) return rows.map(({ due_at, ...row }) => ({ ...row, dueAt: due_at }));
  // Accepted and not written out yet.
  const spooled = (await spooledRuns(pool, [runId])).get(runId);
  const ways = new Map(spooled?.submission.tasks.map((task) => [`${task.source} ${task.lane}`, task]));
  return [...ways.values()].map(({ source, lane, host = null }) => ({
    source,
    lane,
    state: 'ready',
    dueAt: null,
    error: null,
    ahead: 0,
    host,
  }));
}
