// The sources of products. Two of them need a key of their own; without it they are there and say what is missing.
import type { Source } from '../define.ts';
import { googleShopping } from './google-shopping.ts';
import { type KrogerKey, kroger } from './kroger.ts';
import { openFoodFacts } from './open-food-facts.ts';
import { openPrices } from './open-prices.ts';
import { productPage } from './product-page.ts';
import { serpapi } from './serpapi.ts';
import { shopify } from './shopify.ts';
import { walmart } from './walmart.ts';
import { woocommerce } from './woocommerce.ts';

export interface ShoppingKeys {
  kroger?: KrogerKey;
  serpapi?: string;
}

export function shoppingSources(keys: ShoppingKeys = {}): Source[] {
  return [
    googleShopping,
    shopify,
    woocommerce,
    openFoodFacts,
    openPrices,
    kroger(keys.kroger ?? null),
    walmart,
    productPage,
    serpapi(keys.serpapi ?? null),
  ];
}
