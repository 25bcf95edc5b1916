// The words of a search in the texts of one page of items. PostgreSQL says which words have the same stem as those that are searched for; the texts are cut and marked
// here (model/search/highlight.ts).
// What a reader would get wrong: ts_headline would do all of it, and is not safe. With a phrase of four words and 20 kB of text made for it, it took 20 GB of memory and its
// server with it; texts are of pages, and the search of whoever asks.
import type { Pool } from 'pg';
import { highlighted, wordsLike } from '../../model/search/highlight.ts';
import { query } from '../postgres/pool.ts';
import { pgText } from '../postgres/text.ts';

/** Field → HTML, of the fields that have a word of the search. */
export type Marks = Record<string, string>;

/** Of a text: words further on are found, but not shown. */
export const SHOWN_CHARS = 20_000;
/** Different words of a page that are looked up. */
const LOOKED_UP_MAX = 20_000;

export async function marksOf(
  pool: Pool,
  names: readonly string[],
  items: readonly (readonly (string | null)[])[],
  q: string,
): Promise<Marks[]> {
  const [parsed] = await query<{ words: string }>(pool, `select websearch_to_tsquery('english', $1)::text as words`, [
    pgText(q),
  ]);
  const stems = stemsOf(parsed!.words);
  const like = new Set(items.flat().flatMap((text) => (text === null ? [] : wordsLike(text, stems))));
  const found = await query<{ word: string }>(
    pool,
    `select word from unnest($1::text[]) as w(word) where ts_lexize('english_stem', word) && $2::text[]`,
    [[...like].slice(0, LOOKED_UP_MAX), stems],
  );
  const words = new Set(found.map(({ word }) => word));
  return items.map((texts) => {
    const marks: Marks = {};
    for (const [index, name] of names.entries()) {
      const html = highlighted(texts[index] ?? '', words);
      if (html !== null) marks[name] = html;
    }
    return marks;
  });
}

/** Of a tsquery as PostgreSQL writes it, without those that must not be there: `'kafka' & !( 'old' <-> 'job' )`. */
export function stemsOf(tsquery: string): string[] {
  const stems: string[] = [];
  let depth = 0;
  /** The depth at which "not" ends. */
  let notUntil: number | null = null;
  let isNot = false;
  for (const [token, quoted] of tsquery.matchAll(/'((?:[^']|'')*)'|[!()]/g)) {
    if (token === '!') isNot = true;
    else if (token === '(') {
      if (isNot) notUntil ??= depth;
      isNot = false;
      depth += 1;
    } else if (token === ')') {
      depth -= 1;
      if (notUntil === depth) notUntil = null;
    } else {
      if (!isNot && notUntil === null) stems.push(quoted!.replaceAll("''", "'").replaceAll('\\\\', '\\'));
      isNot = false;
    }
  }
  return stems;
}
