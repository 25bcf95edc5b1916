// How many rows there are, as PostgreSQL estimates it from its statistics: in about a millisecond, whatever the size of the table.
import type { Pool } from 'pg';
import { query } from '../postgres/pool.ts';

/** Of `from …` with its conditions. */
export async function estimateRows(pool: Pool, from: string, values: unknown[]): Promise<number> {
  const rows = await query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    pool,
    `explain (format json) select 1 from ${from}`,
    values,
  );
  return rows[0]!['QUERY PLAN'][0].Plan['Plan Rows'];
}

/** Of a whole table. Before the first ANALYZE, which comes within a minute of the first thousands of rows, there are none. */
export async function tableRows(pool: Pool, table: string): Promise<number> {
  const rows = await query<{ rows: number }>(
    pool,
    'select greatest(reltuples, 0)::float8 as rows from pg_class where oid = $1::regclass',
    [table],
  );
  return rows[0]!.rows;
}
