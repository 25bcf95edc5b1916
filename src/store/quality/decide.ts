// A person's decision about what is kept apart, or about what only looked wrong: accepted, it is stored and is what later runs are compared with; rejected, it
// is gone. Either way once.
import type { Pool } from 'pg';
import type { Item, Kind } from '../../model/item/item.ts';
import { saveItems } from '../items/items.ts';
import { type Client, transaction } from '../postgres/pool.ts';
import { plainArray } from '../postgres/text.ts';
import { CHECKS_OF_RUNS } from './quality-list.ts';

export interface Decision {
  runId: string;
  decision: 'accepted' | 'rejected';
}

export interface Decided {
  checks: number;
  items: number;
}

/** Returns how many checks were open, and how many items were stored or dropped. */
export function decideQuality(pool: Pool, { runId, decision }: Decision): Promise<Decided> {
  return transaction(pool, async (client) => {
    const { rows } = await client.query<{ id: string; stream: string; task_id: string | null }>(
      `select c.id, c.stream, c.task_id from quality_checks c
       where c.id in (select check_id from ${CHECKS_OF_RUNS} x) and c.verdict = 'suspect' and (c.state is null or c.state = 'held')
       order by c.id for update of c`,
      [[runId]],
    );
    if (rows.length === 0) return { checks: 0, items: 0 };
    const ids = plainArray(rows.map((row) => row.id));
    const batches = await takeHeld(
      client,
      rows.flatMap((row) => row.task_id ?? []),
    );
    if (decision === 'accepted') {
      await saveItems(client, batches);
      // This is how it is from now on: what was before is no longer compared with.
      await client.query(
        `update quality_checks q set counts = false from quality_checks c
         where c.id = any($1::bigint[]) and q.stream = c.stream and q.id < c.id and q.counts`,
        [ids],
      );
    }
    await client.query(
      `update quality_checks set state = $2, counts = $2 = 'accepted', decided_at = now() where id = any($1::bigint[])`,
      [ids, decision],
    );
    return { checks: rows.length, items: batches.reduce((sum, batch) => sum + batch.items.length, 0) };
  });
}

interface HeldRow {
  task_id: string;
  attempt: number;
  part: number;
  kind: Kind;
  source: string;
  key: string;
  items: Item[];
}

/** In the order in which they came. */
async function takeHeld(client: Client, taskIds: readonly string[]) {
  const { rows } = await client.query<HeldRow>(
    'delete from held_items where task_id = any($1::uuid[]) returning task_id, attempt, part, kind, source, key, items',
    [plainArray(taskIds)],
  );
  return rows
    .sort((a, b) => a.attempt - b.attempt || a.part - b.part)
    .map(({ task_id: taskId, ...row }) => ({ taskId, ...row }));
}
