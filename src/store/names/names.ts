// The names that items have, of companies, authors and sellers, each once: a name with a typo is compared with these, and never with all items. Names are noted behind
// recording, by the loops that list and group items, and forgotten when no item has had them for long.
// What a reader would get wrong: pg_trgm may be missing, or installed where our statements do not see it. Then names that begin with the same two letters are compared
// here, by the same measure, so the answers are nearly the same; a typo in the first two letters is not forgiven.
import type { Pool } from 'pg';
import { SIMILAR, similarity } from '../../model/search/similar-names.ts';
import { type Client, query, transaction } from '../postgres/pool.ts';
import { pgText, textArray } from '../postgres/text.ts';

export type NameKind = 'company' | 'author' | 'seller';

export interface SimilarNames {
  /** What found them. */
  using: 'pg_trgm' | 'first_letters';
  /** The most similar first. */
  names: string[];
}

/** As in labels, with the name of the kind before it. */
const NAME_CHARS = 190;
const SHOWN_MAX = 20;
/** Names with the same first letters that are compared. */
const COMPARED_MAX = 20_000;

const cutName = (name: string): string => [...pgText(name)].slice(0, NAME_CHARS).join('');

export async function noteNames(client: Client, kind: NameKind, names: Iterable<string | null>): Promise<void> {
  // Sorted, so that two that note the same names never wait for each other crosswise.
  const noted = [...new Set([...names].flatMap((name) => (name ? [cutName(name)] : [])))].sort();
  if (noted.length === 0) return;
  await client.query({
    name: 'note-names',
    text: `insert into item_names (kind, name) select $1, name from unnest($2::text[]) as n(name)
           on conflict (kind, name) do update set seen_on = current_date where item_names.seen_on < current_date`,
    values: [kind, textArray(noted)],
  });
}

export async function hasTrigrams(pool: Pool): Promise<boolean> {
  const rows = await query<{ has: boolean }>(pool, `select to_regproc('word_similarity') is not null as has`);
  return rows[0]!.has;
}

/** Names like this one, and the name itself if there is such. */
export async function similarNames(pool: Pool, kind: NameKind, asked: string): Promise<SimilarNames> {
  const name = cutName(asked.trim());
  if (await hasTrigrams(pool)) {
    return transaction(pool, async (client) => {
      await client.query(`set local pg_trgm.word_similarity_threshold = ${SIMILAR}`);
      const { rows } = await client.query<{ name: string }>(
        `select name from item_names where kind = $1 and $2 <% name
         order by word_similarity($2, name) desc, similarity($2, name) desc, name limit ${SHOWN_MAX}`,
        [kind, name],
      );
      return { using: 'pg_trgm', names: rows.map((row) => row.name) };
    });
  }
  const rows = await query<{ name: string }>(
    pool,
    `select name from item_names where kind = $1 and lower(left(name, 2)) = lower(left($2, 2)) order by name limit ${COMPARED_MAX}`,
    [kind, name],
  );
  const names = rows
    .map((row) => ({ name: row.name, like: similarity(name, row.name) }))
    .filter(({ like }) => like >= SIMILAR)
    .sort((a, b) => b.like - a.like || a.name.length - b.name.length)
    .slice(0, SHOWN_MAX);
  return { using: 'first_letters', names: names.map((one) => one.name) };
}

/** Names that have not been noted for so long; those of companies stay while a posting has them. */
export async function trimNames(pool: Pool, kind: NameKind, options: { days: number; batch: number }): Promise<number> {
  const rows = await query<{ n: number }>(
    pool,
    `with old as materialized (
       select o.name, $1 = 'company' and exists (select 1 from postings p where p.company = o.name) as stays
       from (select name from item_names where kind = $1 and seen_on < current_date - $2::int order by seen_on limit $3) o
     ), still as (
       update item_names n set seen_on = current_date from old where n.kind = $1 and n.name = old.name and old.stays
     ), gone as (
       delete from item_names n using old where n.kind = $1 and n.name = old.name and not old.stays returning 1
     ) select count(*)::int as n from gone`,
    [kind, options.days, options.batch],
  );
  return rows[0]!.n;
}
