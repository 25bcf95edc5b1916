// How the sources have been doing lately.
import type { Pool } from 'pg';
import { query } from '../postgres/pool.ts';

export interface SourceStats {
  source: string;
  done: number;
  failed: number;
}

export const SOURCE_STATS = `
  select t.source, count(*) filter (where o.state = 'done')::int as done, count(*) filter (where o.state = 'failed')::int as failed
  from outcomes o join tasks t on t.id = o.task_id where o.finished_at > now() - make_interval(mins => $1) group by 1`;

export async function sourceStats(pool: Pool, minutes: number): Promise<SourceStats[]> {
  return query<SourceStats & Record<string, unknown>>(pool, SOURCE_STATS, [minutes]);
}
