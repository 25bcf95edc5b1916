// Any SAP Commerce (Hybris) shop, by the OCC search its own pages ask, without a key.
// What a reader would get wrong: pages begin at 0, and a level of stock that is rounded says only that there is some.
import { z } from 'zod';
import { parse, text } from '../../extract/html/html.ts';
import { completeProduct, linkOf, type ProductDraft } from '../../extract/product/product-draft.ts';
import { AppError } from '../../model/errors.ts';
import { normaliseGtin } from '../../model/product/gtin.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import { defineSource } from '../define.ts';
import { shopParams } from './cart-params.ts';
import { readJson } from './shop-json.ts';
import { shopMoney } from './shop-money.ts';
import { readRows } from './shop-rows.ts';

const PAGE_SIZE = 50;

const Price = z
  .object({ currencyIso: z.string().nullish(), formattedValue: z.string().nullish(), value: z.number().nullish() })
  .nullish();
export const OccProduct = z.object({
  code: z.string().min(1),
  name: z.string().min(1),
  url: z.string().nullish(),
  ean: z.string().nullish(),
  manufacturer: z.string().nullish(),
  price: Price,
  priceWithTax: Price,
  stock: z.object({ stockLevelStatus: z.union([z.string(), z.object({ code: z.string() })]).nullish() }).nullish(),
  averageRating: z.number().nullish(),
  numberOfReviews: z.number().nullish(),
  images: z.array(z.object({ url: z.string().nullish(), format: z.string().nullish() })).nullish(),
});
type OccProduct = z.infer<typeof OccProduct>;
export const OccPage = z.object({
  products: z.array(z.unknown()).default([]),
  pagination: z.object({ totalPages: z.number().nullish() }).nullish(),
});

export const sapCommerce = defineSource({
  name: 'sap-commerce',
  title: 'A SAP Commerce (Hybris) shop: search or whole catalogue',
  kind: 'product',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 1, delayMs: 500 },
  params: z.object({
    ...shopParams,
    site: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,60}$/)
      .meta({ description: 'The base site in the addresses of the API: `/rest/v2/<site>/products/search`.' }),
  }),
  async *scrape({ shop, site, item, zipcode, max_products: max }, web, notes) {
    const scrapedAt = new Date().toISOString();
    const locality = { requested: zipcode ?? null, evidence: null };
    let position = 0;
    for (let page = 0; ; page++) {
      const query = new URLSearchParams({
        query: `${item ?? ''}:relevance`,
        pageSize: String(Math.min(PAGE_SIZE, max)),
        currentPage: String(page),
        fields: 'FULL',
      });
      const answer = await web.get(`https://${shop}/rest/v2/${site}/products/search?${query}`, {
        accept: [400, 401, 403, 404],
        headers: { accept: 'application/json' },
      });
      if (answer.status === 400 || answer.status === 404)
        throw new AppError('not_found', `sap-commerce: the shop has no site ${site}`);
      if (answer.status >= 400)
        throw new AppError('blocked', `sap-commerce: unavailable (${answer.status})`, {
          details: { outcome: 'unavailable' },
        });
      const { products, pagination } = readJson(answer.text, OccPage, 'sap-commerce');
      for (const product of readRows(products, OccProduct, { about: 'sap-commerce', notes })) {
        position++;
        yield completeProduct(occDraft(product, shop), { source: 'sap-commerce', position, scrapedAt, locality });
        if (position >= max) return;
      }
      if (products.length === 0 || page + 1 >= (pagination?.totalPages ?? 1)) return;
    }
  },
});

const ORIGINS = prefixed('api', {
  title: 'products[].name',
  brand: 'products[].manufacturer',
  seller: '=request:shop',
  price: 'products[].priceWithTax | products[].price',
  availability: 'products[].stock.stockLevelStatus',
  rating: 'products[].averageRating',
  review_count: 'products[].numberOfReviews',
  image: 'products[].images[].url',
  ids: 'products[].code | products[].ean',
  product_link: 'products[].url',
  merchant_link: 'products[].url',
});

export function occDraft(product: OccProduct, shop: string): ProductDraft {
  const base = `https://${shop}/`;
  // What a shopper pays.
  const said = product.priceWithTax?.value == null ? product.price : product.priceWithTax;
  const status = product.stock?.stockLevelStatus;
  const gtin = normaliseGtin(product.ean);
  const link = linkOf(product.url, base);
  const rating = product.averageRating ?? 0;
  return {
    title: text(parse(product.name)),
    brand: product.manufacturer || null,
    seller: { name: shop, id: null, domain: shop },
    price:
      said?.value == null || !said.currencyIso
        ? null
        : shopMoney(rounded(said.value), said.currencyIso, said.formattedValue),
    availability: stock(typeof status === 'string' ? status : status?.code),
    rating: rating > 0 && rating <= 5 ? rating : null,
    review_count: product.numberOfReviews ?? null,
    image: linkOf(product.images?.find((image) => image.url)?.url, base),
    ids: { sku: product.code, ...(gtin ? { gtin } : {}) },
    product_link: link,
    merchant_link: link,
    origins: ORIGINS,
    parse: { rule: 'occ', confidence: 0.95 },
  };
}

/** Taxes leave more digits than the currency has: 17.894. */
const rounded = (value: number): number => Math.round(value * 100) / 100;

const stock = (status: string | undefined) =>
  status === 'inStock' || status === 'lowStock' ? 'in_stock' : status === 'outOfStock' ? 'out_of_stock' : 'unknown';
