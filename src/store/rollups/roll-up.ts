// Rolls up one bucket at a time, each in a transaction: takes the marks away, makes the cells of a bucket that is due anew from its rows, and notes it.
// What a reader would get wrong: all of it has to see the same rows, or a mark would be taken away whose row was not counted. So it is one snapshot, taken after
// the lock; a row that is committed later leaves its mark, and the bucket is due again.
import type { Pool } from 'pg';
import { type Client, transaction } from '../postgres/pool.ts';
import { amountCells, countCells, POSTINGS, PRICES } from './cells.ts';

export interface RollUpOptions {
  /** No further bucket is begun after this. */
  budgetMs: number;
  /** A bucket rests this many times as long as it took: one that changes all the time takes no more than its share. */
  rest: number;
}

const LIMIT_MS = '300000';
const COUNTS = countCells(POSTINGS);
const AMOUNTS = { postings: amountCells(POSTINGS), prices: amountCells(PRICES) };
const DIMS = [...new Set([...POSTINGS.dims, ...PRICES.dims])];

interface Due {
  kind: 'postings' | 'prices';
  unit: 'day' | 'week';
  from: Date;
  to: Date;
}

/** How many were rolled up. */
export async function rollUp(pool: Pool, { budgetMs, rest }: RollUpOptions): Promise<number> {
  const until = performance.now() + budgetMs;
  for (let rolled = 0; ; rolled++) if (!(await rollUpNext(pool, rest)) || performance.now() >= until) return rolled;
}

async function rollUpNext(pool: Pool, rest: number): Promise<boolean> {
  return transaction(pool, async (client) => {
    await client.query('set transaction isolation level repeatable read');
    await client.query('lock table rollup_buckets in share row exclusive mode');
    await client.query(`select set_config('statement_timeout', $1, true), set_config('work_mem', '64MB', true)`, [
      LIMIT_MS,
    ]);
    await client.query(`with marked as (delete from rollup_marks returning kind, day)
      insert into rollup_buckets (kind, unit, at) select distinct m.kind, u.unit, date_trunc(u.unit, m.day, 'UTC') from marked m, unnest(array['day', 'week']) u(unit)
      on conflict (kind, unit, at) do update set is_due = true where not rollup_buckets.is_due`);
    const { rows } = await client.query<Due>(
      `select kind, unit, at as "from", ((at at time zone 'utc') + ('1 ' || unit)::interval) at time zone 'utc' as "to" from rollup_buckets
       where is_due and (rolled_at is null or rolled_at + make_interval(secs => took_ms / 1000 * $1::float8) <= now())
       order by rolled_at is not null, at desc, unit limit 1`,
      [rest],
    );
    if (rows[0]) await roll(client, rows[0]);
    return rows.length > 0;
  });
}

async function roll(client: Client, { kind, unit, from, to }: Due): Promise<void> {
  const bucket = [kind, unit, from];
  if (kind === 'postings')
    await client.query('delete from posting_cells where unit = $1 and dims = any($2::text[]) and at = $3', [
      unit,
      DIMS,
      from,
    ]);
  await client.query('delete from amount_cells where kind = $1 and unit = $2 and dims = any($4::text[]) and at = $3', [
    ...bucket,
    DIMS,
  ]);
  if (kind === 'postings') await client.query(COUNTS, [from, to, unit]);
  await client.query(AMOUNTS[kind], [from, to, unit]);
  await client.query(
    `update rollup_buckets set is_due = false, rolled_at = now(), took_ms = extract(epoch from clock_timestamp() - now()) * 1000,
       rows = coalesce(case kind when 'prices' then (select sum(n)::int from amount_cells where kind = 'prices' and unit = $2 and dims = '' and at = $3)
         else (select postings from posting_cells where unit = $2 and dims = '' and at = $3) end, 0)
     where kind = $1 and unit = $2 and at = $3`,
    bucket,
  );
  // A bucket that is not there is read from the rows: there are none.
  await client.query('delete from rollup_buckets where kind = $1 and unit = $2 and at = $3 and rows = 0', bucket);
}
