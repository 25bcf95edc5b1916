// Prices of products over time: what was seen near a place, never two currencies together. Rows are written as carts are scraped and kept when those are gone.
import type { Pool } from 'pg';
import { toDecimal } from '../../model/product/money.ts';
import { type Spread, withSpread } from '../postings/posting-analytics.ts';
import { PRICES } from '../rollups/cells.ts';
import { type Counted, cellsWith, grouped, type Keyed, type SpanOptions } from '../rollups/grouped.ts';

/** What prices can be grouped by, and the column. */
export const PRICE_GROUPS = {
  source: 'p.source',
  seller: 'p.seller',
  zipcode: 'p.zipcode',
  product: 'p.product',
} as const;
export type PriceGroup = keyof typeof PRICE_GROUPS;

export interface PriceFilter {
  sources?: readonly string[] | undefined;
  product?: string | undefined;
  /** A part of the title. */
  q?: string | undefined;
  seller?: string | undefined;
  zipcode?: string | undefined;
  currency?: string | undefined;
}

export interface PriceLine extends Keyed, Spread {
  prices: number;
  products: number;
}

interface PriceRow extends Keyed {
  currency: string;
  prices: number;
  products: number;
  spread: number[];
}

export async function pricesOver(
  pool: Pool,
  options: SpanOptions<PriceGroup> & { filter: PriceFilter },
): Promise<Counted<PriceLine>> {
  const { sources, product, q, seller, zipcode, currency } = options.filter;
  const isPlain = product === undefined && q === undefined && seller === undefined && (sources?.length ?? 1) === 1;
  const cells = isPlain ? cellsWith(PRICES, options.groups, { source: sources?.[0], zipcode }) : null;
  const { rows, ...counted } = await grouped<PriceGroup, PriceRow>(pool, options, {
    table: 'prices p',
    at: 'p.at',
    groups: PRICE_GROUPS,
    where: (bind) => [
      ...(sources ? [`p.source = any(${bind(sources)}::text[])`] : []),
      ...(product === undefined ? [] : [`p.product = ${bind(product)}`]),
      ...(q === undefined ? [] : [`strpos(lower(p.title), lower(${bind(q)})) > 0`]),
      ...(seller === undefined ? [] : [`strpos(lower(p.seller), lower(${bind(seller)})) > 0`]),
      ...(zipcode === undefined ? [] : [`p.zipcode = ${bind(zipcode)}`]),
      ...(currency === undefined ? [] : [`p.currency = ${bind(currency)}`]),
    ],
    columns: { prices: ['count(*)::int', 'c.n'], products: ['count(distinct p.product)::int', 'c.products'] },
    amount: 'p.price_minor::float8',
    cells: cells && currency !== undefined ? { ...cells, equal: [...cells.equal, ['c.currency', currency]] } : cells,
  });
  // Medians between two prices are rounded to whole cents.
  return {
    ...counted,
    rows: rows.map((row) => withSpread(row, (minor) => toDecimal(Math.round(minor), row.currency))),
  };
}
