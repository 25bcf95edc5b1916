// Search results with the best match first. Ranking reads the search vector of every item that it ranks, so it is bounded: the newest matches are ranked, as
// many as people ever page through, and not the million that may match.
// What a reader would get wrong: which items are ranked is decided for the first page and is part of the cursor. Otherwise items that are added meanwhile would push
// others out, and those would be on no page.
import type { Pool } from 'pg';
import { type Filter, type ItemList, type ItemRow, type ListOrder, type ListQuery, rowsOf } from './item-list.ts';
import { pageKeys, type RankedKey } from './page-keys.ts';

/** Matches that are ranked. */
export const RANKED_MAX = 1_000;

/** `rank newest oldest oldestKey`: of the last item, and the range of those that are ranked. */
const PLACE = /^(\S+) (\S+) (\S+) (\S+)$/;

/** A page in the order of the list, or with the best matches first. */
export async function listPage<R extends object, O extends string>(
  pool: Pool,
  list: ItemList<O>,
  newest: O,
  listQuery: ListQuery<O | 'relevance'>,
  filter: Filter,
): Promise<ItemRow<R>[]> {
  const { order, ...rest } = listQuery;
  if (order !== 'relevance') {
    const found = await pageKeys(pool, list, { ...rest, order }, filter);
    return rowsOf<R>(pool, list, found, rest.isHighlighted ? filter.q : undefined);
  }
  return filter.q === undefined ? [] : rankedPage<R, O>(pool, list, newest, rest, { ...filter, q: filter.q });
}

async function rankedPage<R extends object, O extends string>(
  pool: Pool,
  list: ItemList<O>,
  /** By time. */
  newest: O,
  { after, limit, isHighlighted }: Omit<ListQuery<O>, 'order'>,
  filter: Filter & { q: string },
): Promise<ItemRow<R>[]> {
  const order = list.orders[newest];
  const [, rank, upTo, from, fromKey] = (after && PLACE.exec(after.value)) ?? [];
  const ranked = upTo === undefined ? filter : withinRange(filter, order, { upTo, from: from!, fromKey: fromKey! });
  // Later than the first page the range is the limit: what was committed late in it pushes nothing out.
  const most = upTo === undefined ? RANKED_MAX : 2 * RANKED_MAX;
  const found = await pageKeys(
    pool,
    list,
    { order: newest, descending: true, after: null, limit: most },
    ranked,
    filter.q,
  );
  const last = found.at(-1);
  if (!last) return [];
  const range = upTo === undefined ? `${found[0]!.place} ${last.place} ${last.key}` : `${upTo} ${from} ${fromKey}`;
  const all = found.toSorted((a, b) => rankOf(b) - rankOf(a) || (a.key < b.key ? 1 : -1));
  const begin = after ? all.findIndex((one) => isBehind(one, Number(rank), after.key)) : 0;
  const page = begin < 0 ? [] : all.slice(begin, begin + limit);
  return rowsOf<R>(
    pool,
    list,
    page.map((one) => ({ key: one.key, place: `${rankOf(one)} ${range}` })),
    isHighlighted ? filter.q : undefined,
  );
}

const rankOf = ({ rank }: RankedKey): number => rank ?? 0;

const isBehind = (one: RankedKey, rank: number, key: string): boolean =>
  rankOf(one) < rank || (rankOf(one) === rank && one.key < key);

const withinRange = (
  filter: Filter,
  { by, type }: ListOrder,
  { upTo, from, fromKey }: { upTo: string; from: string; fromKey: string },
): Filter => ({
  ...filter,
  conditions: (bind) => [
    ...filter.conditions(bind),
    `${by} <= ${bind(upTo)}::${type}`,
    `(${by}, p.key) >= (${bind(from)}::${type}, ${bind(fromKey)}::uuid)`,
  ],
});
