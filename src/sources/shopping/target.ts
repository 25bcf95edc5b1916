// Target's search, as its pages ask for it: a page gives the key, the answers are JSON.
// What a reader would get wrong: the key belongs to the page and changes; SOURCE_SETTINGS=target.api_key=… saves asking for it. The store decides prices
// (target.store_id); without one they are those of the web shop, and the ZIP code decides only what is delivered.
import { z } from 'zod';
import { parse, text } from '../../extract/html/html.ts';
import { completeProduct, linkOf, type ProductDraft } from '../../extract/product/product-draft.ts';
import { parseUnitPrice } from '../../extract/product/unit-price.ts';
import { AppError } from '../../model/errors.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import type { Web } from '../../web/port.ts';
import { defineSource } from '../define.ts';
import { cartParams } from './cart-params.ts';
import { readJson } from './shop-json.ts';
import { shopMoney } from './shop-money.ts';
import { readRows } from './shop-rows.ts';

const HOME = 'https://www.target.com/';
const API = 'https://redsky.target.com/redsky_aggregations/v1/web/plp_search_v2';
const PER_PAGE = 24;
const MAX_PAGES = 50;
const KEY_IN_PAGE = /\\?"apiKey\\?"\s?:\s?\\?"([0-9a-f]{20,64})\\?"/;
const VISITOR_IN_PAGE = /\\?"visitor_?[iI]d\\?"\s?:\s?\\?"([0-9A-Fa-f]{20,64})\\?"/;

const Options = z.object({ availability_status: z.string().nullish() }).nullish();
export const TargetProduct = z.object({
  tcin: z.string().min(1),
  item: z.object({
    product_description: z.object({ title: z.string().min(1) }),
    primary_brand: z.object({ name: z.string().nullish() }).nullish(),
    enrichment: z
      .object({
        buy_url: z.string().nullish(),
        images: z.object({ primary_image_url: z.string().nullish() }).nullish(),
      })
      .nullish(),
  }),
  price: z
    .object({
      current_retail: z.number().nullish(),
      current_retail_min: z.number().nullish(),
      reg_retail: z.number().nullish(),
      formatted_current_price: z.string().nullish(),
      formatted_unit_price: z.string().nullish(),
      formatted_unit_price_suffix: z.string().nullish(),
    })
    .nullish(),
  ratings_and_reviews: z
    .object({
      statistics: z
        .object({ rating: z.object({ average: z.number().nullish(), count: z.number().nullish() }).nullish() })
        .nullish(),
    })
    .nullish(),
  fulfillment: z
    .object({
      shipping_options: Options,
      store_options: z.array(z.object({ order_pickup: Options })).nullish(),
      is_out_of_stock_in_all_store_locations: z.boolean().nullish(),
    })
    .nullish(),
});
type TargetProduct = z.infer<typeof TargetProduct>;
export const TargetPage = z.object({ data: z.object({ search: z.object({ products: z.array(z.unknown()) }) }) });

export const target = defineSource({
  name: 'target',
  title: 'Target search',
  kind: 'product',
  lane: 'http',
  hosts: ['www.target.com', 'redsky.target.com'],
  pace: { concurrency: 1, delayMs: 2_000 },
  policy: { identity: 'browser' },
  params: z.object(cartParams),
  async *scrape({ item, zipcode, max_products: max }, web, notes) {
    const scrapedAt = new Date().toISOString();
    const access = await accessOf(web, item);
    const store = web.setting('store_id');
    let position = 0;
    for (let page = 0; page < MAX_PAGES; page++) {
      const query = new URLSearchParams({
        ...access,
        keyword: item,
        channel: 'WEB',
        page: `/s/${item}`,
        count: String(PER_PAGE),
        offset: String(page * PER_PAGE),
        zip: zipcode.slice(0, 5),
        ...(store === null ? {} : { store_id: store, pricing_store_id: store }),
      });
      const answer = await web.get(`${API}?${query}`, { accept: [401, 403], headers: { accept: 'application/json' } });
      if (answer.status >= 400)
        throw new AppError('blocked', `target: the key is not taken (${answer.status})`, {
          details: { outcome: 'unavailable' },
        });
      const rows = readJson(answer.text, TargetPage, 'target').data.search.products;
      for (const product of readRows(rows, TargetProduct, { about: 'target', notes })) {
        position++;
        yield completeProduct(targetDraft(product), {
          source: 'target',
          position,
          scrapedAt,
          locality: { requested: zipcode, evidence: store === null ? null : `store ${store}` },
        });
        if (position >= max) return;
      }
      if (rows.length < PER_PAGE) return;
    }
  },
});

/** The key and the visitor that a page of the shop was given. */
async function accessOf(web: Web, item: string): Promise<Record<string, string>> {
  const own = web.setting('api_key');
  if (own !== null) return { key: own };
  const page = await web.get(`${HOME}s?${new URLSearchParams({ searchTerm: item })}`);
  const key = KEY_IN_PAGE.exec(page.text)?.[1];
  if (key === undefined) {
    const diagnosis = web.diagnose(page);
    throw new AppError(
      diagnosis === 'captcha' ? 'captcha' : 'layout_changed',
      `target: no key in the page (${diagnosis})`,
    );
  }
  const visitor = VISITOR_IN_PAGE.exec(page.text)?.[1];
  return { key, ...(visitor === undefined ? {} : { visitor_id: visitor }) };
}

const ORIGINS = prefixed('api', {
  title: 'products[].item.product_description.title',
  brand: 'products[].item.primary_brand.name',
  seller: '=computed',
  price: 'products[].price.current_retail | products[].price.current_retail_min',
  old_price: 'products[].price.reg_retail',
  unit_price: 'products[].price.formatted_unit_price',
  availability: 'products[].fulfillment',
  fulfilment: 'products[].fulfillment',
  rating: 'products[].ratings_and_reviews.statistics.rating.average',
  review_count: 'products[].ratings_and_reviews.statistics.rating.count',
  image: 'products[].item.enrichment.images.primary_image_url',
  ids: 'products[].tcin',
  product_link: 'products[].item.enrichment.buy_url',
  merchant_link: 'products[].item.enrichment.buy_url',
});

export function targetDraft({
  tcin,
  item,
  price,
  fulfillment,
  ratings_and_reviews: reviews,
}: TargetProduct): ProductDraft {
  const title = text(parse(item.product_description.title));
  const now = shopMoney(price?.current_retail ?? price?.current_retail_min, 'USD', price?.formatted_current_price);
  const regular = shopMoney(price?.reg_retail, 'USD');
  const link = linkOf(item.enrichment?.buy_url ?? `/p/-/A-${tcin}`, HOME);
  const rating = reviews?.statistics?.rating;
  const canShip = fulfillment?.shipping_options?.availability_status === 'IN_STOCK';
  const canPickUp = (fulfillment?.store_options ?? []).some(
    (one) => one.order_pickup?.availability_status === 'IN_STOCK',
  );
  return {
    title,
    brand: item.primary_brand?.name ?? null,
    seller: { name: 'Target', id: null, domain: 'target.com' },
    price: now,
    old_price: now !== null && regular !== null && regular.amount_minor > now.amount_minor ? regular : null,
    unit_price: parseUnitPrice(
      [price?.formatted_unit_price, price?.formatted_unit_price_suffix].filter(Boolean).join(''),
      {
        usual: 'USD',
        title,
      },
    ),
    availability: canShip || canPickUp ? 'in_stock' : saysNone(fulfillment) ? 'out_of_stock' : 'unknown',
    fulfilment: [
      ...(canShip ? [{ type: 'shipping' as const, text: 'Ships', place: null, cost_minor: null }] : []),
      ...(canPickUp ? [{ type: 'pickup' as const, text: 'Pickup', place: null, cost_minor: null }] : []),
    ],
    rating: rating?.average && rating.average <= 5 ? rating.average : null,
    review_count: rating?.count ?? null,
    image: linkOf(item.enrichment?.images?.primary_image_url, HOME),
    ids: { tcin },
    product_link: link,
    merchant_link: link,
    origins: ORIGINS,
    parse: { rule: 'redsky', confidence: 0.95 },
  };
}

const saysNone = (fulfillment: TargetProduct['fulfillment']): boolean =>
  fulfillment?.is_out_of_stock_in_all_store_locations === true ||
  fulfillment?.shipping_options?.availability_status === 'OUT_OF_STOCK';
