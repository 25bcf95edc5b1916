// Parameters for every built-in source that has a replica in the sandbox.
import { VENDORS } from './vendors.ts';

export const KEYS = new Map([
  ['ziprecruiter.app_auth', 'b64'],
  ['kroger.client_id', 'id'],
  ['kroger.client_secret', 'secret'],
  ['serpapi.api_key', 'key'],
]);
export const APP_KEY: [string, string] = ['indeed.app_key', 'ab'.repeat(32)];
const TOKEN = 'northwick-30';
const BOARD = { search_term: 'engineer', results_wanted: 20, fetch_description: true };

export const CASES: [name: string, params: Record<string, unknown>, keys?: 'with an app key'][] = [
  ['indeed', BOARD, 'with an app key'],
  ['indeed', BOARD],
  ['linkedin', BOARD],
  ['glassdoor', { ...BOARD, country: 'US' }],
  ['ziprecruiter', BOARD],
  ['google-jobs', BOARD],
  ['naukri', BOARD],
  ['bayt', BOARD],
  ['bdjobs', BOARD],
  ...VENDORS.map(({ source, board }): [string, Record<string, unknown>] => [source, board(TOKEN)]),
  ['shopify', { shop: 'corner-basket.myshopify.com', item: 'milk' }],
  ['shopify', { shop: 'harbor.myshopify.com', max_products: 30 }],
  ['woocommerce', { shop: 'pantry.woo.example', item: 'honey' }],
  ['open-food-facts', { item: 'milk' }],
  ['open-prices', { item: 'milk' }],
  ['kroger', { item: 'milk', zipcode: '33602' }],
  ['walmart', { item: 'milk', zipcode: '33602' }],
  ['target', { item: 'milk', zipcode: '33602' }],
  ['magento', { shop: 'pantry.magento.example', item: 'honey' }],
  ['sap-commerce', { shop: 'shop.occ.example', site: 'pantry', item: 'honey' }],
  ['serpapi', { item: 'milk', zipcode: '33602' }],
  ...['milk', 'bread', 'olive oil', 'rice', 'butter', 'pasta', 'coffee', 'tea'].map(
    (item): [string, Record<string, unknown>] => ['google-shopping', { item, zipcode: '33602' }],
  ),
];
