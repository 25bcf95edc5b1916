// The shops of the sandbox web.
import type { Replica } from '../replica.ts';
import { google } from './google.ts';
import { kroger } from './kroger.ts';
import { openFoodFacts, openPrices } from './open-data.ts';
import { productPages } from './product-pages.ts';
import { serpapi } from './serpapi.ts';
import { shopify } from './shopify.ts';
import { walmart } from './walmart.ts';
import { woocommerce } from './woocommerce.ts';

export const SHOPS: readonly Replica[] = [
  google,
  walmart,
  kroger,
  shopify,
  woocommerce,
  openFoodFacts,
  openPrices,
  serpapi,
  productPages,
];
