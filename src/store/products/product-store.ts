// Interfaces of the store for products and carts.
import type { Pool } from 'pg';
import type { Product } from '../../model/product/product.ts';
import type { FacetOptions, Facets } from '../items/facets.ts';
import type { StreamQuery } from '../items/stream.ts';
import { bindAll } from '../postgres/bind.ts';
import type { Counted, SpanOptions } from '../rollups/grouped.ts';
import {
  type Cart,
  type CartAhead,
  cartSpeed,
  cartWaits,
  createGetCart,
  type DelayedCart,
  delayedCarts,
  getSearchResults,
  runningCarts,
  type SpooledCarts,
} from './carts.ts';
import { type PriceFilter, type PriceGroup, type PriceLine, pricesOver } from './price-analytics.ts';
import { groupProducts, type ProductGroupRules, type ProductsGrouped } from './product-groups.ts';
import {
  type ListedProduct,
  listNewProducts,
  listProducts,
  type ProductFilter,
  type ProductListOptions,
  type ProductOrder,
  productFacets,
  streamProducts,
} from './product-list.ts';

/** Products that were found, as lists and over time. */
export interface ProductStore {
  /** A page of at most `limit`; each says its place, and the next page begins after the last one's. */
  listProducts(options: ProductListOptions): Promise<ListedProduct[]>;
  /** All that match, a chunk at a time, in the order of a list. */
  streamProducts(filter: ProductFilter, query: StreamQuery<ProductOrder>): AsyncGenerator<ListedProduct[]>;
  /** How many match, and how many of them have each value. */
  productFacets(filter: ProductFilter, options: FacetOptions): Promise<Facets>;
  /** Lists the products of up to `limit` new search results; returns how many results there were. */
  listNewProducts(limit: number): Promise<number>;
  /** Prices by time and group, each currency by itself. */
  pricesOver(options: SpanOptions<PriceGroup> & { filter: PriceFilter }): Promise<Counted<PriceLine>>;
}

/** Puts offers into the groups of their products. */
export interface ProductGroupStore {
  /** Up to `batch` new and changed offers. */
  groupProducts(rules: ProductGroupRules, batch: number): Promise<ProductsGrouped>;
}

/** Carts and what they wait for. */
export interface CartStore {
  /** Those that are spooled come after all others. In one statement: what is written out between two would be missed or counted twice. */
  runningCarts(): Promise<{ carts: CartAhead[]; spooled: SpooledCarts }>;
  /** How many searches ended lately, and within how many seconds: no longer than half a minute, and no longer than there was something to do. */
  cartSpeed(): Promise<{ searches: number; seconds: number }>;
  /** Carts of which something waits for another try. */
  delayedCarts(): Promise<Map<string, DelayedCart>>;
  /** How long carts that have ended took, in seconds; one that was cancelled took no time that says anything. */
  cartWaits(ids: string[]): Promise<Map<string, number>>;
  /** Null when there is no such cart, or it ended longer ago than `ttlSeconds`. Carts that are asked for at the same moment are read together. */
  getCart(asked: { id: string; ttlSeconds: number }): Promise<Cart | null>;
  /** Those that are stored, of the keys asked for. `version` changes when the products do. */
  getSearchResults(keys: string[]): Promise<{ key: string; version: string; products: Product[] }[]>;
}

export const productStore = (pool: Pool): ProductStore & ProductGroupStore & CartStore => ({
  ...bindAll(pool, {
    listProducts,
    productFacets,
    streamProducts,
    listNewProducts,
    groupProducts,
    pricesOver,
    runningCarts,
    cartSpeed,
    delayedCarts,
    cartWaits,
    getSearchResults,
  }),
  getCart: createGetCart(pool),
});
