// Prices of products over time: what was seen near a place, never two currencies together. Rows are written as carts are scraped and kept when those are gone.
import type { Pool } from 'pg';
import { toDecimal } from '../../model/product/money.ts';
import {
  type Counted,
  grouped,
  type Keyed,
  type Shares,
  type SpanOptions,
  type Spread,
  spreadColumns,
  spreadOf,
} from '../postings/posting-analytics.ts';

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

export async function pricesOver(
  pool: Pool,
  options: SpanOptions<PriceGroup> & { filter: PriceFilter },
): Promise<Counted<PriceLine>> {
  const { sources, product, q, seller, zipcode, currency } = options.filter;
  const { rows, isCut } = await grouped<PriceGroup, PriceLine & Shares>(pool, options, {
    table: 'prices',
    at: 'p.at',
    groups: PRICE_GROUPS,
    size: 'prices',
    where: (bind) => [
      ...(sources ? [`p.source = any(${bind(sources)}::text[])`] : []),
      ...(product === undefined ? [] : [`p.product = ${bind(product)}`]),
      ...(q === undefined ? [] : [`strpos(lower(p.title), lower(${bind(q)})) > 0`]),
      ...(seller === undefined ? [] : [`strpos(lower(p.seller), lower(${bind(seller)})) > 0`]),
      ...(zipcode === undefined ? [] : [`p.zipcode = ${bind(zipcode)}`]),
      ...(currency === undefined ? [] : [`p.currency = ${bind(currency)}`]),
    ],
    keys: ['p.currency as currency'],
    columns: `count(*)::int as prices, count(distinct p.product)::int as products, ${spreadColumns('p.price_minor::float8')}`,
  });
  // Medians between two prices are rounded to whole cents.
  return { isCut, rows: rows.map((row) => spreadOf(row, (minor) => toDecimal(Math.round(minor), row.currency))) };
}
