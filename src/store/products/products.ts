// Products: what one search of one item near one place found is kept as a whole, because carts want it as a whole and only for an hour.
// Each price is also a point in time, kept for longer.
import type { Product } from '../../model/product/product.ts';
import { productName } from '../../model/product/product-name.ts';
import type { ItemBatch } from '../items/items.ts';
import { NO_ORIGINS, type OriginIds } from '../items/origins.ts';
import type { Client } from '../postgres/pool.ts';
import { pgJson, pgText, plainArray, textArray } from '../postgres/text.ts';

interface SearchResult {
  taskId: string;
  attempt: number;
  isAnew: boolean;
  products: Product[];
  /** By the place of the product. */
  origins: (string | null)[];
}

export async function saveProducts(
  client: Client,
  itemBatches: ItemBatch<Product>[],
  originIds: OriginIds = NO_ORIGINS,
): Promise<void> {
  // A search that came in parts is one result. A first part begins it anew: it may be the second attempt's, after the first one's parts were kept.
  const results = new Map<string, SearchResult>();
  for (const batch of itemBatches) {
    const { key, taskId, attempt, part, items } = batch;
    const origins = items.map((_, place) => originIds(batch, place));
    const result = results.get(key);
    if (part > 1 && result?.taskId === taskId) {
      result.products.push(...items);
      result.origins.push(...origins);
    } else results.set(key, { taskId, attempt, isAnew: part === 1, products: [...items], origins });
  }
  const rows = [...results].sort(([a], [b]) => (a < b ? -1 : 1));
  await client.query({
    name: 'save-search-results',
    text: `insert into cart_search_results as r (key, task_id, products, attempt, origins_ids, scraped_at)
           select key, task_id, products, attempt, string_to_array(origins_ids, ',', '-')::bigint[], now()
           from unnest($1::uuid[], $2::uuid[], $3::jsonb[], $5::smallint[], $6::text[]) as s(key, task_id, products, attempt, origins_ids)
           on conflict (key) do update set
             products = case when r.task_id = excluded.task_id and not excluded.key = any($4::uuid[])
                             then r.products || excluded.products else excluded.products end,
             origins_ids = case when r.task_id = excluded.task_id and not excluded.key = any($4::uuid[])
                                then r.origins_ids || excluded.origins_ids else excluded.origins_ids end,
             attempt = excluded.attempt,
             task_id = excluded.task_id, scraped_at = excluded.scraped_at, listing_due = true`,
    values: [
      plainArray(rows.map(([key]) => key)),
      plainArray(rows.map(([, result]) => result.taskId)),
      textArray(rows.map(([, result]) => pgJson(result.products))),
      plainArray(rows.filter(([, result]) => result.isAnew).map(([key]) => key)),
      plainArray(rows.map(([, result]) => result.attempt)),
      // Lists in a list have to be equally long: texts have not.
      textArray(rows.map(([, result]) => result.origins.map((id) => id ?? '-').join(','))),
    ],
  });
  const priced = rows.flatMap(([, result]) => result.products.filter((product) => product.price !== null));
  if (priced.length === 0) return;
  await client.query({
    name: 'save-prices',
    text: `insert into prices (product, title, seller, zipcode, source, currency, price_minor)
           select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])`,
    values: [
      textArray(priced.map((product) => pgText(productName(product)))),
      textArray(priced.map((product) => pgText(product.title))),
      textArray(priced.map((product) => pgText(product.seller.name))),
      textArray(priced.map((product) => product.locality.requested)),
      textArray(priced.map((product) => product.source)),
      textArray(priced.map((product) => product.price!.currency)),
      plainArray(priced.map((product) => product.price!.amount_minor)),
    ],
  });
}
