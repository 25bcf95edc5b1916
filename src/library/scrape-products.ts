// scrapeProducts: items looked up at shops and search pages near a ZIP code, the catalogue of one shop, or the product of a page.
import { z } from 'zod';
import type { FieldError } from '../model/errors.ts';
import type { Item } from '../model/item/item.ts';
import type { Product as ProductModel } from '../model/product/product.ts';
import { productName } from '../model/product/product-name.ts';
import { issueErrors } from '../model/zod-messages.ts';
import type { Source } from '../sources/define.ts';
import { SHOPPING_SOURCES } from '../sources/shopping/index.ts';
import { type Product, toProduct } from './items/product.ts';
import { invalidOptions } from './options/option-errors.ts';
import { optionsSchema, readOptions, type ScrapeOptions, siteOption } from './options/scrape-options.ts';
import { findSite, isProblem } from './options/sites.ts';
import type { Task } from './run/run-task.ts';
import { createScrape, type Scrape } from './run/scrape.ts';

/** The sources of products that are built in. */
export type ProductSite =
  | 'google-shopping'
  | 'shopify'
  | 'woocommerce'
  | 'magento'
  | 'sap-commerce'
  | 'open-food-facts'
  | 'open-prices'
  | 'kroger'
  | 'walmart'
  | 'target'
  | 'product-page'
  | 'serpapi';

/** What to look for, and where. At least one of `items`, `barcodes`, `urls` and `shop`. */
export interface ProductSearch {
  /** What to look up, such as `milk`; each at every site. */
  items?: readonly string[] | undefined;
  /** Barcodes to look up, at sites that know them. */
  barcodes?: readonly string[] | undefined;
  /** Pages of single products. */
  urls?: readonly string[] | undefined;
  /** Host of one shop, for `shopify`, `woocommerce` and `magento`: its search for the items, or without items its whole catalogue. */
  shop?: string | undefined;
  /** Where to look: `google-shopping` for items, by default. Also your own source. */
  sites?: readonly (ProductSite | (string & {}) | Source)[] | undefined;
  /** US ZIP code near which to look. */
  zipcode?: string | undefined;
  /** Products wanted of each item at each site; 20. */
  results?: number | undefined;
}

export interface ScrapeProductsOptions extends ProductSearch, ScrapeOptions {
  /** Items at a time, over all sites; 10. Each host has its own pace beside that. */
  concurrency?: number | undefined;
}

const CONCURRENCY = 10;
const DEFAULT_SITE = 'google-shopping';

const texts = z.array(z.string()).min(1).optional();

const SCHEMA = optionsSchema({
  items: texts,
  barcodes: texts,
  urls: texts,
  shop: z.string().optional(),
  sites: z.array(siteOption).min(1).optional(),
  zipcode: z.string().optional(),
  results: z.number().optional(),
  concurrency: z.number().int().min(1).max(1_000).optional(),
});

/** Looks products up; yields them as they are found. A site or item that fails is in `errors`, and the others go on. */
export function scrapeProducts(given: ScrapeProductsOptions): Scrape<Product> {
  const { options, scraping } = readOptions('scrapeProducts', SCHEMA, given);
  const { tasks, errors } = productTasks(options);
  if (errors.length > 0) throw invalidOptions('scrapeProducts', errors);
  return createScrape({
    ...scraping,
    tasks,
    concurrency: options.concurrency ?? CONCURRENCY,
    toItem: (item, { params }) => toProduct(item as ProductModel, itemOf(params)),
  });
}

const itemOf = ({ item, barcode }: Record<string, unknown>): string | null =>
  typeof item === 'string' ? item : typeof barcode === 'string' ? barcode : null;

/** Parameter of the sources → option. */
const OPTIONS: Readonly<Record<string, string>> = {
  item: 'items',
  barcode: 'barcodes',
  url: 'urls',
  max_products: 'results',
};

export function productTasks(search: ProductSearch): { tasks: Task[]; errors: FieldError[] } {
  const { items = [], barcodes = [], urls = [], shop, zipcode, results } = search;
  const asked: Record<string, unknown>[] = [
    ...items.map((item) => ({ item })),
    ...barcodes.map((barcode) => ({ barcode })),
  ];
  if (asked.length + urls.length === 0 && shop === undefined)
    return { tasks: [], errors: [{ pointer: '/items', detail: 'is required (or barcodes, urls, or a shop)' }] };
  if (asked.length === 0 && shop !== undefined) asked.push({});
  const common = { shop, zipcode, max_products: results };
  const errors: FieldError[] = [];
  const tasks: Task[] = [];
  const add = (site: string | Source, index: number, own: Record<string, unknown>): void => {
    const source = findSite(site, SHOPPING_SOURCES, `/sites/${index}`);
    if (isProblem(source)) {
      errors.push(source);
      return;
    }
    const checked = source.params.safeParse({ ...common, ...own });
    if (checked.success) tasks.push(taskOf(source, checked.data as Record<string, unknown>, own));
    else errors.push(...issueErrors(checked.error.issues).map((error) => asOption(error, source.name)));
  };
  const sites = search.sites ?? (asked.length > 0 ? [shop === undefined ? DEFAULT_SITE : 'shopify'] : []);
  for (const own of asked) for (const [i, site] of sites.entries()) add(site, i, own);
  for (const url of urls) add('product-page', 0, { url });
  return { tasks, errors };
}

function taskOf(source: Source, params: Record<string, unknown>, own: Record<string, unknown>): Task {
  return {
    source,
    params,
    target: String(Object.values(own)[0] ?? params.shop ?? '') || null,
    wanted: typeof params.max_products === 'number' ? params.max_products : null,
    keyOf: productKey,
  };
}

const productKey = (item: Item): string => {
  const product = item as ProductModel;
  return `${product.position} ${productName(product)}`;
};

function asOption({ pointer, detail }: FieldError, site: string): FieldError {
  const [name = '', ...rest] = pointer.slice(1).split('/');
  return { pointer: ['', OPTIONS[name] ?? name, ...rest].join('/'), detail: `${detail} (${site})` };
}
