// Cancelling a run. Tasks that only this run waits for are taken out of the queue and away from their workers; those another live run
// waits for go on. Cancels are serialised by one advisory lock: two runs that share a task, cancelled at once, would each see the other
// as still waiting for it, and the task would be scraped for nobody.
import type { Pool } from 'pg';
import { AppError } from '../model/errors.ts';
import type { TaskRef } from '../model/messages.ts';
import type { Run } from '../model/run.ts';
import { type Client, transaction } from './pool.ts';
import { RUN_COLUMNS, type RunRow, toRun } from './runs.ts';

export interface Cancelled {
  run: Run;
  /** Tasks that will not run because of this cancel. */
  removed: number;
  /** Attempts under way that workers must stop. */
  running: TaskRef[];
}

const LOCK_KEY = 7_246_302;

export function cancelRun(pool: Pool, id: string): Promise<Cancelled> {
  return transaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY]);
    const run = await findRun(client, id);
    if (!run) throw new AppError('unknown_id', `There is no run ${id}.`);
    if (run.status === 'cancelled') return { run: toRun(run), removed: 0, running: [] };
    if (run.status !== 'running')
      throw new AppError('not_cancellable', `The run has already ${run.status}; only a running one can be cancelled.`);

    const { rows: exclusive } = await client.query<{ task_id: string }>(
      `select l.task_id from run_tasks l join live v on v.key = l.item_key and v.task_id = l.task_id
       where l.run_seq = $1 and not exists (
         select 1 from run_tasks o join runs r on r.seq = o.run_seq where o.task_id = l.task_id and o.run_seq <> $1 and r.status = 'running')`,
      [run.seq],
    );
    const ids = exclusive.map((row) => row.task_id);
    const waiting = await client.query<TaskRef>(
      `with q as (select task_id from queue where task_id = any($1::uuid[]) order by task_id for update)
       delete from queue using q where queue.task_id = q.task_id returning queue.task_id, queue.attempt`,
      [ids],
    );
    // A statement of its own: a task dispatched while we waited for its queue row has its lease by now.
    const leased = await client.query<TaskRef>(
      `with l as (select task_id from leases where task_id = any($1::uuid[]) order by task_id for update)
       delete from leases using l where leases.task_id = l.task_id returning leases.task_id, leases.attempt`,
      [ids],
    );
    const taken = [...waiting.rows, ...leased.rows];
    const removed = taken.map((row) => row.task_id);
    await client.query(
      'with v as (select key from live where task_id = any($1::uuid[]) order by key for update) delete from live using v where live.key = v.key',
      [removed],
    );
    await client.query(
      `update tasks set state = 'cancelled', finished_at = now() where id = any($1::uuid[]) and state = 'live'`,
      [removed],
    );
    const revived = await reviveShared(client, run.seq, taken);
    const ended = await client.query<RunRow>(
      `update runs set status = 'cancelled', finished_at = now(), updated_at = now() where seq = $1 and status = 'running' returning ${RUN_COLUMNS}`,
      [run.seq],
    );
    const row = ended.rows[0];
    // The last result was recorded while we waited for locks: the run ended first, and nothing of ours may stay.
    if (!row) throw new AppError('not_cancellable', 'The run ended while it was being cancelled.');
    return {
      run: toRun(row),
      removed: removed.length - revived,
      running: leased.rows,
    };
  });
}

async function findRun(client: Client, id: string): Promise<(RunRow & { seq: string }) | undefined> {
  const { rows } = await client.query<RunRow & { seq: string }>(`select seq, ${RUN_COLUMNS} from runs where id = $1`, [
    id,
  ]);
  return rows[0];
}

/**
 * A submission that shared one of these tasks while we were deleting it has committed by now (we waited for its `live` row): put
 * the task back for it. Its old attempt is stopped all the same; the new one starts over.
 */
async function reviveShared(client: Client, runSeq: string, taken: TaskRef[]): Promise<number> {
  const { rowCount } = await client.query(
    `with taken as (
       select * from unnest($2::uuid[], $3::int[]) as t(task_id, attempt)
     ), wanted as (
       select t.task_id, t.attempt from taken t where exists (
         select 1 from run_tasks l join runs r on r.seq = l.run_seq
         where l.task_id = t.task_id and l.run_seq <> $1 and r.status = 'running')
     ), alive as (
       update tasks set state = 'live', finished_at = null from wanted where tasks.id = wanted.task_id
       returning tasks.id, tasks.key, tasks.lane, tasks.priority, wanted.attempt
     ), claimed as (
       insert into live (key, task_id) select key, id from alive on conflict do nothing
     )
     insert into queue (task_id, key, lane, band, turn, attempt)
     select id, key, lane, case when priority <= 3 then 0 when priority <= 7 then 1 else 2 end,
            (extract(epoch from now()) * 1000)::bigint, attempt from alive`,
    [runSeq, taken.map((one) => one.task_id), taken.map((one) => one.attempt)],
  );
  return rowCount ?? 0;
}
