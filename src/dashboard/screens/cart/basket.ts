// What a whole basket costs at each store, and products in the order a shopper wants them. Pure.
import type { Schemas } from '../../../client/routes.generated.ts';

export type Product = Schemas['Product'];
export type Found = Readonly<Record<string, readonly Product[]>>;

/** By unit price where there is one, then by price: what has no price at all is last. */
export function byUnitPrice(a: Product, b: Product): number {
  return (
    (a.unit_price ?? Number.POSITIVE_INFINITY) - (b.unit_price ?? Number.POSITIVE_INFINITY) ||
    (a.price ?? Number.POSITIVE_INFINITY) - (b.price ?? Number.POSITIVE_INFINITY) ||
    a.title.localeCompare(b.title)
  );
}

/** What other stores want for the same product, the cheapest first, each store once. */
export function elsewhere(product: Product, all: readonly Product[]): Product[] {
  if (!product.same_as) return [];
  const best = new Map<string, Product>();
  for (const one of all) {
    if (one.same_as !== product.same_as || one.currency !== product.currency) continue;
    if (!one.seller || one.price === null || one.seller === product.seller) continue;
    const known = best.get(one.seller);
    if (known === undefined || one.price < known.price!) best.set(one.seller, one);
  }
  return [...best.values()].toSorted((a, b) => a.price! - b.price!);
}

export interface Basket {
  seller: string;
  currency: string;
  total: number;
  /** Item → its cheapest product there. */
  picks: ReadonlyMap<string, Product>;
  missing: readonly string[];
}

/** The cheapest basket of each store; the fullest first, of equally full ones the cheapest. Currencies are not mixed. */
export function baskets(found: Found): Basket[] {
  const items = Object.keys(found);
  const byStore = new Map<string, Map<string, Product>>();
  for (const [item, products] of Object.entries(found))
    for (const product of products) {
      const { seller, price, currency } = product;
      if (!seller || price === null || !currency) continue;
      const key = `${currency} ${seller}`;
      const picks = byStore.get(key) ?? new Map<string, Product>();
      byStore.set(key, picks);
      const best = picks.get(item);
      if (best === undefined || price < best.price!) picks.set(item, product);
    }
  return [...byStore]
    .map(([key, picks]) => ({
      seller: key.slice(4),
      currency: key.slice(0, 3),
      total: [...picks.values()].reduce((sum, { price }) => sum + price!, 0),
      picks,
      missing: items.filter((item) => !picks.has(item)),
    }))
    .toSorted((a, b) => a.missing.length - b.missing.length || a.total - b.total);
}
