// Kroger's documented API: the store nearest to a ZIP code, and what an item costs there. It needs a free key.
// What a reader would get wrong: prices and stock come only with a store; without `filter.locationId` every price is missing.
import { z } from 'zod';
import { completeProduct, linkOf, type ProductDraft } from '../../extract/product/product-draft.ts';
import { AppError } from '../../model/errors.ts';
import { normaliseGtin } from '../../model/product/gtin.ts';
import type { Fulfilment, Product } from '../../model/product/product.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import type { Web } from '../../web/port.ts';
import { defineSource } from '../define.ts';
import { cartParams } from './cart-params.ts';
import { shopMoney } from './shop-money.ts';
import { readRows } from './shop-rows.ts';

const API = 'https://api.kroger.com/v1';
const RADIUS_MILES = 25;
const TOKEN_MARGIN_MS = 60_000;

const Token = z.object({ access_token: z.string(), expires_in: z.number() });
const Locations = z.object({
  data: z.array(
    z.object({
      locationId: z.string(),
      name: z.string().nullish(),
      address: z.object({ city: z.string().nullish(), zipCode: z.string().nullish() }).nullish(),
    }),
  ),
});
const Price = z.object({ regular: z.number().nullish(), promo: z.number().nullish() }).nullish();
const Offered = z.object({
  size: z.string().nullish(),
  soldBy: z.string().nullish(),
  price: Price,
  inventory: z.object({ stockLevel: z.string().nullish() }).nullish(),
  fulfillment: z
    .object({
      curbside: z.boolean().nullish(),
      delivery: z.boolean().nullish(),
      inStore: z.boolean().nullish(),
      shipToHome: z.boolean().nullish(),
    })
    .nullish(),
});
export const KrogerProduct = z.object({
  productId: z.string().nullish(),
  upc: z.string().nullish(),
  brand: z.string().nullish(),
  description: z.string(),
  images: z
    .array(
      z.object({
        perspective: z.string().nullish(),
        sizes: z.array(z.object({ size: z.string().nullish(), url: z.string().nullish() })).default([]),
      }),
    )
    .nullish(),
  items: z.array(Offered).nullish(),
});
export const KrogerProducts = z.object({ data: z.array(z.unknown()) });

/** Each call is a source of its own: it asks for a token once and keeps it until shortly before its end. */
export function krogerSource() {
  let token: { clientId: string; value: string; endsAt: number } | null = null;

  async function authorization(web: Web): Promise<string> {
    const clientId = web.setting('client_id');
    const clientSecret = web.setting('client_secret');
    if (clientId === null || clientSecret === null)
      throw new AppError('invalid_config', 'kroger needs SOURCE_SETTINGS=kroger.client_id=…,kroger.client_secret=…');
    if (token === null || token.clientId !== clientId || token.endsAt <= Date.now()) {
      const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
      const answer = await web.json(`${API}/connect/oauth2/token`, Token, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials&scope=product.compact',
      });
      token = {
        clientId,
        value: answer.access_token,
        endsAt: Date.now() + answer.expires_in * 1_000 - TOKEN_MARGIN_MS,
      };
    }
    return `Bearer ${token.value}`;
  }

  return defineSource({
    name: 'kroger',
    title: 'Kroger stores near a ZIP code',
    kind: 'product',
    lane: 'http',
    hosts: ['api.kroger.com'],
    pace: { concurrency: 2, delayMs: 200 },
    params: z.object(cartParams),
    async *scrape({ item, zipcode, max_products: max }, web, notes) {
      const headers = { authorization: await authorization(web) };
      const near = new URLSearchParams({
        'filter.zipCode.near': zipcode.slice(0, 5),
        'filter.radiusInMiles': String(RADIUS_MILES),
        'filter.limit': '1',
      });
      const [store] = (await web.json(`${API}/locations?${near}`, Locations, { headers })).data;
      // No store near is an answer, not a failure.
      if (!store) return;
      const query = new URLSearchParams({
        'filter.term': item,
        'filter.locationId': store.locationId,
        'filter.limit': String(max),
      });
      const { data } = await web.json(`${API}/products?${query}`, KrogerProducts, { headers });
      const place = store.address?.city ?? null;
      const evidence = `store ${[store.name ?? store.locationId, place, store.address?.zipCode].filter(Boolean).join(', ')}`;
      const scrapedAt = new Date().toISOString();
      const products = readRows(data, KrogerProduct, { about: 'kroger', notes });
      for (const [i, product] of products.slice(0, max).entries())
        yield completeProduct(krogerDraft(product, place), {
          source: 'kroger',
          position: i + 1,
          scrapedAt,
          locality: { requested: zipcode, evidence },
        });
    },
  });
}

const ORIGINS = prefixed('api', {
  title: 'data[].description',
  brand: 'data[].brand',
  seller: '=computed',
  price: 'data[].items[0].price.promo | data[].items[0].price.regular',
  old_price: 'data[].items[0].price.regular',
  sizeText: 'data[].items[0].size',
  is_by_weight: 'data[].items[0].soldBy',
  availability: 'data[].items[0].inventory.stockLevel',
  fulfilment: 'data[].items[0].fulfillment',
  image: 'data[].images[]',
  ids: 'data[].upc',
  product_link: 'data[].productId',
  merchant_link: 'data[].productId',
});

export function krogerDraft(product: z.infer<typeof KrogerProduct>, place: string | null): ProductDraft {
  const [offered] = product.items ?? [];
  const regular = shopMoney(offered?.price?.regular, 'USD');
  // A promotion of 0 means that there is none.
  const promo = shopMoney(offered?.price?.promo, 'USD');
  const upc = product.upc ?? null;
  const gtin = upc === null ? null : (normaliseGtin(withCheckDigit(upc)) ?? normaliseGtin(upc));
  const front = product.images?.find(({ perspective }) => perspective === 'front') ?? product.images?.[0];
  return {
    title: product.description,
    brand: product.brand ?? null,
    seller: { name: 'Kroger', id: null, domain: 'kroger.com' },
    price: promo ?? regular,
    old_price: promo && regular,
    sizeText: offered?.size ?? null,
    is_by_weight: offered?.soldBy === 'WEIGHT',
    availability: stock(offered?.inventory?.stockLevel),
    fulfilment: fulfilments(offered, place),
    image: linkOf(front?.sizes.find(({ size }) => size === 'medium')?.url ?? front?.sizes[0]?.url, API),
    ids: {
      ...(upc === null ? {} : { kroger_upc: upc }),
      ...(product.productId ? { kroger_product_id: product.productId } : {}),
      ...(gtin ? { gtin } : {}),
    },
    product_link: product.productId ? `https://www.kroger.com/p/x/${product.productId}` : null,
    merchant_link: product.productId ? `https://www.kroger.com/p/x/${product.productId}` : null,
    origins: ORIGINS,
    parse: { rule: 'products', confidence: 1 },
  };
}

/** Kroger writes UPCs without their last digit, padded to 13. */
function withCheckDigit(upc: string): string {
  if (!/^\d{13}$/.test(upc)) return '';
  let sum = 0;
  for (let i = 0; i < 13; i++) sum += Number(upc[12 - i]) * (i % 2 === 0 ? 3 : 1);
  return `${upc}${(10 - (sum % 10)) % 10}`;
}

const stock = (level: string | null | undefined): Product['availability'] =>
  level === 'TEMPORARILY_OUT_OF_STOCK' ? 'out_of_stock' : level === 'HIGH' || level === 'LOW' ? 'in_stock' : 'unknown';

function fulfilments(offered: z.infer<typeof Offered> | undefined, place: string | null): Fulfilment[] {
  const ways = offered?.fulfillment;
  const way = (type: Fulfilment['type'], text: string): Fulfilment => ({ type, text, place, cost_minor: null });
  return [
    ...(ways?.inStore ? [way('in_store', place ? `In store, ${place}` : 'In store')] : []),
    ...(ways?.curbside ? [way('pickup', 'Curbside pickup')] : []),
    ...(ways?.delivery ? [way('delivery', 'Delivery')] : []),
    ...(ways?.shipToHome ? [way('shipping', 'Ship to home')] : []),
  ];
}
