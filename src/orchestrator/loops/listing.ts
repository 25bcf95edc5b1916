// Listing: articles get their search vector and products their rows, after recording and a few at a time, so that scraping comes first and search is some
// seconds behind.
import type { ArticleStore } from '../../store/articles/article-store.ts';
import type { ProductStore } from '../../store/products/product-store.ts';
import type { Step } from './run-loops.ts';

const ARTICLES = 100;
const SEARCH_RESULTS = 20;
/** Batches per step: with a step every two seconds some hundreds of items per second. */
const ROUNDS = 5;

export function createListing(
  store: Pick<ArticleStore, 'indexArticles'> & Pick<ProductStore, 'listNewProducts'>,
): Step {
  const some = async (
    list: (limit: number) => Promise<number>,
    limit: number,
    signal: AbortSignal,
  ): Promise<number> => {
    let done = 0;
    for (let round = 0; round < ROUNDS && !signal.aborted; round++) {
      const listed = await list(limit);
      done += listed;
      if (listed < limit) break;
    }
    return done;
  };
  return async (signal, wake) => {
    await some(store.indexArticles, ARTICLES, signal);
    if ((await some(store.listNewProducts, SEARCH_RESULTS, signal)) > 0) wake('group-products');
  };
}
