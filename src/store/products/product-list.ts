// Lists of products: one row an offer near a place, as it was last seen. They are written from the search results of carts, some seconds after those, and
// outlive them: a search result is what a cart gets for an hour, a product is what there was.
import type { Pool } from 'pg';
import { keyOf } from '../../model/ids.ts';
import type { Product } from '../../model/product/product.ts';
import { productName } from '../../model/product/product-name.ts';
import { type ProductView, productView } from '../../model/product/product-view.ts';
import { countFacets, type FacetList, type FacetOptions, type Facets } from '../items/facets.ts';
import type { Marks } from '../items/highlights.ts';
import {
  type Bind,
  byAmount,
  byTime,
  type Filter,
  hasWords,
  type ItemList,
  type ItemRow,
  type ListPlace,
  type ListQuery,
  labelsOf,
  phrase,
  search,
} from '../items/item-list.ts';
import { listPage } from '../items/ranked.ts';
import { type StreamQuery, streamItems } from '../items/stream.ts';
import { noteNames } from '../names/names.ts';
import { query, transaction } from '../postgres/pool.ts';
import { pgJson, pgText, plainArray, textArray } from '../postgres/text.ts';

export const PRODUCT_ORDERS = { scraped_at: byTime('scraped_at'), price: byAmount('p.price') };
export type ProductOrder = keyof typeof PRODUCT_ORDERS;

export interface ProductFilter {
  sources?: string[];
  /** Words of the seller's name, in their order. */
  seller?: string;
  /** Exactly one of these names. */
  sellers?: string[];
  zipcode?: string;
  currency?: string;
  minPrice?: number;
  maxPrice?: number;
  scrapedAfter?: string;
  scrapedBefore?: string;
  q?: string;
  /** Only the offers of one product. */
  groupId?: string;
}

/** Other offers of the same product, the cheapest first. */
export interface GroupOffer {
  source: string;
  seller: string | null;
  zipcode: string | null;
  price: number | null;
  currency: string | null;
  link: string | null;
}

export interface ListedProduct {
  at: ListPlace;
  /** What prices over time call it. */
  product: string;
  source: string;
  firstSeenAt: Date;
  view: ProductView;
  /** `id` is null until it was compared, and of an offer that says too little. */
  group: { id: string | null; offers: GroupOffer[] };
  marks?: Marks;
}

const PRODUCTS: ItemList<ProductOrder> & FacetList = {
  table: 'products',
  labels: 'product_labels(p.source, p.seller, p.zipcode, p.currency)',
  texts: { title: 'p.title', seller: 'p.seller' },
  columns: 'p.product, p.source, p.data, p.first_seen_at, p.group_id',
  orders: PRODUCT_ORDERS,
};

export type ProductListOptions = ProductFilter & ListQuery<ProductOrder | 'relevance'>;

export async function listProducts(pool: Pool, options: ProductListOptions): Promise<ListedProduct[]> {
  return listed(pool, await listPage<Row, ProductOrder>(pool, PRODUCTS, 'scraped_at', options, filterOf(options)));
}

/** All that match, a chunk at a time. */
export async function* streamProducts(
  pool: Pool,
  filter: ProductFilter,
  asked: StreamQuery<ProductOrder>,
): AsyncGenerator<ListedProduct[]> {
  for await (const rows of streamItems<Row, ProductOrder>(pool, PRODUCTS, asked, filterOf(filter)))
    yield await listed(pool, rows);
}

interface Row {
  product: string;
  source: string;
  data: ProductView;
  first_seen_at: Date;
  group_id: string | null;
}

async function listed(pool: Pool, rows: ItemRow<Row>[]): Promise<ListedProduct[]> {
  const offers = await offersOf(pool, [...new Set(rows.flatMap((row) => row.group_id ?? []))]);
  return rows.map(({ key, place, product, source, data, first_seen_at, group_id, marks }) => ({
    at: { value: place, key },
    product,
    source,
    firstSeenAt: first_seen_at,
    view: data,
    group: { id: group_id, offers: offers.get(group_id ?? '') ?? [] },
    ...(marks ? { marks } : {}),
  }));
}

/** Of a product that is sold near many places, the cheapest are shown. */
const OFFERS_SHOWN_MAX = 20;

async function offersOf(pool: Pool, groupIds: string[]): Promise<Map<string, GroupOffer[]>> {
  if (groupIds.length === 0) return new Map();
  const rows = await query<GroupOffer & { group_id: string }>(
    pool,
    `select g.id as group_id, m.source, m.seller, m.zipcode, m.price::float8, m.currency, m.link
     from unnest($1::uuid[]) as g(id) cross join lateral (
       select source, seller, zipcode, price, currency, data ->> 'link' as link, key from products where group_id = g.id
       order by price nulls last, key limit ${OFFERS_SHOWN_MAX}) m
     order by g.id, m.price nulls last, m.key`,
    [plainArray(groupIds)],
  );
  const groups = Map.groupBy(rows, ({ group_id }) => group_id);
  return new Map([...groups].map(([id, offers]) => [id, offers.map(({ group_id: _, ...offer }) => offer)]));
}

export const productFacets = (pool: Pool, filter: ProductFilter, options: FacetOptions): Promise<Facets> =>
  countFacets(pool, PRODUCTS, filterOf(filter), options);

const filterOf = (filter: ProductFilter): Filter => ({ q: filter.q, conditions: (bind) => conditions(filter, bind) });

function conditions(filter: ProductFilter, bind: Bind): string[] {
  const where: string[] = [];
  const { sources, seller, sellers, zipcode, currency, minPrice, maxPrice, scrapedAfter, scrapedBefore, q } = filter;
  const labels = labelsOf({ zipcode, currency });
  if (labels.length > 0) where.push(`${PRODUCTS.labels} @> ${bind(labels)}::text[]`);
  if (sources) where.push(`${PRODUCTS.labels} && ${bind(sources.map((name) => `source:${name}`))}::text[]`);
  if (sellers) where.push(`${PRODUCTS.labels} && ${bind(sellers.map((name) => `seller:${name}`))}::text[]`);
  if (seller !== undefined) where.push(hasWords('b', phrase(bind(pgText(seller)))));
  // The same expression as the index; products without a price are left out.
  if (minPrice !== undefined) where.push(`coalesce(p.price, -1) >= ${bind(minPrice)}`);
  if (maxPrice !== undefined) where.push(`coalesce(p.price, -1) between 0 and ${bind(maxPrice)}`);
  if (scrapedAfter !== undefined) where.push(`p.scraped_at >= ${bind(scrapedAfter)}::timestamptz`);
  if (scrapedBefore !== undefined) where.push(`p.scraped_at < ${bind(scrapedBefore)}::timestamptz`);
  if (filter.groupId !== undefined) where.push(`p.group_id = ${bind(filter.groupId)}::uuid`);
  if (q !== undefined) where.push(`p.search_vector @@ ${search(bind(pgText(q)))}`);
  return where;
}

/** What tells it from others, besides its title. */
const identityOf = ({ brand, size, condition, is_by_weight, ids }: Product) => ({
  brand,
  size,
  condition,
  is_by_weight,
  ids: ids.gtin === undefined ? {} : { gtin: ids.gtin },
});

interface SearchResult {
  key: string;
  task_id: string | null;
  attempt: number | null;
  products: Product[];
  origins_ids: (string | null)[] | null;
  scraped_at: Date;
}

export async function listNewProducts(pool: Pool, limit: number): Promise<number> {
  return transaction(pool, async (client) => {
    const { rows: results } = await client.query<SearchResult>(
      'select key, task_id, attempt, products, origins_ids, scraped_at from cart_search_results where listing_due order by key limit $1 for update skip locked',
      [limit],
    );
    if (results.length === 0) return 0;
    const byKey = new Map(
      results
        .toSorted((a, b) => a.scraped_at.getTime() - b.scraped_at.getTime())
        .flatMap(({ products, scraped_at, task_id: taskId, attempt, origins_ids: originsIds }) =>
          products.map((product, place) => {
            const name = productName(product);
            const key = keyOf(`product:${product.source}|${name}|${product.locality.requested ?? ''}`);
            const from = { taskId, attempt, origins: originsIds?.[place] ?? null };
            return [key, { key, name, product, view: productView(product), scrapedAt: scraped_at, ...from }] as const;
          }),
        ),
    );
    const offers = [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    const column = (pick: (offer: (typeof offers)[number]) => string | null): string =>
      textArray(offers.map((offer) => pgText(pick(offer))));
    await client.query(
      `insert into products (key, product, source, title, seller, zipcode, currency, price, data, scraped_at, task_id, attempt, origins_id, identity)
       select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::numeric[], $9::jsonb[], $10::timestamptz[],
         $11::uuid[], $12::smallint[], $13::bigint[], $14::jsonb[])
       on conflict (key) do update set title = excluded.title, seller = excluded.seller, currency = excluded.currency, price = excluded.price,
         data = excluded.data, scraped_at = excluded.scraped_at, task_id = excluded.task_id, attempt = excluded.attempt,
         origins_id = excluded.origins_id, identity = excluded.identity,
         match_due = products.match_due or products.title <> excluded.title or products.identity is distinct from excluded.identity where products.scraped_at <= excluded.scraped_at`,
      [
        plainArray(offers.map((offer) => offer.key)),
        column((offer) => offer.name),
        column((offer) => offer.product.source),
        column((offer) => offer.product.title),
        column((offer) => offer.product.seller.name),
        column((offer) => offer.product.locality.requested),
        column((offer) => offer.view.currency),
        plainArray(offers.map((offer) => offer.view.price)),
        textArray(offers.map((offer) => pgJson(offer.view))),
        textArray(offers.map((offer) => offer.scrapedAt.toISOString())),
        plainArray(offers.map((offer) => offer.taskId)),
        plainArray(offers.map((offer) => offer.attempt)),
        plainArray(offers.map((offer) => offer.origins)),
        textArray(offers.map((offer) => pgJson(identityOf(offer.product)))),
      ],
    );
    await noteNames(
      client,
      'seller',
      offers.map((offer) => offer.product.seller.name),
    );
    await client.query('update cart_search_results set listing_due = false where key = any($1::uuid[])', [
      results.map((result) => result.key),
    ]);
    return results.length;
  });
}
