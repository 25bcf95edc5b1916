// Who asks for what: the crowd of `windrow plan`, with names and ZIP codes. The same for the same number of users in every process.
import { cartsOf } from '../../src/planner/simulate.ts';
import { offersOf } from '../../src/sandbox/shopping/catalogue.ts';

export interface Ask {
  items: string[];
  zipcode: string;
}

const ITEMS_PER_CART = 3;
export const PRODUCTS = 20;

export function crowdOf(users: number): Ask[] {
  const carts = cartsOf({ users, itemsPerCart: ITEMS_PER_CART, workers: 1, secondsPerItem: 1 });
  return carts.map(({ items, zip }) => ({
    items: items.map((item) => `thing ${item}`),
    zipcode: String(10_001 + zip),
  }));
}

/** How many different searches these are. */
export const searchesOf = (crowd: Ask[]): number =>
  new Set(crowd.flatMap(({ items, zipcode }) => items.map((item) => `${zipcode} ${item}`))).size;

/** Titles in the order of the shop, from the catalogue itself and not from any page. */
export function expectedTitles(item: string, zipcode: string): string {
  const offers = offersOf(item, { seed: 0, nowMs: Date.now(), zip: zipcode });
  return offers
    .slice(0, PRODUCTS)
    .map(({ title }) => title)
    .join('\n');
}
