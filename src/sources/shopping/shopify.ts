// Any Shopify shop, without a key: its search suggestions for an item, or its whole catalogue page by page.
// What a reader would get wrong: catalogue prices are decimals without a currency; that stands in /meta.json only.
import { z } from 'zod';
import { completeProduct, linkOf, type ProductDraft } from '../../extract/product/product-draft.ts';
import { AppError } from '../../model/errors.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import type { Web } from '../../web/port.ts';
import { defineSource, type Notes } from '../define.ts';
import { shopParams } from './cart-params.ts';
import { readJson } from './shop-json.ts';
import { shopMoney } from './shop-money.ts';
import { readRows } from './shop-rows.ts';

const PAGE_SIZE = 250;
const MAX_SUGGESTIONS = 10;
/** Statuses that mean something of their own here; 430 is Shopify's own "too many". */
const TOLD_APART = [401, 403, 404, 417, 422, 430];

const Meta = z.object({ currency: z.string().regex(/^[A-Z]{3}$/), name: z.string().optional() });
const Variant = z.object({
  id: z.union([z.number(), z.string()]),
  title: z.string().nullish(),
  sku: z.string().nullish(),
  price: z.union([z.string(), z.number()]).nullish(),
  compare_at_price: z.union([z.string(), z.number()]).nullish(),
  available: z.boolean().nullish(),
});
export const CatalogueProduct = z.object({
  id: z.union([z.number(), z.string()]),
  title: z.string(),
  handle: z.string(),
  vendor: z.string().nullish(),
  variants: z.array(Variant),
  images: z.array(z.object({ src: z.string().nullish() })).nullish(),
});
export const Catalogue = z.object({ products: z.array(z.unknown()) });
const Suggested = z.object({
  id: z.union([z.number(), z.string()]).nullish(),
  title: z.string(),
  handle: z.string().optional(),
  url: z.string(),
  price: z.union([z.string(), z.number()]).nullish(),
  compare_at_price_max: z.union([z.string(), z.number()]).nullish(),
  available: z.boolean().nullish(),
  image: z.string().nullish(),
  vendor: z.string().nullish(),
});
const Suggestions = z.object({ resources: z.object({ results: z.object({ products: z.array(z.unknown()) }) }) });

interface Shop {
  host: string;
  name: string;
  currency: string;
}

export const shopify = defineSource({
  name: 'shopify',
  title: 'A Shopify shop: search or whole catalogue',
  kind: 'product',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 1, delayMs: 500 },
  params: z.object({
    ...shopParams,
    collection: z
      .string()
      .regex(/^[\w-]{1,200}$/)
      .optional(),
  }),
  async *scrape({ shop: host, item, collection, zipcode, max_products: max }, web, notes) {
    const meta = await ask(web, `https://${host}/meta.json`, Meta);
    const shop: Shop = { host, currency: meta.currency, name: meta.name ?? host };
    const context = {
      source: 'shopify',
      scrapedAt: new Date().toISOString(),
      locality: { requested: zipcode ?? null, evidence: null },
    };
    const drafts = item === undefined ? catalogue(web, shop, notes, collection) : suggestions(web, shop, item, notes);
    let position = 0;
    for await (const draft of drafts) {
      position++;
      yield completeProduct(draft, { ...context, position });
      if (position >= max) return;
    }
  },
});

const SUGGESTED = prefixed('api', {
  title: 'products[].title',
  brand: 'products[].vendor',
  seller: 'meta.name | =request:shop',
  price: 'products[].price',
  old_price: 'products[].compare_at_price_max',
  availability: 'products[].available',
  image: 'products[].image',
  ids: 'products[].id',
  product_link: 'products[].url',
  merchant_link: 'products[].url',
});

const VARIANTS = prefixed('api', {
  title: 'products[].title | products[].variants[].title',
  brand: 'products[].vendor',
  seller: 'meta.name | =request:shop',
  price: 'products[].variants[].price',
  old_price: 'products[].variants[].compare_at_price',
  availability: 'products[].variants[].available',
  image: 'products[].images[0].src',
  ids: 'products[].id | products[].variants[].id | products[].variants[].sku',
  product_link: 'products[].handle',
  merchant_link: 'products[].handle',
});

async function* suggestions(web: Web, shop: Shop, item: string, notes?: Notes): AsyncIterable<ProductDraft> {
  const url = new URL(`https://${shop.host}/search/suggest.json`);
  url.searchParams.set('q', item);
  url.searchParams.set('resources[type]', 'product');
  url.searchParams.set('resources[limit]', String(MAX_SUGGESTIONS));
  url.searchParams.set('resources[limit_scope]', 'each');
  url.searchParams.set('resources[options][unavailable_products]', 'last');
  const { resources } = await ask(web, url.href, Suggestions);
  for (const found of readRows(resources.results.products, Suggested, { about: 'shopify', notes }))
    yield {
      title: found.title,
      brand: found.vendor ?? null,
      seller: { name: shop.name, id: null, domain: shop.host },
      price: shopMoney(found.price, shop.currency),
      old_price: shopMoney(found.compare_at_price_max, shop.currency),
      availability: stock(found.available),
      image: linkOf(found.image, `https://${shop.host}/`),
      ids: found.id == null ? {} : { shopify_product_id: String(found.id) },
      ...links(shop.host, found.url),
      origins: SUGGESTED,
      parse: { rule: 'suggest.json', confidence: 1 },
    };
}

async function* catalogue(web: Web, shop: Shop, notes?: Notes, collection?: string): AsyncIterable<ProductDraft> {
  const folder = collection === undefined ? '' : `/collections/${collection}`;
  for (let page = 1; ; page++) {
    const { products } = await ask(
      web,
      `https://${shop.host}${folder}/products.json?limit=${PAGE_SIZE}&page=${page}`,
      Catalogue,
    );
    for (const product of readRows(products, CatalogueProduct, { about: 'shopify', notes }))
      yield* variantsOf(product, shop);
    if (products.length < PAGE_SIZE) return;
  }
}

/** One product a variant: each has its own price and stock. */
export function variantsOf(product: z.infer<typeof CatalogueProduct>, shop: Shop): ProductDraft[] {
  return product.variants.map((variant) => ({
    title: variant.title && variant.title !== 'Default Title' ? `${product.title}, ${variant.title}` : product.title,
    brand: product.vendor ?? null,
    seller: { name: shop.name, id: null, domain: shop.host },
    price: shopMoney(variant.price, shop.currency),
    old_price: shopMoney(variant.compare_at_price, shop.currency),
    availability: stock(variant.available),
    image: linkOf(product.images?.[0]?.src, `https://${shop.host}/`),
    ids: {
      shopify_product_id: String(product.id),
      shopify_variant_id: String(variant.id),
      ...(variant.sku ? { sku: variant.sku } : {}),
    },
    ...links(shop.host, `/products/${product.handle}?variant=${variant.id}`),
    origins: VARIANTS,
    parse: { rule: 'products.json', confidence: 1 },
  }));
}

const stock = (available: boolean | null | undefined) =>
  available === true ? 'in_stock' : available === false ? 'out_of_stock' : 'unknown';

function links(host: string, path: string): Pick<ProductDraft, 'product_link' | 'merchant_link'> {
  const link = linkOf(path, `https://${host}/`);
  return { product_link: link, merchant_link: link };
}

async function ask<T>(web: Web, url: string, schema: z.ZodType<T>): Promise<T> {
  const page = await web.get(url, { accept: TOLD_APART, headers: { accept: 'application/json' } });
  if (page.status === 430)
    throw new AppError('rate_limited', 'shopify: rate_limited (430)', { details: { outcome: 'rate_limited' } });
  if (page.status === 422 || page.status === 417)
    throw new AppError('invalid_params', `shopify: the shop does not support this search (${page.status})`);
  if (page.status >= 400)
    throw new AppError(page.status === 404 ? 'not_found' : 'blocked', `shopify: unavailable (${page.status})`, {
      details: { outcome: 'unavailable' },
    });
  // A shop that is not open yet sends everyone to its password page.
  if (new URL(page.url).pathname === '/password')
    throw new AppError('blocked', 'shopify: unavailable (password page)', { details: { outcome: 'unavailable' } });
  return readJson(page.text, schema, 'shopify');
}
