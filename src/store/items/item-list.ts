// Pages of items, the same for every kind: filtered, sorted, from the end of the previous page. The cursor is the sort value and the key of the item, so
// that a page begins exactly after the last one even if many items have the same value.
import type { Pool } from 'pg';
import { query } from '../postgres/pool.ts';

/** What a list can be sorted by: an expression over the table as `p` without nulls, and the same as text for a cursor. */
export interface ListOrder {
  by: string;
  type: 'timestamptz' | 'numeric';
  text: string;
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
}

/** A parameter of the statement; returns its name in it. */
export type Bind = (value: unknown) => string;

export interface ItemList<O extends string> {
  table: string;
  columns: string;
  orders: Record<O, ListOrder>;
}

export async function itemPage<R extends object, O extends string>(
  pool: Pool,
  list: ItemList<O>,
  listQuery: ListQuery<O>,
  conditions: (bind: Bind) => string[],
): Promise<(R & { key: string; place: string })[]> {
  const { by, type, text } = list.orders[listQuery.order];
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const where = conditions(bind);
  if (listQuery.after) {
    const { value, key } = listQuery.after;
    where.push(`(${by}, p.key) ${listQuery.descending ? '<' : '>'} (${bind(value)}::${type}, ${bind(key)}::uuid)`);
  }
  const direction = listQuery.descending ? 'desc' : 'asc';
  return query(
    pool,
    `select p.key, ${text} as place, ${list.columns} from ${list.table} p
     ${where.length > 0 ? `where ${where.join(' and ')}` : ''}
     order by ${by} ${direction}, p.key ${direction} limit ${bind(listQuery.limit)}`,
    values,
  );
}

/** To the microsecond: a cursor must tell apart what one transaction wrote in one millisecond. */
const utcText = (time: string): string => `to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

export const byTime = (column: string): ListOrder => ({
  by: column,
  type: 'timestamptz',
  text: utcText(column),
});

/** No amount sorts before all others. */
export const byAmount = (column: string): ListOrder => ({
  by: `coalesce(${column}, -1)`,
  type: 'numeric',
  text: `coalesce(${column}, -1)::text`,
});

/** The instant of a date that is kept as a page wrote it; no date sorts before all others. */
export const instantOf = (column: string): string => `coalesce(instant_of(${column}), '-infinity')`;

export const byWrittenDate = (column: string): ListOrder => ({
  by: instantOf(column),
  type: 'timestamptz',
  text: `coalesce(${utcText(`instant_of(${column})`)}, '-infinity')`,
});

/** A tsquery that holds in one field of the search vector: the first condition is what the index answers, the second leaves only those that have them there. */
export const hasWords = (weight: 'a' | 'b' | 'c', tsquery: string): string =>
  `(p.search_vector @@ ${tsquery} and ts_filter(p.search_vector, '{${weight}}') @@ ${tsquery})`;

/** How the words of a filter become a tsquery: a phrase as it is spelled, or as people write in a search box (words, "phrases", or, -without). */
export const phrase = (text: string): string => `phraseto_tsquery('simple', ${text})`;
export const search = (text: string): string => `websearch_to_tsquery('english', ${text})`;
