// Pages of items, the same for every kind: filtered, sorted, from the end of the previous page. The cursor is the sort value and the key of the item, so
// that a page begins exactly after the last one even if many items have the same value, and nothing is skipped or shown twice while items are added.
// First the keys of a page are found (page-keys.ts), and only then are its rows read.
import type { Pool } from 'pg';
import { query } from '../postgres/pool.ts';
import { pgText } from '../postgres/text.ts';
import { type Marks, marksOf, SHOWN_CHARS } from './highlights.ts';

/** What a list can be sorted by: an expression over the table as `p`, without nulls. */
export interface ListOrder {
  by: string;
  type: 'timestamptz' | 'numeric';
  /** The column that it is, where it is one: PostgreSQL knows how its values are spread. */
  column?: string;
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

export const byTime = (column: string): ListOrder => ({ by: `p.${column}`, type: 'timestamptz', column });

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
