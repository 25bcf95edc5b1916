// Cancels a run. Tasks that only this run waits for are removed from the queue and from their workers; those another live run waits for continue. Cancels
// are serialised by one advisory lock: two runs that share a task, cancelled at once, would each see the other as still waiting, and the task would be
// scraped for nothing.
import type { Pool } from 'pg';
import { AppError } from '../../model/errors.ts';
import { maySee } from '../../model/key/key.ts';
import type { Run } from '../../model/run/run.ts';
import type { TaskRef } from '../../model/task/messages.ts';
import { type Client, transaction } from '../postgres/pool.ts';
import { tellEnded } from '../runs/run-events.ts';
import { RUN_COLUMNS, type RunRow, toRun } from '../runs/runs.ts';

export interface Cancelled {
  run: Run;
  /** Tasks that will not run because of this cancel. */
  removed: number;
  /** Attempts under way that workers must stop. */
  running: TaskRef[];
}

interface Taken extends TaskRef {
  key: string;
}

/** Who makes tasks of a run that is under way takes it shared: a cancel finds all of them. */
export const CANCEL_LOCK = 7_246_302;

/** Whether a running run other than RUN waits for TASK: the one that made it, or one that shares it. */
const WANTED_BY_ANOTHER = `
  select 1 from (
    select t.run_seq from tasks t where t.id = TASK union all select s.run_seq from shares s where s.task_id = TASK
  ) w join runs r on r.seq = w.run_seq where w.run_seq <> RUN and r.status = 'running'`;

export function cancelRun(pool: Pool, id: string, sees: string | null): Promise<Cancelled> {
  return transaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [CANCEL_LOCK]);
    const run = await findRun(client, id);
    if (!run || !maySee(sees, run)) throw new AppError('unknown_id', `There is no run ${id}.`);
    if (run.status === 'cancelled') return { run: toRun(run), removed: 0, running: [] };
    if (run.status !== 'running')
      throw new AppError('not_cancellable', `The run has already ended (${run.status}) and cannot be cancelled.`);

    const { rows: exclusive } = await client.query<{ task_id: string }>(
      `select l.task_id from run_tasks l join live v on v.key = l.item_key and v.task_id = l.task_id
       where l.run_seq = $1 and not exists (${WANTED_BY_ANOTHER.replaceAll('TASK', 'l.task_id').replaceAll('RUN', '$1')})`,
      [run.seq],
    );
    const ids = exclusive.map((row) => row.task_id);
    const waiting = await takeWaiting(client, ids);
    // A statement of its own: a task dispatched while we waited for its queue row has its lease by now.
    const leased = await client.query<Taken>(
      `with l as (select task_id from leases where task_id = any($1::uuid[]) order by task_id for update)
       delete from leases using l where leases.task_id = l.task_id returning leases.task_id, leases.key, leases.attempt`,
      [ids],
    );
    // And one that was given back while we waited for its lease is in the queue.
    const givenBack = await takeWaiting(client, ids);
    const taken = [...waiting, ...leased.rows, ...givenBack];
    await client.query('delete from live where key = any($1::uuid[])', [taken.map((one) => one.key).sort()]);
    await client.query(
      `insert into outcomes (task_id, state, attempts) select id, 'cancelled', 0 from unnest($1::uuid[]) as t(id)`,
      [taken.map((one) => one.task_id)],
    );
    const revived = await reviveShared(client, run.seq, taken);
    const ended = await client.query<RunRow>(
      `update runs set status = 'cancelled', finished_at = now(), updated_at = now() where seq = $1 and status = 'running' returning ${RUN_COLUMNS}`,
      [run.seq],
    );
    const row = ended.rows[0];
    // The last result was recorded while we waited for locks: the run ended first, and nothing of ours may stay.
    if (!row) throw new AppError('not_cancellable', 'The run ended while it was being cancelled.');
    // What other runs still wait for is not this run's any more: a result that comes later is neither counted nor shown here. We hold the run's
    // row, so a task is either counted already or still live in the eyes of this statement.
    await client.query(
      'delete from run_tasks l using live v where l.run_seq = $1 and v.key = l.item_key and v.task_id = l.task_id',
      [run.seq],
    );
    // Of a crawl: what was found until now and not read.
    await client.query(
      `update crawl_pages set state = 'left_out', reason = 'cancelled' where run_seq = $1 and state in ('waiting', 'queued')`,
      [run.seq],
    );
    await tellEnded(client, [{ id: run.id, hasUrl: true }]);
    return {
      run: toRun(row),
      removed: taken.length - revived,
      running: leased.rows.map(({ task_id, attempt }) => ({ task_id, attempt })),
    };
  });
}

async function takeWaiting(client: Client, ids: string[]): Promise<Taken[]> {
  const { rows } = await client.query<Taken>(
    `with q as (select task_id from queue where task_id = any($1::uuid[]) order by task_id for update)
     delete from queue using q where queue.task_id = q.task_id returning queue.task_id, queue.key, queue.attempt`,
    [ids],
  );
  return rows;
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
    `with wanted as (
       select c.task_id, c.attempt from unnest($2::uuid[], $3::int[]) as c(task_id, attempt)
       where exists (${WANTED_BY_ANOTHER.replaceAll('TASK', 'c.task_id').replaceAll('RUN', '$1')})
     ), alive as (
       delete from outcomes using wanted where outcomes.task_id = wanted.task_id returning wanted.task_id, wanted.attempt
     ), claimed as (
       insert into live (key, task_id) select t.key, t.id from alive a join tasks t on t.id = a.task_id on conflict do nothing
     )
     insert into queue (task_id, key, run_seq, lane, line, band, turn, attempt)
     select t.id, t.key, t.run_seq, t.lane, t.source, case when (t.message->>'priority')::int <= 3 then 0 when (t.message->>'priority')::int <= 7 then 1 else 2 end,
            (extract(epoch from now()) * 1000)::bigint, a.attempt
     from alive a join tasks t on t.id = a.task_id`,
    [runSeq, taken.map((one) => one.task_id), taken.map((one) => one.attempt)],
  );
  return rowCount ?? 0;
}
