// Any WooCommerce shop, by its Store API, without a key.
// What a reader would get wrong: prices are texts in minor units of the shop's own choosing (currency_minor_unit), not of the currency's.
import { z } from 'zod';
import { parse, text } from '../../extract/html/html.ts';
import { completeProduct, linkOf, type ProductDraft } from '../../extract/product/product-draft.ts';
import { AppError } from '../../model/errors.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import type { Web } from '../../web/port.ts';
import { defineSource } from '../define.ts';
import { shopParams } from './cart-params.ts';
import { readJson } from './shop-json.ts';
import { shopMoney } from './shop-money.ts';
import { readRows } from './shop-rows.ts';

const PAGE_SIZE = 100;
/** Newest first; the answer has the same shape. */
const ROOTS = ['/wp-json/wc/store/v1/products', '/wp-json/wc/store/products'];

const Prices = z.object({
  price: z.string(),
  regular_price: z.string().nullish(),
  currency_code: z.string().regex(/^[A-Z]{3}$/),
  currency_minor_unit: z.number().int().min(0).max(6),
  currency_decimal_separator: z.string().default('.'),
  currency_thousand_separator: z.string().default(','),
  currency_prefix: z.string().default(''),
  currency_suffix: z.string().default(''),
});
export const WooProduct = z.object({
  id: z.union([z.number(), z.string()]),
  name: z.string(),
  variation: z.string().nullish(),
  permalink: z.string().nullish(),
  sku: z.string().nullish(),
  prices: Prices,
  average_rating: z.union([z.string(), z.number()]).nullish(),
  review_count: z.number().nullish(),
  images: z.array(z.object({ src: z.string().nullish() })).nullish(),
  brands: z.array(z.object({ name: z.string() })).nullish(),
  is_in_stock: z.boolean().nullish(),
});
type WooProduct = z.infer<typeof WooProduct>;
const Page = z.array(z.unknown());

export const woocommerce = defineSource({
  name: 'woocommerce',
  title: 'A WooCommerce shop: search or whole catalogue',
  kind: 'product',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 1, delayMs: 500 },
  params: z.object(shopParams),
  async *scrape({ shop, item, zipcode, max_products: max }, web, notes) {
    const scrapedAt = new Date().toISOString();
    const locality = { requested: zipcode ?? null, evidence: null };
    const perPage = Math.min(PAGE_SIZE, max);
    let root: string | null = null;
    let position = 0;
    for (let page = 1; ; page++) {
      const query = new URLSearchParams({
        per_page: String(perPage),
        page: String(page),
        ...(item === undefined ? {} : { search: item }),
      });
      const answer: { root: string; products: unknown[] } = await askPage(
        web,
        shop,
        root === null ? ROOTS : [root],
        query,
      );
      root = answer.root;
      for (const product of readRows(answer.products, WooProduct, { about: 'woocommerce', notes })) {
        position++;
        yield completeProduct(wooDraft(product, shop), { source: 'woocommerce', position, scrapedAt, locality });
        if (position >= max) return;
      }
      if (answer.products.length < perPage) return;
    }
  },
});

async function askPage(
  web: Web,
  shop: string,
  roots: readonly string[],
  query: URLSearchParams,
): Promise<{ root: string; products: unknown[] }> {
  for (const root of roots) {
    const page = await web.get(`https://${shop}${root}?${query}`, {
      accept: [401, 403, 404],
      headers: { accept: 'application/json' },
    });
    if (page.status === 404) continue;
    if (page.status >= 400)
      throw new AppError('blocked', `woocommerce: unavailable (${page.status})`, {
        details: { outcome: 'unavailable' },
      });
    return { root, products: readJson(page.text, Page, 'woocommerce') };
  }
  throw new AppError('not_found', 'woocommerce: the shop has no Store API');
}

const ORIGINS = prefixed('api', {
  title: '[].name | [].variation',
  brand: '[].brands[0].name',
  seller: '=request:shop',
  price: '[].prices.price',
  old_price: '[].prices.regular_price',
  availability: '[].is_in_stock',
  rating: '[].average_rating',
  review_count: '[].review_count',
  image: '[].images[0].src',
  ids: '[].id | [].sku',
  product_link: '[].permalink',
  merchant_link: '[].permalink',
});

export function wooDraft(product: WooProduct, shop: string): ProductDraft {
  const { prices } = product;
  const rating = Number(product.average_rating ?? 0);
  const name = plain(product.name);
  const link = linkOf(product.permalink, `https://${shop}/`);
  return {
    title: product.variation ? `${name}, ${plain(product.variation)}` : name,
    brand: product.brands?.[0] ? plain(product.brands[0].name) : null,
    seller: { name: shop, id: null, domain: shop },
    price: money(prices.price, prices),
    old_price: money(prices.regular_price, prices),
    availability:
      product.is_in_stock === true ? 'in_stock' : product.is_in_stock === false ? 'out_of_stock' : 'unknown',
    rating: rating > 0 && rating <= 5 ? rating : null,
    review_count: product.review_count ?? null,
    image: linkOf(product.images?.[0]?.src, `https://${shop}/`),
    ids: { woocommerce_id: String(product.id), ...(product.sku ? { sku: product.sku } : {}) },
    product_link: link,
    merchant_link: link,
    origins: ORIGINS,
    parse: { rule: 'store-api', confidence: 1 },
  };
}

/** Names hold HTML entities. */
const plain = (html: string): string => text(parse(html));

function money(minor: string | null | undefined, prices: z.infer<typeof Prices>) {
  if (!minor || !/^\d{1,15}$/.test(minor)) return null;
  const digits = minor.padStart(prices.currency_minor_unit + 1, '0');
  const cut = digits.length - prices.currency_minor_unit;
  const [whole, fraction] = [digits.slice(0, cut), digits.slice(cut)];
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, plain(prices.currency_thousand_separator));
  const shown = `${plain(prices.currency_prefix)}${grouped}${fraction && prices.currency_decimal_separator + fraction}${prices.currency_suffix ? ` ${plain(prices.currency_suffix)}` : ''}`;
  const isDressed = prices.currency_prefix !== '' || prices.currency_suffix !== '';
  return shopMoney(fraction ? `${whole}.${fraction}` : whole, prices.currency_code, isDressed ? shown : null);
}
