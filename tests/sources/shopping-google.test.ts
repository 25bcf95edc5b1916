import { afterAll, beforeAll, expect, test } from 'vitest';
import { Product } from '../../src/model/product/product.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { dollars, offersOf } from '../../src/sandbox/shopping/catalogue.ts';
import { layoutFor, zipOf } from '../../src/sandbox/shopping/google.ts';
import { SHOPS } from '../../src/sandbox/shopping/index.ts';
import { googleShopping, searchAddress } from '../../src/sources/shopping/google/google-shopping.ts';
import { serve } from '../support/web/servers.ts';
import { scrapeWith } from '../support/worlds/scrape.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ now: () => NOW, replicas: SHOPS });
});
afterAll(() => sandbox.close());

const scrape = (params: unknown) => scrapeWith(googleShopping, params, { hostMap: `*=${sandbox.origin}` });
const truth = (item: string, zip: string | null) => offersOf(item, { seed: 0, nowMs: NOW, zip });
const itemWith = (layout: string) =>
  ['milk', 'bread', 'olive oil', 'rice', 'butter', 'pasta', 'coffee', 'tea', 'honey', 'flour'].find(
    (item) => layoutFor(item, 0) === layout,
  )!;

test('results near a ZIP become products with everything the page states', async () => {
  const item = itemWith('grid-2024');
  const { items } = await scrape({ item, zipcode: '33602', max_products: 50 });
  const offers = truth(item, '33602');
  expect(items).toHaveLength(offers.length);
  for (const [i, offer] of offers.entries()) {
    const product = Product.parse(items[i]);
    expect(product).toMatchObject({
      position: i + 1,
      title: offer.title,
      seller: { name: offer.seller, id: offer.sellerId },
      price: { amount_minor: offer.priceMinor, currency: 'USD', text: dollars(offer.priceMinor) },
      old_price: offer.oldMinor === null ? null : { amount_minor: offer.oldMinor },
      condition: offer.isUsed ? 'used' : null,
      rating: offer.rating,
      review_count_is_rounded: offer.reviews >= 1_000,
      ids: { google_oid: offer.id },
      parse: { rule: 'grid-2024 label' },
      source: 'google-shopping',
    });
    expect(product.fulfilment[0]).toMatchObject(
      offer.city === null ? { text: offer.delivery } : { type: 'in_store', place: offer.city },
    );
    expect(product.locality).toEqual({
      requested: '33602',
      evidence: offer.city === null ? 'Delivery to 33602' : `In store, ${offer.city}`,
    });
  }
  expect(items.some((product) => product.unit_price !== null)).toBe(true);
});

test('tiles are read once although each is drawn twice', async () => {
  const item = itemWith('tiles-2026');
  const { items } = await scrape({ item, zipcode: '10001', max_products: 50 });
  const offers = truth(item, '10001');
  expect(items.map(({ title, price, seller }) => [title, price?.amount_minor, seller.name])).toEqual(
    offers.map((offer) => [offer.title, offer.priceMinor, offer.seller]),
  );
  expect(items.map(({ old_price }) => old_price?.amount_minor ?? null)).toEqual(offers.map(({ oldMinor }) => oldMinor));
});

test('no more products than asked for', async () => {
  const { items } = await scrape({ item: 'milk', zipcode: '10001', max_products: 3 });
  expect(items).toHaveLength(3);
});

test('an honest empty page is a success without products', async () => {
  expect((await scrape({ item: 'nothing like this', zipcode: '10001' })).items).toEqual([]);
});

test('the address names the place by bytes', () => {
  const url = new URL(searchAddress('whole milk', '10001-1234'));
  expect(zipOf(url.searchParams.get('uule'))).toBe('10001');
  expect(url.searchParams.get('uule')).toBe('w+CAIQICIcMTAwMDEsTmV3IFlvcmssVW5pdGVkIFN0YXRlcw==');
  expect(url.search).toContain('uule=w%2BCAIQ');
  expect(url.searchParams.get('q')).toBe('whole milk near zip 10001 nearby');
});

const ROW = '<div class="sh-dlr__list-result" data-docid="7"><h3 class="xsRiS">Something</h3></div>';
test.each([
  [
    'a captcha',
    200,
    '<title>Sorry</title><form id="captcha-form"></form><p>Our systems have detected unusual traffic from your computer network.</p>',
    'captcha',
  ],
  [
    'a page for JavaScript only',
    200,
    '<title>Google Search</title><noscript><meta http-equiv="refresh" content="0;url=/httpservice/retry/enablejs?sei=x"></noscript>',
    'blocked',
  ],
  [
    'a page for another country',
    200,
    '<html lang="pt-BR"><title>milk - Google Shopping</title><p>Compras</p><div id="footcnt"><span>Brasil</span></div>',
    'blocked',
  ],
  [
    'cards nobody can read',
    200,
    `<title>milk - Google Shopping</title>${ROW.repeat(4)}<footer><span>United States</span><a>Privacy</a></footer>`,
    'layout_changed',
  ],
  ['an answer without any card', 200, '<title>milk - Google Shopping</title><p>Something new</p>', 'layout_changed'],
])('%s is not taken for an empty result', async (_, status, html, code) => {
  await using site = await serve((_request, response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end(html),
  );
  const attempt = scrapeWith(
    googleShopping,
    { item: 'milk', zipcode: '10001' },
    { hostMap: `*=${site.origin}`, robots: 'off' },
  );
  await expect(attempt).rejects.toMatchObject({ code });
});

test('an unreadable page says which rules matched how many cards', async () => {
  await using site = await serve((_request, response) =>
    response.setHeader('content-type', 'text/html').end(`<title>x</title>${ROW.repeat(3)}`),
  );
  const attempt = scrapeWith(
    googleShopping,
    { item: 'milk', zipcode: '10001' },
    { hostMap: `*=${site.origin}`, robots: 'off' },
  );
  await expect(attempt).rejects.toMatchObject({
    details: { page: 'layout_changed', counts: [{ rule: 'list-2020 .sh-dlr__list-result', matched: 3, read: 0 }] },
  });
});

test('a place that Google did not take is not claimed', async () => {
  await using site = await serve((_request, response) => {
    const card = (n: number) =>
      `<div data-attrid="apg-product-result" data-oid="${n}"><div jsname="ZvZkAe" aria-label="Milk ${n}.  Current price: $${n}.50. Some Shop. Free delivery."></div></div>`;
    response
      .setHeader('content-type', 'text/html')
      .end(`<textarea>milk near zip 10001 nearby</textarea>${card(1)}${card(2)}`);
  });
  const { items } = await scrapeWith(
    googleShopping,
    { item: 'milk', zipcode: '10001' },
    { hostMap: `*=${site.origin}`, robots: 'off' },
  );
  expect(items.map(({ locality }) => locality)).toEqual([
    { requested: '10001', evidence: null },
    { requested: '10001', evidence: null },
  ]);
});

test('robots.txt is asked, and Google forbids', async () => {
  await using site = await serve((request, response) =>
    response
      .setHeader('content-type', 'text/plain')
      .end(request.url === '/robots.txt' ? 'User-agent: *\nDisallow: /search\n' : 'x'),
  );
  await expect(
    scrapeWith(googleShopping, { item: 'milk', zipcode: '10001' }, { hostMap: `*=${site.origin}` }),
  ).rejects.toMatchObject({ code: 'robots' });
});

test('only items and ZIP codes are parameters', () => {
  for (const params of [
    { item: '', zipcode: '10001' },
    { item: 'milk', zipcode: '1000' },
    { item: 'milk', zipcode: '10001', max_products: 51 },
  ])
    expect(googleShopping.params.safeParse(params).success, JSON.stringify(params)).toBe(false);
});
