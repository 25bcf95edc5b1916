// Google Shopping through a vendor that answers with JSON (SerpApi's shape): the same items as google-shopping without touching Google. Needs a key.
// What a reader would get wrong: "no results" comes as an error text with status 200, and `location` may not be combined with a UULE.
import { z } from 'zod';
import { moneyFrom } from '../../extract/money/money.ts';
import { conditionIn } from '../../extract/product/offers.ts';
import { completeProduct, fulfilmentFrom, linkOf, type ProductDraft } from '../../extract/product/product-draft.ts';
import { outOfFive } from '../../extract/product/rating.ts';
import { AppError } from '../../model/errors.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import { defineSource } from '../define.ts';
import { cartParams } from './cart-params.ts';
import { unwrapLink } from './google/google-links.ts';
import { shopMoney } from './shop-money.ts';
import { readRows } from './shop-rows.ts';

const API = 'https://serpapi.com/search.json';
const NO_RESULTS = /hasn't returned any results/i;
const BAD_KEY = /api key/i;

const loose = z.union([z.string(), z.number()]).nullish();
/** The full answer and the reduced ones people keep of it. */
export const VendorRow = z.object({
  position: z.number().nullish(),
  title: z.string().nullish(),
  name: z.string().nullish(),
  product_id: loose,
  product_link: z.string().nullish(),
  link: z.string().nullish(),
  source: z.string().nullish(),
  merchant: z.string().nullish(),
  price: loose,
  extracted_price: z.number().nullish(),
  old_price: loose,
  extracted_old_price: z.number().nullish(),
  second_hand_condition: z.string().nullish(),
  rating: z.number().nullish(),
  reviews: z.number().nullish(),
  review_count: z.number().nullish(),
  delivery: z.string().nullish(),
  extensions: z.array(z.string()).nullish(),
  thumbnail: z.string().nullish(),
});
export type VendorRow = z.infer<typeof VendorRow>;
const Answer = z.object({
  search_metadata: z.object({ status: z.string().nullish() }).nullish(),
  error: z.string().nullish(),
  shopping_results: z.array(z.unknown()).nullish(),
  inline_shopping_results: z.array(z.unknown()).nullish(),
  categorized_shopping_results: z.array(z.object({ shopping_results: z.array(z.unknown()).nullish() })).nullish(),
});

export const serpapi = defineSource({
  name: 'serpapi',
  title: 'Google Shopping near a ZIP code, by a vendor',
  kind: 'product',
  lane: 'http',
  hosts: ['serpapi.com'],
  pace: { concurrency: 4, delayMs: 0 },
  params: z.object(cartParams),
  async *scrape({ item, zipcode, max_products: max }, web, notes) {
    const apiKey = web.setting('api_key');
    if (apiKey === null) throw new AppError('invalid_config', 'serpapi needs SOURCE_SETTINGS=serpapi.api_key=…');
    const zip = zipcode.slice(0, 5);
    const query = new URLSearchParams({
      engine: 'google_shopping',
      q: `${item} near, ${zip} nearby`,
      location: `${zip}, United States`,
      hl: 'en',
      gl: 'us',
      api_key: apiKey,
    });
    const page = await web.json(`${API}?${query}`, Answer, { accept: [400, 401] });
    if (page.error && !NO_RESULTS.test(page.error))
      throw new AppError(
        BAD_KEY.test(page.error) ? 'invalid_config' : 'blocked',
        `serpapi: ${page.error.slice(0, 200)}`,
      );
    const rows = [
      ...(page.shopping_results ?? []),
      ...(page.categorized_shopping_results ?? []).flatMap((group) => group.shopping_results ?? []),
      ...(page.inline_shopping_results ?? []),
    ];
    if (rows.length === 0 && !page.error)
      throw new AppError('layout_changed', 'serpapi: no results and no "no results" message');
    const scrapedAt = new Date().toISOString();
    let position = 0;
    const readable = readRows(rows, VendorRow, { about: 'serpapi', notes });
    for (const draft of readable.map(vendorDraft).filter((draft) => draft !== null)) {
      const evidence = draft.fulfilment?.find(({ type }) => type === 'in_store')?.text ?? null;
      position++;
      yield completeProduct(draft, {
        source: 'serpapi',
        position,
        scrapedAt,
        locality: { requested: zipcode, evidence },
      });
      if (position >= max) return;
    }
  },
});

const ORIGINS = prefixed('api', {
  title: 'shopping_results[].title | shopping_results[].name',
  seller: 'shopping_results[].source | shopping_results[].merchant',
  price: 'shopping_results[].price | shopping_results[].extracted_price',
  old_price: 'shopping_results[].old_price | shopping_results[].extracted_old_price',
  condition: 'shopping_results[].second_hand_condition',
  fulfilment: 'shopping_results[].delivery | shopping_results[].extensions[]',
  rating: 'shopping_results[].rating',
  review_count: 'shopping_results[].reviews | shopping_results[].review_count',
  image: 'shopping_results[].thumbnail',
  ids: 'shopping_results[].product_id',
  product_link: 'shopping_results[].product_link',
  merchant_link: 'shopping_results[].link',
});

/** Null for rows without a name. */
export function vendorDraft(row: VendorRow): ProductDraft | null {
  const title = row.title ?? row.name;
  if (!title) return null;
  const lines = [row.delivery, ...(row.extensions ?? [])].filter((line) => line != null);
  const reviews = row.reviews ?? row.review_count ?? null;
  const shown = typeof row.price === 'string' ? moneyFrom(row.price, { usual: 'USD' }) : null;
  return {
    title,
    seller: { name: row.source ?? row.merchant ?? null, id: null, domain: null },
    price: shown ?? shopMoney(row.extracted_price ?? row.price, 'USD'),
    old_price:
      (typeof row.old_price === 'string' ? moneyFrom(row.old_price, { usual: 'USD' }) : null) ??
      shopMoney(row.extracted_old_price ?? row.old_price, 'USD'),
    condition: conditionIn(row.second_hand_condition ?? null),
    fulfilment: lines.map((line) => fulfilmentFrom(line, 'USD')).filter((found) => found !== null),
    rating: row.rating == null ? null : outOfFive({ value: row.rating, best: null }),
    review_count: reviews,
    // The vendor passes on what Google shows, which is rounded from a thousand on.
    review_count_is_rounded: reviews !== null && reviews >= 1_000 && reviews % 100 === 0,
    image: linkOf(row.thumbnail, API),
    ids: row.product_id == null ? {} : { google_pid: String(row.product_id) },
    product_link: linkOf(row.product_link, API),
    merchant_link: row.link ? unwrapLink(row.link, 'https://www.google.com/') : null,
    origins: ORIGINS,
    parse: { rule: 'vendor', confidence: 0.9 },
  };
}
