// The shops of the sandbox web.
import type { Replica } from '../replica.ts';
import { google } from './google.ts';
import { kroger } from './kroger.ts';
import { magento } from './magento.ts';
import { openFoodFacts, openPrices } from './open-data.ts';
import { productPages } from './product-pages.ts';
import { sapCommerce } from './sap-commerce.ts';
import { serpapi } from './serpapi.ts';
import { shopify } from './shopify.ts';
import { target } from './target.ts';
import { walmart } from './walmart.ts';
import { woocommerce } from './woocommerce.ts';

export const SHOPS: readonly Replica[] = [
  google,
  walmart,
  target,
  kroger,
  shopify,
  woocommerce,
  magento,
  sapCommerce,
  openFoodFacts,
  openPrices,
  serpapi,
  productPages,
];
