// Walmart's search, from the state its pages carry (`__NEXT_DATA__`).
// What a reader would get wrong: items that are no `Product` are placeholders for advertisements, and the price field has had many names.
import { z } from 'zod';
import { one, parse, text } from '../../extract/html/html.ts';
import { completeProduct, fulfilmentFrom, linkOf, type ProductDraft } from '../../extract/product/product-draft.ts';
import { parseUnitPrice } from '../../extract/product/unit-price.ts';
import { AppError } from '../../model/errors.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import type { Web, WebResponse } from '../../web/port.ts';
import { defineSource, type Notes } from '../define.ts';
import { cartParams } from './cart-params.ts';
import { readJson } from './shop-json.ts';
import { shopMoney } from './shop-money.ts';
import { readRows } from './shop-rows.ts';

const HOME = 'https://www.walmart.com/';
const MAX_PAGES = 25;
const PER_PAGE = 40;

const loose = z.union([z.string(), z.number()]).nullish();
const PriceInfo = z
  .object({
    linePrice: loose,
    linePriceDisplay: loose,
    itemPrice: loose,
    minPrice: loose,
    wasPrice: loose,
    unitPrice: loose,
    finalCostByWeight: z.boolean().nullish(),
    currentPrice: z.object({ price: loose, priceString: z.string().nullish() }).nullish(),
  })
  .nullish();
const Item = z.object({
  __typename: z.string().nullish(),
  usItemId: z.string().nullish(),
  name: z.string().nullish(),
  canonicalUrl: z.string().nullish(),
  brand: z.string().nullish(),
  sellerName: z.string().nullish(),
  availabilityStatus: z.string().nullish(),
  availabilityStatusV2: z.object({ value: z.string().nullish() }).nullish(),
  averageRating: z.number().nullish(),
  numberOfReviews: z.number().nullish(),
  imageInfo: z.object({ thumbnailUrl: z.string().nullish() }).nullish(),
  isSponsoredFlag: z.boolean().nullish(),
  salesUnitType: z.string().nullish(),
  fulfillmentBadgeGroups: z.array(z.object({ text: z.string().nullish(), slaText: z.string().nullish() })).nullish(),
  priceInfo: PriceInfo,
});
type Item = z.infer<typeof Item>;
const State = z.object({
  props: z.object({
    pageProps: z.object({
      initialData: z.object({
        searchResult: z.object({
          itemStacks: z.array(z.object({ items: z.array(z.unknown()) })),
          count: z.number().nullish(),
        }),
      }),
    }),
  }),
});

export const walmart = defineSource({
  name: 'walmart',
  title: 'Walmart search',
  kind: 'product',
  lane: 'http',
  hosts: ['www.walmart.com'],
  pace: { concurrency: 1, delayMs: 2_000 },
  policy: { identity: 'browser', engine: 'http-then-browser' },
  params: z.object(cartParams),
  async *scrape({ item, zipcode, max_products: max }, web, notes) {
    web.warn('walmart: the store depends on the IP address, not on the ZIP code');
    const scrapedAt = new Date().toISOString();
    let position = 0;
    for (let page = 1; page <= MAX_PAGES; page++) {
      const url = new URL('/search', HOME);
      url.searchParams.set('q', item);
      if (page > 1) url.searchParams.set('page', String(page));
      const { drafts, rows } = walmartPage(await web.get(url.href), web, notes);
      for (const draft of drafts) {
        position++;
        // The page says nothing about the place it is for.
        yield completeProduct(draft, {
          source: 'walmart',
          position,
          scrapedAt,
          locality: { requested: zipcode, evidence: null },
        });
        if (position >= max) return;
      }
      if (rows < PER_PAGE) return;
    }
  },
});

/** Products of a search page, and how many rows it has; throws what the page is instead when it holds no state. */
export function walmartPage(
  page: WebResponse,
  web: Pick<Web, 'diagnose'>,
  notes?: Notes,
): { drafts: ProductDraft[]; rows: number } {
  const script = one(parse(page.text), 'script#__NEXT_DATA__');
  const state = script?.children.map((child) => ('data' in child ? child.data : '')).join('') ?? '';
  if (state === '') {
    const diagnosis = web.diagnose(page);
    throw new AppError(
      diagnosis === 'captcha'
        ? 'captcha'
        : diagnosis === 'layout_changed' || diagnosis === 'empty'
          ? 'layout_changed'
          : 'blocked',
      `walmart: no __NEXT_DATA__ (${diagnosis})`,
    );
  }
  const { itemStacks } = readJson(state, State, 'walmart').props.pageProps.initialData.searchResult;
  const rows = itemStacks.flatMap(({ items }) => items).filter(isProductRow);
  const items = readRows(rows, Item, { about: 'walmart', notes });
  return { drafts: items.filter(isProduct).map(toDraft), rows: rows.length };
}

const isProductRow = (row: unknown): boolean =>
  ((row as { __typename?: unknown } | null)?.__typename ?? 'Product') === 'Product';

const isProduct = (item: Item): boolean => Boolean(item.usItemId && item.name);

const ORIGINS = prefixed('api', {
  title: 'items[].name',
  brand: 'items[].brand',
  seller: 'items[].sellerName | =computed',
  price: 'items[].priceInfo',
  old_price: 'items[].priceInfo.wasPrice',
  unit_price: 'items[].priceInfo.unitPrice',
  is_by_weight: 'items[].priceInfo.finalCostByWeight | items[].salesUnitType',
  availability: 'items[].availabilityStatusV2.value | items[].availabilityStatus',
  fulfilment: 'items[].fulfillmentBadgeGroups[]',
  rating: 'items[].averageRating',
  review_count: 'items[].numberOfReviews',
  image: 'items[].imageInfo.thumbnailUrl',
  ids: 'items[].usItemId',
  product_link: 'items[].canonicalUrl',
  merchant_link: 'items[].canonicalUrl',
  sponsored: 'items[].isSponsoredFlag',
});

function toDraft(item: Item): ProductDraft {
  const info = item.priceInfo;
  const shown =
    info?.linePriceDisplay ??
    info?.linePrice ??
    info?.itemPrice ??
    info?.currentPrice?.priceString ??
    info?.currentPrice?.price ??
    info?.minPrice;
  const link = linkOf(item.canonicalUrl, HOME);
  const lines = (item.fulfillmentBadgeGroups ?? []).map((badge) =>
    [badge.text, badge.slaText].filter(Boolean).join(' ').trim(),
  );
  const title = text(parse(item.name ?? ''));
  return {
    title,
    brand: item.brand ?? null,
    seller: { name: item.sellerName ?? 'Walmart', id: null, domain: 'walmart.com' },
    price: shopMoney(shown, 'USD'),
    old_price: shopMoney(info?.wasPrice, 'USD'),
    unit_price: parseUnitPrice(info?.unitPrice == null ? null : String(info.unitPrice), { usual: 'USD', title }),
    is_by_weight: info?.finalCostByWeight === true || /weight/i.test(item.salesUnitType ?? ''),
    availability: availability(item.availabilityStatusV2?.value ?? item.availabilityStatus),
    fulfilment: lines.map((line) => fulfilmentFrom(line, 'USD')).filter((found) => found !== null),
    rating: item.averageRating && item.averageRating <= 5 ? item.averageRating : null,
    review_count: item.numberOfReviews ?? null,
    image: linkOf(item.imageInfo?.thumbnailUrl, HOME),
    ids: { walmart_id: item.usItemId! },
    product_link: link,
    merchant_link: link,
    sponsored: item.isSponsoredFlag === true,
    origins: ORIGINS,
    parse: { rule: '__NEXT_DATA__', confidence: 0.95 },
  };
}

const availability = (value: string | null | undefined) =>
  value === 'IN_STOCK' ? 'in_stock' : value === 'OUT_OF_STOCK' || value === 'RETIRED' ? 'out_of_stock' : 'unknown';
