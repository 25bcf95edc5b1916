// The keys of a page in the order of its list.
// What a reader would get wrong: PostgreSQL chooses between walking the order and asking an index by statistics, and where filters depend on each other (jobs in
// Japan that want German) it walks through the whole table. And asked by words, it reads every row that has them from the table, only to sort them by time. So the keys are found in
// bounded ways, from the cheapest on: the next rows in the order, where many match; the matches of the latest part of the table, found in two indexes; all matches.
import type { Pool } from 'pg';
import { query } from '../postgres/pool.ts';
import { pgText } from '../postgres/text.ts';
import { estimateRows, tableRows } from './estimate.ts';
import {
  type Bind,
  type Filter,
  type Found,
  type ItemList,
  type ListQuery,
  placeText,
  search,
  whereOf,
} from './item-list.ts';

/** Rows that are walked through in the order of the list, where that seems to be enough. */
const WALKED = 5_000;
/** More matches are looked for than a page has: they are not spread evenly. */
const SPARE = 1.5;
/** From this share of the table on nothing is saved by asking for a part of it. */
const PART_MAX = 0.3;
/** How much more is looked through next where a part had too few. */
const WIDER = 4;

export interface RankedKey extends Found {
  /** How well it matches the words; null where there are none. */
  rank: number | null;
}

/** The next items in the order of the list; `ranked`: by these words, and that makes no difference to the order. */
export async function pageKeys<O extends string>(
  pool: Pool,
  list: ItemList<O>,
  { order, descending, after, limit }: ListQuery<O>,
  filter: Filter,
  ranked?: string,
): Promise<RankedKey[]> {
  const { by, type, column } = list.orders[order];
  const direction = descending ? 'desc' : 'asc';
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const whole = list.always === undefined ? [] : [list.always];
  if (after)
    whole.push(`(${by}, p.key) ${descending ? '<' : '>'} (${bind(after.value)}::${type}, ${bind(after.key)}::uuid)`);
  const filters = filter.conditions(bind);
  const columns = `key, ${placeText('value', type)} as place, ${rankOf(ranked, bind)} as rank`;
  const size = bind(limit);
  const row = `p.key, ${by} as value, ${ranked === undefined ? 'null::tsvector' : 'p.search_vector'} as vector`;
  const inOrder = `order by value ${direction}, key ${direction}`;
  const byIndex = `order by ${by} ${direction}, p.key ${direction}`;
  if (filters.length === 0)
    return query<RankedKey>(
      pool,
      `select ${columns} from (select ${row} from ${list.table} p ${whereOf(whole)} ${byIndex} limit ${size}) m ${inOrder}`,
      values,
    );
  const { matching, rows, bounds } = await sizesOf(pool, list, filter, descending ? column : undefined);
  if (matching > (rows * limit) / WALKED) {
    const near = await query<RankedKey>(
      pool,
      `select ${columns} from (
         select ${row} from (select * from ${list.table} p ${whereOf(whole)} ${byIndex} limit ${WALKED}) p ${whereOf(filters)} ${byIndex} limit ${size}
       ) m ${inOrder}`,
      values,
    );
    if (near.length >= limit) return near;
  }
  /** Sorted apart from the table (`offset 0`), so that its order cannot be walked. */
  const matchesOf = (part: readonly string[], given: readonly unknown[]): Promise<RankedKey[]> =>
    query<RankedKey>(
      pool,
      `select ${columns} from (
         select * from (select ${row} from ${list.table} p ${whereOf([...whole, ...part, ...filters])} offset 0) m ${inOrder} limit ${size}
       ) m ${inOrder}`,
      [...values, ...given],
    );
  for (let part = (SPARE * limit) / Math.max(matching, 1); part < PART_MAX; part *= WIDER) {
    const start = startOf(bounds, part, after?.value ?? null);
    if (start === null) break;
    const latest = await matchesOf([`${by} >= $${values.length + 1}::timestamptz`], [start]);
    if (latest.length >= limit) return latest;
  }
  return matchesOf([], []);
}

/** Words in the title count most; a long text does not win by its length. */
const rankOf = (q: string | undefined, bind: Bind): string =>
  q === undefined ? 'null::float8' : `ts_rank(vector, ${search(bind(pgText(q)))}, 1)::float8`;

interface Sizes {
  /** Rows that match, and all rows, as far as the statistics of the table tell. */
  matching: number;
  rows: number;
  /** Values of the column that divide all rows into equal parts, oldest first; none before the first ANALYZE. */
  bounds: string[];
}

async function sizesOf(pool: Pool, list: ItemList<string>, filter: Filter, column: string | undefined): Promise<Sizes> {
  const values: unknown[] = [];
  const where = whereOf(filter.conditions((value) => `$${values.push(value)}`));
  const [matching, rows, bounds] = await Promise.all([
    estimateRows(pool, `${list.table} p ${where}`, values),
    tableRows(pool, list.table),
    column === undefined ? [] : boundsOf(pool, list.table, column),
  ]);
  return { matching, rows, bounds };
}

async function boundsOf(pool: Pool, table: string, column: string): Promise<string[]> {
  const [row] = await query<{ bounds: string[] | null }>(
    pool,
    `select histogram_bounds::text::text[] as bounds from pg_stats where schemaname = 'windrow' and tablename = $1 and attname = $2`,
    [table, column],
  );
  return row?.bounds ?? [];
}

/** From when on about this share of the rows is, or of all rows before the time; null: further back than the statistics reach. */
function startOf(bounds: readonly string[], part: number, before: string | null): string | null {
  const from =
    before === null ? bounds.length - 1 : bounds.findLastIndex((bound) => new Date(bound) <= new Date(before));
  const place = from - Math.ceil(part * (bounds.length - 1));
  return place > 0 ? bounds[place]! : null;
}
