// Open Prices: what people paid for a product, with shop, place and date (ODbL: name the source). Reads need no key.
// What a reader would get wrong: each item is one observation of one day in one shop, not an offer; raw food has its price per kilogram.
import { z } from 'zod';
import { completeProduct, linkOf, type ProductDraft } from '../../extract/product/product-draft.ts';
import { normaliseGtin } from '../../model/product/gtin.ts';
import type { Size, UnitPrice } from '../../model/product/product.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import { defineSource } from '../define.ts';
import { hasOneKey, lookupParams } from './cart-params.ts';
import { shopMoney } from './shop-money.ts';
import { readRows } from './shop-rows.ts';

const API = 'https://prices.openfoodfacts.org/api/v1';
const MAX_PAGE_SIZE = 100;

export const Observed = z.object({
  id: z.number().nullish(),
  product_code: z.string().nullish(),
  product_name: z.string().nullish(),
  category_tag: z.string().nullish(),
  price: z.number(),
  price_without_discount: z.number().nullish(),
  price_per: z.enum(['KILOGRAM', 'UNIT']).nullish(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  date: z.string().nullish(),
  product: z
    .object({
      product_name: z.string().nullish(),
      brands: z.string().nullish(),
      product_quantity: z.number().nullish(),
      product_quantity_unit: z.string().nullish(),
      image_url: z.string().nullish(),
    })
    .nullish(),
  location: z
    .object({
      osm_name: z.string().nullish(),
      osm_address_postcode: z.string().nullish(),
      osm_address_city: z.string().nullish(),
    })
    .nullish(),
});
export type Observed = z.infer<typeof Observed>;
export const ObservedPage = z.object({
  items: z.array(z.unknown()),
  page: z.number().nullish(),
});

export const openPrices = defineSource({
  name: 'open-prices',
  title: 'Open Prices: prices people saw, by barcode or category',
  kind: 'product',
  lane: 'http',
  hosts: ['prices.openfoodfacts.org'],
  pace: { concurrency: 1, delayMs: 1_000 },
  params: z
    .object({
      ...lookupParams,
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/)
        .optional(),
    })
    .refine(...hasOneKey),
  async *scrape({ item, barcode, currency, zipcode, max_products: max }, web, notes) {
    const query = new URLSearchParams({
      order_by: '-date',
      size: String(Math.min(MAX_PAGE_SIZE, max)),
      ...(barcode === undefined ? { category_tag: categoryOf(item!) } : { product_code: barcode }),
      ...(currency === undefined ? {} : { currency }),
    });
    const { items } = await web.json(`${API}/prices?${query}`, ObservedPage);
    const scrapedAt = new Date().toISOString();
    let position = 0;
    for (const observed of readRows(items, Observed, { about: 'open-prices', notes }).slice(0, max)) {
      const draft = observedDraft(observed);
      if (!draft) continue;
      position++;
      const { osm_address_postcode: code, osm_name: shop, osm_address_city: city } = observed.location ?? {};
      const isThere = zipcode !== undefined && code === zipcode.slice(0, 5);
      const evidence = isThere ? `seen at ${[shop, city, code].filter(Boolean).join(', ')}` : null;
      yield completeProduct(draft, {
        source: 'open-prices',
        position,
        scrapedAt,
        locality: { requested: zipcode ?? null, evidence },
      });
    }
  },
});

/** Categories are English words: "Whole Milk" is `en:whole-milk`. */
const categoryOf = (item: string): string =>
  `en:${item
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')}`;

const ORIGINS = prefixed('api', {
  title: 'items[].product.product_name | items[].product_name | items[].category_tag',
  brand: 'items[].product.brands',
  seller: 'items[].location.osm_name',
  price: 'items[].price',
  old_price: 'items[].price_without_discount',
  unit_price: 'items[].price_per',
  size: 'items[].product.product_quantity',
  is_by_weight: 'items[].price_per',
  image: 'items[].product.image_url',
  ids: 'items[].id | items[].product_code | items[].date',
  product_link: '=computed',
});

/** Null for rows that name neither product nor category. */
export function observedDraft(row: Observed): ProductDraft | null {
  const title =
    row.product?.product_name ?? row.product_name ?? row.category_tag?.replace(/^\w\w:/, '').replaceAll('-', ' ');
  if (!title) return null;
  const price = shopMoney(row.price, row.currency);
  const isByWeight = row.price_per === 'KILOGRAM';
  const unitPrice: UnitPrice | null =
    isByWeight && price
      ? {
          amount_minor: price.amount_minor,
          currency: row.currency,
          per: { value: 1, unit: 'kg' },
          basis: 'stated',
          text: null,
        }
      : null;
  const gtin = normaliseGtin(row.product_code);
  return {
    title,
    brand: row.product?.brands?.split(',')[0]?.trim() || null,
    seller: { name: row.location?.osm_name ?? null, id: null, domain: null },
    price,
    old_price: shopMoney(row.price_without_discount, row.currency),
    unit_price: unitPrice,
    size: sizeOf(row.product?.product_quantity, row.product?.product_quantity_unit),
    is_by_weight: isByWeight,
    image: linkOf(row.product?.image_url, API),
    ids: {
      ...(row.id == null ? {} : { open_prices_id: String(row.id) }),
      ...(row.product_code ? { code: row.product_code } : {}),
      ...(gtin ? { gtin } : {}),
      ...(row.date ? { date: row.date } : {}),
    },
    product_link: row.product_code ? `https://prices.openfoodfacts.org/products/${row.product_code}` : null,
    origins: ORIGINS,
    parse: { rule: 'api', confidence: 1 },
  };
}

/** Quantities are in grams unless the row says millilitres. */
function sizeOf(quantity: number | null | undefined, unit: string | null | undefined): Size | null {
  if (!quantity || quantity <= 0 || (unit != null && unit !== 'g' && unit !== 'ml')) return null;
  return {
    value: quantity,
    unit: unit === 'ml' ? 'ml' : 'g',
    count: 1,
    is_ambiguous: unit == null,
    confidence: 0.9,
    text: `${quantity} ${unit ?? 'g'}`,
  };
}
