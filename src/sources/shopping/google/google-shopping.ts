// Google Shopping near a ZIP code: HTTP first, a browser where the page asks for JavaScript.
// What a reader would get wrong: Google may ignore the requested location. The requested one and the one shown on the page are stored separately, and
// no product counts as local without evidence. Google's robots.txt does not allow /search: an operator has to switch that check off for
// this source on purpose, or use the vendor source, which yields the same items.
import { z } from 'zod';
import { text } from '../../../extract/html/html.ts';
import { completeProduct } from '../../../extract/product/product-draft.ts';
import { AppError } from '../../../model/errors.ts';
import type { Product } from '../../../model/product/product.ts';
import { canonicalName, localityOf } from '../../../model/product/zip.ts';
import type { Web, WebResponse } from '../../../web/port.ts';
import { defineSource } from '../../define.ts';
import { cartParams } from '../cart-params.ts';
import { CARD_SELECTOR, LAYOUTS_VERSION, type PageReading, readShoppingPage } from './google-cards.ts';
import { classifyGooglePage, type Verdict } from './google-page.ts';
import { uuleOf } from './uule.ts';

const COUNTRY = 'us';
const CURRENCY = 'USD';

export const googleShopping = defineSource({
  name: 'google-shopping',
  title: 'Google Shopping near a ZIP code',
  kind: 'product',
  lane: 'http',
  hosts: ['www.google.com'],
  pace: { concurrency: 2, delayMs: 1_000 },
  policy: { identity: 'browser', engine: 'http-then-browser' },
  params: z.object(cartParams),
  async *scrape({ item, zipcode, max_products: max }, web) {
    const { page, reading, verdict } = await readResults(searchAddress(item, zipcode), item, web);
    web.countPage(verdict.class === 'results' || verdict.class === 'empty');
    if (verdict.class === 'empty') return;
    if (verdict.class !== 'results') throw failure(verdict, reading);
    const pageEvidence = placeShown(page, reading, zipcode);
    const scrapedAt = new Date().toISOString();
    for (const [i, draft] of reading.products.slice(0, max).entries()) {
      const own = draft.fulfilment?.find(({ type, place }) => type === 'in_store' || place !== null)?.text ?? null;
      const locality: Product['locality'] = { requested: zipcode, evidence: own ?? pageEvidence };
      yield completeProduct(draft, { source: 'google-shopping', position: i + 1, scrapedAt, locality });
    }
  },
});

/** The words "near zip … nearby" and the store view are what brings local rows on today's layout; the UULE names the place itself. */
export function searchAddress(item: string, zipcode: string): string {
  const place = localityOf(zipcode);
  if (!place) throw new AppError('invalid_params', 'not a US ZIP code');
  const url = new URL('https://www.google.com/search');
  url.searchParams.set('q', `${item} near zip ${place.zip} nearby`);
  url.searchParams.set('udm', '28');
  url.searchParams.set('shopmd', '4');
  url.searchParams.set('hl', 'en');
  url.searchParams.set('gl', COUNTRY);
  url.searchParams.set('pws', '0');
  url.searchParams.set('uule', uuleOf(canonicalName(place)));
  return url.href;
}

interface Read {
  page: WebResponse;
  reading: PageReading;
  verdict: Verdict;
}

async function readResults(address: string, item: string, web: Web): Promise<Read> {
  const first = await firstLook(address, item, web);
  return first ?? read(await web.page(address, { waitFor: CARD_SELECTOR, scroll: true }), item);
}

/** Null when only a browser that waits for the cards can say more. */
async function firstLook(address: string, item: string, web: Web): Promise<Read | null> {
  let found: Read;
  try {
    found = read(await web.get(address), item);
  } catch (error) {
    // A browser was there and looked before the page had let it pass.
    if (web.ledger.browserMs > 0 && error instanceof AppError && error.details?.block === 'js_challenge') return null;
    throw error;
  }
  const isUnfinished = found.verdict.class === 'layout_changed' && web.ledger.browserMs > 0;
  return found.verdict.class === 'js_required' || isUnfinished ? null : found;
}

function read(page: WebResponse, item: string): Read {
  const reading = readShoppingPage(page.text, { url: page.url, query: item, usual: CURRENCY });
  return { page, reading, verdict: classifyGooglePage(page, reading, COUNTRY) };
}

function failure({ class: name, evidence }: Verdict, reading: PageReading): AppError {
  const code = name === 'captcha' ? 'captcha' : name === 'layout_changed' ? 'layout_changed' : 'blocked';
  const counts = reading.counts.filter(({ matched }) => matched > 0);
  return new AppError(code, `${name} (${evidence})`, {
    details: { page: name, evidence, layouts: LAYOUTS_VERSION, counts },
  });
}

/** "Delivery to 10001" or another sentence of the page that names the ZIP; the search box and the title only repeat our own words. */
function placeShown(page: WebResponse, { document }: PageReading, zipcode: string): string | null {
  const zip = zipcode.slice(0, 5);
  const said = text(document);
  const found = new RegExp(
    `(?:deliver(?:y|ing)? to|ship(?:ping)? to|results for|your location:?|near)\\s+(?:[\\p{L} .,]{0,40}\\s)?${zip}(?!\\d)(?!\\s+nearby)`,
    'iu',
  ).exec(said);
  return found && page.status === 200 ? found[0] : null;
}
