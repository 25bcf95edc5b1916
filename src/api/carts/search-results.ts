// What was found for an item near a place, ready to be sent: each search result is read and written out once for all the carts it is in, and carts are put together
// from these texts. Reading whole carts instead costs most of a processor when thousands poll.
import { AppError } from '../../model/errors.ts';
import { productView } from '../../model/product/product-view.ts';
import { limitOf } from '../../observe/cached.ts';
import type { Cart } from '../../store/products/carts.ts';
import type { CartStore } from '../../store/products/product-store.ts';

/** By key; one JSON text a product. */
export type SearchResults = Map<string, readonly string[]>;

interface Kept {
  version: string;
  products: readonly string[];
  chars: number;
}

const LIMIT_MS = 10_000;
const KEPT_CHARS = 64 * 1024 ** 2;
/** Readings under way; with more, the next ones would wait longer than their callers. */
const READS_MAX = 500;

export function createSearchResults(
  store: Pick<CartStore, 'getSearchResults'>,
): (cart: Cart) => Promise<SearchResults> {
  const limited = limitOf(LIMIT_MS, 'The store');
  const kept = new Map<string, Kept>();
  let chars = 0;
  let reads = 0;

  function keep(key: string, result: Kept): void {
    chars += result.chars - (kept.get(key)?.chars ?? 0);
    kept.delete(key);
    kept.set(key, result);
    for (const [oldest, { chars: size }] of kept) {
      if (chars <= KEPT_CHARS) break;
      kept.delete(oldest);
      chars -= size;
    }
  }

  async function readMissing(keys: string[], found: SearchResults): Promise<void> {
    if (reads >= READS_MAX)
      throw new AppError('unavailable', 'Too many carts are being read; try again.', { retryAfterMs: 2_000 });
    reads++;
    try {
      for (const { key, version, products } of await limited(store.getSearchResults(keys))) {
        const texts = products.map((product) => JSON.stringify(productView(product)));
        found.set(key, texts);
        keep(key, { version, products: texts, chars: texts.reduce((sum, text) => sum + text.length, 0) });
      }
    } finally {
      reads--;
    }
  }

  return async (cart) => {
    const found: SearchResults = new Map();
    const missing = new Set<string>();
    for (const { key, version } of cart.entries) {
      if (version === null) continue;
      const known = kept.get(key);
      if (known?.version === version) found.set(key, known.products);
      else missing.add(key);
    }
    if (missing.size > 0) await readMissing([...missing], found);
    return found;
  };
}
