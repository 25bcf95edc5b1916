// The sources of products. Two of them need a key of their own (SOURCE_SETTINGS); without it they say what is missing.
import type { Source } from '../define.ts';
import { googleShopping } from './google/google-shopping.ts';
import { krogerSource } from './kroger.ts';
import { magento } from './magento.ts';
import { openFoodFacts } from './open-food-facts.ts';
import { openPrices } from './open-prices.ts';
import { productPage } from './product-page.ts';
import { sapCommerce } from './sap-commerce.ts';
import { serpapi } from './serpapi.ts';
import { shopify } from './shopify.ts';
import { target } from './target.ts';
import { walmart } from './walmart.ts';
import { woocommerce } from './woocommerce.ts';

export const SHOPPING_SOURCES: readonly Source[] = [
  googleShopping,
  shopify,
  woocommerce,
  magento,
  sapCommerce,
  openFoodFacts,
  openPrices,
  krogerSource(),
  walmart,
  target,
  productPage,
  serpapi,
];
