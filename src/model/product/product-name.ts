// What a product is called by those who look for it again: the id that says most, under its name. The same for the same offer tomorrow, whatever order
// its ids are kept in.
import { keyOf } from '../ids.ts';
import type { Product } from './product.ts';

/** Ids that name a product rather than an offer of it come first. */
const ID_ORDER = ['google_gid', 'google_cid', 'google_oid', 'gtin', 'sku'];

export function mainId(ids: Product['ids']): { name: string; id: string } | null {
  const name = ID_ORDER.find((one) => ids[one] !== undefined) ?? Object.keys(ids).sort()[0];
  return name === undefined ? null : { name, id: ids[name]! };
}

export function productName({ ids, title, seller }: Pick<Product, 'ids' | 'title' | 'seller'>): string {
  const main = mainId(ids);
  return main === null ? keyOf(`${title}|${seller.name ?? ''}`) : `${main.name}:${main.id}`;
}
