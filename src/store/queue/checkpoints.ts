// How far an attempt has come, stored with the items it had found until then. The next attempt at the task gets it, and goes on there.
import type { Pool } from 'pg';
import { type Client, query } from '../postgres/pool.ts';
import { jsonList, pgJson, plainArray } from '../postgres/text.ts';

export interface ReachedCheckpoint {
  taskId: string;
  checkpoint: unknown;
}

/** A list of yesterday is another list. */
const KEPT = `interval '6 hours'`;

/** Of several for one task the last counts. */
export async function saveCheckpoints(client: Client, reached: readonly ReachedCheckpoint[]): Promise<void> {
  const byTask = [...new Map(reached.map((one) => [one.taskId, one])).values()];
  if (byTask.length === 0) return;
  await client.query(
    `insert into checkpoints (task_id, checkpoint)
     select * from rows from (unnest($1::uuid[]), json_array_elements($2::json)) as c(task_id, checkpoint) order by task_id
     on conflict (task_id) do update set checkpoint = excluded.checkpoint, reached_at = now()`,
    [plainArray(byTask.map((one) => one.taskId)), jsonList(byTask.map((one) => pgJson(one.checkpoint)))],
  );
}

/** As JSON, by task. */
export async function checkpointsOf(pool: Pool, taskIds: readonly string[]): Promise<Map<string, string>> {
  if (taskIds.length === 0) return new Map();
  const rows = await query<{ task_id: string; checkpoint: string }>(
    pool,
    `select task_id, checkpoint::text as checkpoint from checkpoints where task_id = any($1::uuid[]) and reached_at > now() - ${KEPT}`,
    [plainArray(taskIds)],
  );
  return new Map(rows.map((row) => [row.task_id, row.checkpoint]));
}
