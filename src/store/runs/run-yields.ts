// What runs over job sites and companies brought, for the line that is logged at their end.
import type { Pool } from 'pg';
import { query } from '../postgres/pool.ts';
import { textArray } from '../postgres/text.ts';

export interface RunYield {
  sources: string[];
  postings: number;
}

export async function runYields(pool: Pool, runIds: string[]): Promise<Map<string, RunYield>> {
  const rows = await query<{ id: string; sources: string[]; postings: number }>(
    pool,
    `select r.id, array_agg(distinct t.source order by t.source) as sources,
            sum((select count(*) from task_items i where i.task_id = t.id))::int as postings
     from runs r join run_tasks l on l.run_seq = r.seq join tasks t on t.id = l.task_id
     where r.id = any($1::text[]) group by r.id`,
    [textArray(runIds)],
  );
  return new Map(rows.map(({ id, ...brought }) => [id, brought]));
}
