// Grouping of products: new and changed offers are given to the group of their product, batch after batch until none is left. Offers that were stored
// before there were groups come along in the same way.
import { productKeys } from '../../model/product/same-product.ts';
import type { ProductGroupStore } from '../../store/products/product-store.ts';
import type { Step } from '../loops/run-loops.ts';

const BATCH = 500;
/** Batches a step, so that a large table does not keep the step from ending. */
const ROUNDS = 10;

export function createGroupProducts(store: ProductGroupStore): Step {
  return async (signal) => {
    for (let round = 0; round < ROUNDS && !signal.aborted; round++) {
      const { looked } = await store.groupProducts({ productKeys }, BATCH);
      if (looked < BATCH) return;
    }
  };
}
