// How many of the items that match have each value: of country, source, skill and so on, the most frequent ones. Counting all matches of a broad search would read the
// whole table, so what is read is bounded: few matches are counted exactly, of many a sample is.
// What a reader would get wrong: keys are hashes, so items whose keys lie in a part of the key space are a fair sample of all, old and new, and the number of matches follows from
// how large the part is. The newest items would be no sample.
import type { Pool } from 'pg';
import { inTime } from '../postgres/in-time.ts';
import type { Client } from '../postgres/pool.ts';
import { estimateRows, tableRows } from './estimate.ts';
import { type Filter, type ItemList, whereOf } from './item-list.ts';

export interface FacetList extends Pick<ItemList<string>, 'table' | 'always'> {
  /** Labels of a row `p`, such as `country:US`. */
  labels: string;
}

export interface FacetOptions {
  /** Names of labels. */
  facets: readonly string[];
  /** Values of each. */
  limit: number;
  limitMs: number;
}

export interface FacetValue {
  facet: string;
  value: string;
  count: number;
}

export interface Facets {
  /** Items that match. */
  total: number;
  /** False: total and counts were concluded from a sample. */
  isExact: boolean;
  values: FacetValue[];
}

/** Estimated matches that are counted one by one; it may be that there are some more. */
const COUNTED = 30_000;
const COUNTED_MAX = 2 * COUNTED;
/** Matches that a sample should have, and rows that are read for it. */
const SAMPLED = 20_000;
const READ_MAX = 60_000;

export async function countFacets(pool: Pool, list: FacetList, filter: Filter, options: FacetOptions): Promise<Facets> {
  const values: unknown[] = [];
  const where = whereOf([
    ...(list.always ? [list.always] : []),
    ...filter.conditions((value) => `$${values.push(value)}`),
  ]);
  const [matching, rows] = await Promise.all([
    estimateRows(pool, `${list.table} p ${where}`, values),
    tableRows(pool, list.table),
  ]);
  return inTime(pool, options.limitMs, async (client) => {
    if (matching <= COUNTED || rows <= READ_MAX) {
      const exact = await countLabels(client, list, filter, options, { most: COUNTED_MAX + 1 });
      if (exact.total <= COUNTED_MAX) return { ...exact, isExact: true };
    }
    const share = Math.min(1, SAMPLED / Math.max(matching, 1), READ_MAX / Math.max(rows, 1));
    const sample = await countLabels(client, list, filter, options, { share });
    const scaled = (count: number): number => Math.round(count / share);
    return {
      total: scaled(sample.total),
      isExact: share === 1,
      values: sample.values.map((one) => ({ ...one, count: scaled(one.count) })),
    };
  });
}

async function countLabels(
  client: Client,
  { table, labels, always }: FacetList,
  filter: Filter,
  { facets, limit }: FacetOptions,
  part: { most?: number; share?: number },
): Promise<Omit<Facets, 'isExact'>> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = [...(always ? [always] : []), ...filter.conditions(bind)];
  if (part.share !== undefined && part.share < 1) where.push(`p.key < ${bind(keyAt(part.share))}::uuid`);
  const { rows } = await client.query<FacetValue>(
    `with matches as materialized (select ${labels} as labels from ${table} p ${whereOf(where)} limit ${bind(part.most ?? null)}),
     counted as (
       select split_part(label, ':', 1) as facet, label, count(*)::int as count from matches, unnest(labels) as u(label)
       where split_part(label, ':', 1) = any(${bind(facets)}::text[]) group by label
     ), placed as (select *, row_number() over (partition by facet order by count desc, label) as place from counted)
     select '' as facet, '' as value, count(*)::int as count from matches
     union all (select facet, substr(label, length(facet) + 2), count from placed where place <= ${bind(limit)} order by facet, place)`,
    values,
  );
  return {
    total: rows.find(({ facet }) => facet === '')!.count,
    values: rows.filter(({ facet }) => facet !== ''),
  };
}

/** The key before which this share of all keys lies. */
export function keyAt(share: number): string {
  const first = Math.min(0xffff_ffff, Math.floor(share * 2 ** 32));
  return `${first.toString(16).padStart(8, '0')}-0000-0000-0000-000000000000`;
}
