// Pages of items, the same for every kind: filtered, sorted, from the end of the previous page. The cursor is the sort value and the key of the item, so
// that a page begins exactly after the last one even if many items have the same value, and nothing is skipped or shown twice while items are added.
// What a reader would get wrong: PostgreSQL chooses between walking the order and asking an index by statistics, and where filters depend on each other (jobs in
// Japan that want German) it walks through the whole table. So the keys of a page are found in two bounded ways, and only then are its rows read.
import type { Pool } from 'pg';
import { query } from '../postgres/pool.ts';
import { pgText } from '../postgres/text.ts';
import { estimateRows, tableRows } from './estimate.ts';
import { type Marks, marksOf, SHOWN_CHARS } from './highlights.ts';

/** What a list can be sorted by: an expression over the table as `p`, without nulls. */
export interface ListOrder {
  by: string;
  type: 'timestamptz' | 'numeric';
}

export interface ListPlace {
  value: string;
  key: string;
}

export interface ListQuery<O extends string> {
  order: O;
  descending: boolean;
  after: ListPlace | null;
  limit: number;
  /** Shows where the words of `q` are. */
  isHighlighted?: boolean;
}

/** A parameter of the statement; returns its name in it. */
export type Bind = (value: unknown) => string;

export interface ItemList<O extends string> {
  table: string;
  columns: string;
  orders: Record<O, ListOrder>;
  /** What holds for all rows that are listed; the indexes of the list say it too. */
  always?: string;
  /** What is searched, and shown with the words that were found. */
  texts: Readonly<Record<string, string>>;
}

/** What selects rows: conditions over the table as `p`, and the words that are searched for. */
export interface Filter {
  conditions(bind: Bind): string[];
  q: string | undefined;
}

export interface Found {
  key: string;
  place: string;
}

export type ItemRow<R> = R & Found & { marks?: Marks };

/** Rows that are walked through in the order of the list, where that seems to be enough. */
const WALKED = 5_000;

export async function itemPage<R extends object, O extends string>(
  pool: Pool,
  list: ItemList<O>,
  listQuery: ListQuery<O>,
  filter: Filter,
): Promise<ItemRow<R>[]> {
  const found = await pageKeys(pool, list, listQuery, filter);
  return rowsOf<R>(pool, list, found, listQuery.isHighlighted ? filter.q : undefined);
}

/** The next items in the order of the list. */
export async function pageKeys<O extends string>(
  pool: Pool,
  list: ItemList<O>,
  { order, descending, after, limit }: ListQuery<O>,
  filter: Filter,
  walked = WALKED,
): Promise<Found[]> {
  const { by, type } = list.orders[order];
  const direction = descending ? 'desc' : 'asc';
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const whole = list.always === undefined ? [] : [list.always];
  if (after)
    whole.push(`(${by}, p.key) ${descending ? '<' : '>'} (${bind(after.value)}::${type}, ${bind(after.key)}::uuid)`);
  const filters = filter.conditions(bind);
  const size = bind(limit);
  const order_ = `order by ${by} ${direction}, p.key ${direction}`;
  if (filters.length === 0)
    return query<Found>(
      pool,
      `select p.key, ${placeText(by, type)} as place from ${list.table} p ${whereOf(whole)} ${order_} limit ${size}`,
      values,
    );
  const isDense = await seemsDense(pool, list, filter, limit / walked);
  if (isDense) {
    const near = await query<Found>(
      pool,
      `select p.key, ${placeText(by, type)} as place from (select * from ${list.table} p ${whereOf(whole)} ${order_} limit ${bind(walked)}) p
       ${whereOf(filters)} ${order_} limit ${size}`,
      values,
    );
    if (near.length >= limit) return near;
    values.pop();
  }
  // Sorted apart from the table, so that its order cannot be walked.
  return query<Found>(
    pool,
    `with matches as materialized (select p.key, ${by} as value from ${list.table} p ${whereOf([...whole, ...filters])})
     select key, ${placeText('value', type)} as place from matches order by value ${direction}, key ${direction} limit ${size}`,
    values,
  );
}

/** Whether so large a share of the table matches, as far as its statistics tell. */
async function seemsDense<O extends string>(
  pool: Pool,
  list: ItemList<O>,
  filter: Filter,
  share: number,
): Promise<boolean> {
  const values: unknown[] = [];
  const where = whereOf(filter.conditions((value) => `$${values.push(value)}`));
  const [matching, rows] = await Promise.all([
    estimateRows(pool, `${list.table} p ${where}`, values),
    tableRows(pool, list.table),
  ]);
  return matching > rows * share;
}

/** In the order in which they were found; one that has been deleted since is left out. */
export async function rowsOf<R extends object>(
  pool: Pool,
  list: ItemList<string>,
  found: readonly Found[],
  q: string | undefined,
): Promise<ItemRow<R>[]> {
  if (found.length === 0) return [];
  // Highlights are made for the items of a page, from texts of bounded length.
  const texts = Object.values(list.texts).map((text) => `left(${text}, ${SHOWN_CHARS})`);
  const rows = await query<{ key: string; texts: (string | null)[] }>(
    pool,
    `select p.key, ${q === undefined ? 'null::text[]' : `array[${texts.join(', ')}]`} as texts, ${list.columns}
     from ${list.table} p where p.key = any($1::uuid[])`,
    [found.map(({ key }) => key)],
  );
  const marks =
    q === undefined
      ? undefined
      : await marksOf(
          pool,
          Object.keys(list.texts),
          rows.map((row) => row.texts),
          q,
        );
  const byKey = new Map(
    rows.map(({ texts: _, ...row }, index) => [
      row.key,
      { row: row as unknown as R & { key: string }, marks: marks?.[index] },
    ]),
  );
  return found.flatMap(({ key, place }) => {
    const one = byKey.get(key);
    return one ? [{ ...one.row, place, ...(one.marks ? { marks: one.marks } : {}) }] : [];
  });
}

/** The labels that an item has to have; what is not asked for is left out. */
export const labelsOf = (values: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${pgText(value)}`]));

export const whereOf = (conditions: readonly string[]): string =>
  conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';

/** To the microsecond: a cursor must tell apart what one transaction wrote in one millisecond. */
export const utcText = (time: string): string =>
  `case when isfinite(${time}) then to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') else '-infinity' end`;

/** A sort value as the text of a cursor. */
export const placeText = (value: string, type: ListOrder['type']): string =>
  type === 'numeric' ? `(${value})::text` : utcText(value);

export const byTime = (column: string): ListOrder => ({ by: column, type: 'timestamptz' });

/** No amount sorts before all others. */
export const byAmount = (column: string): ListOrder => ({ by: `coalesce(${column}, -1)`, type: 'numeric' });

/** The instant of a date that is kept as a page wrote it; no date sorts before all others. */
export const instantOf = (column: string): string => `coalesce(instant_of(${column}), '-infinity')`;

export const byWrittenDate = (column: string): ListOrder => ({ by: instantOf(column), type: 'timestamptz' });

/** A tsquery that holds in one field of the search vector: the first condition is what the index answers, the second leaves only those that have them there. */
export const hasWords = (weight: 'a' | 'b' | 'c', tsquery: string): string =>
  `(p.search_vector @@ ${tsquery} and ts_filter(p.search_vector, '{${weight}}') @@ ${tsquery})`;

/** How the words of a filter become a tsquery: a phrase as it is spelled, or as people write in a search box (words, "phrases", or, -without). */
export const phrase = (text: string): string => `phraseto_tsquery('simple', ${text})`;
export const search = (text: string): string => `websearch_to_tsquery('english', ${text})`;
