import { afterAll, beforeAll, expect, test } from 'vitest';
import { Product } from '../../src/model/product/product.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { offersOf } from '../../src/sandbox/shopping/catalogue.ts';
import { layoutFor } from '../../src/sandbox/shopping/google.ts';
import { SHOPS } from '../../src/sandbox/shopping/index.ts';
import { offerAt } from '../../src/sandbox/shopping/product-pages.ts';
import { shopOffers, wholeCatalogue } from '../../src/sandbox/shopping/shopify.ts';
import type { Source } from '../../src/sources/define.ts';
import { SHOPPING_SOURCES } from '../../src/sources/shopping/index.ts';
import { krogerSource } from '../../src/sources/shopping/kroger.ts';
import { scrapeWith } from '../support/worlds/scrape.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const WORLD = { seed: 0, nowMs: NOW };
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ now: () => NOW, replicas: SHOPS });
});
afterAll(() => sandbox.close());

const KEYS = { 'kroger.client_id': 'id', 'kroger.client_secret': 'secret', 'serpapi.api_key': 'key' };
const named = (name: string): Source => SHOPPING_SOURCES.find((source) => source.name === name)!;

async function scrape(
  source: string | Source,
  params: unknown,
  keys: Record<string, string> = KEYS,
): Promise<Product[]> {
  const found = typeof source === 'string' ? named(source) : source;
  const options = { hostMap: `*=${sandbox.origin}`, sourceSettings: new Map(Object.entries(keys)) };
  const { items } = await scrapeWith(found, params, options);
  return items.map((item) => Product.parse(item));
}

const prices = (items: Product[]) => items.map(({ title, price }) => [title, price?.amount_minor, price?.currency]);

test('shopify: search gives the suggestions of the shop in its currency', async () => {
  const items = await scrape('shopify', { shop: 'https://corner-basket.myshopify.com/', item: 'milk' });
  const offers = shopOffers('milk', { host: 'corner-basket.myshopify.com', ...WORLD }).slice(0, 10);
  expect(prices(items)).toEqual(offers.map((offer) => [offer.title, offer.priceMinor, 'USD']));
  expect(items[0]).toMatchObject({
    seller: { name: 'corner basket', domain: 'corner-basket.myshopify.com' },
    source: 'shopify',
    position: 1,
  });
});

test('shopify: the catalogue is read to its end, and a page is not asked for twice', async () => {
  sandbox.reset();
  const items = await scrape('shopify', { shop: 'harbor.myshopify.com', max_products: 25_000 });
  const offers = wholeCatalogue({ host: 'harbor.myshopify.com', ...WORLD });
  expect(prices(items)).toEqual(offers.map((offer) => [offer.title, offer.priceMinor, 'USD']));
  expect(items.map(({ old_price }) => old_price?.amount_minor ?? null)).toEqual(offers.map(({ oldMinor }) => oldMinor));
  const paths = sandbox
    .log('harbor.myshopify.com')
    .map(({ path }) => path)
    .filter((path) => path.includes('products.json'));
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths).toHaveLength(Math.floor(offers.length / 250) + 1);
});

test('shopify: a currency without cents is not given any', async () => {
  const [first] = await scrape('shopify', { shop: 'tokyo-shop.myshopify.com', item: 'rice', max_products: 1 });
  const [offer] = shopOffers('rice', { host: 'tokyo-shop.myshopify.com', ...WORLD });
  expect(first?.price).toMatchObject({ amount_minor: Math.round(offer!.priceMinor / 100), currency: 'JPY' });
});

test('shopify: closed, busy and no shop at all are three answers', async () => {
  await expect(scrape('shopify', { shop: 'closed.myshopify.com', item: 'milk' })).rejects.toMatchObject({
    code: 'blocked',
    details: { outcome: 'unavailable' },
  });
  await expect(scrape('shopify', { shop: 'busy.myshopify.com', item: 'milk' })).rejects.toMatchObject({
    code: 'rate_limited',
  });
  await expect(scrape('shopify', { shop: 'pantry.woo.example', item: 'milk' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('woocommerce: minor units of the shop’s own choosing come out right, entities and all', async () => {
  const items = await scrape('woocommerce', { shop: 'pantry.woo.example', item: 'honey', max_products: 50 });
  const offers = shopOffers('honey', { host: 'pantry.woo.example', ...WORLD });
  expect(items.map(({ price }) => price?.amount_minor)).toEqual(offers.map(({ priceMinor }) => priceMinor));
  expect(items[0]?.price).toMatchObject({ currency: 'EUR' });
  expect(items[0]?.price?.text).toMatch(/^\d+,\d{3} €$/);
  expect(items.map(({ title }) => title)).toEqual(offers.map(({ title }) => title.replaceAll("'", '’')));
});

test('woocommerce: older shops are found at the older address, page after page', async () => {
  const items = await scrape('woocommerce', { shop: 'old-mill.woo.example', max_products: 25_000 });
  expect(items).toHaveLength(wholeCatalogue({ host: 'old-mill.woo.example', ...WORLD }).length);
  await expect(scrape('woocommerce', { shop: 'shop.example', item: 'x' })).rejects.toMatchObject({ code: 'not_found' });
});

test('walmart: products come from the state of the page, placeholders do not', async () => {
  const items = await scrape('walmart', { item: 'milk', zipcode: '10001', max_products: 50 });
  const offers = offersOf('milk', { ...WORLD, zip: null });
  expect(prices(items)).toEqual(offers.map((offer) => [offer.title, offer.priceMinor, 'USD']));
  expect(items[0]).toMatchObject({
    unit_price: { amount_minor: 22.1, basis: 'stated' },
    locality: { requested: '10001', evidence: null },
  });
  expect(items[0]?.fulfilment.map(({ type }) => type)).toEqual(['pickup', 'delivery']);
});

test('walmart: nothing found is a success, the wall is not', async () => {
  expect(await scrape('walmart', { item: 'nothing here', zipcode: '10001' })).toEqual([]);
  await expect(scrape('walmart', { item: 'captcha please', zipcode: '10001' })).rejects.toMatchObject({
    code: 'captcha',
  });
});

test('kroger: prices of the store near the ZIP, with the store as evidence', async () => {
  const items = await scrape('kroger', { item: 'bread', zipcode: '45202', max_products: 5 });
  const offers = offersOf('bread', { ...WORLD, zip: '45202' }).slice(0, 5);
  expect(items.map(({ price, old_price }) => [price?.amount_minor, old_price?.amount_minor ?? null])).toEqual(
    offers.map(({ priceMinor, oldMinor }) => [priceMinor, oldMinor]),
  );
  expect(items.map(({ size }) => size?.text)).toEqual(
    offers.map(({ size }) => expect.stringContaining(size.replace('pack of ', '').slice(-4))),
  );
  expect(items[0]?.locality.evidence).toMatch(/^store Kroger .+, 45202$/);
  expect(items[0]?.ids.gtin).toBe(offers[0]?.gtin);
});

test('kroger: one token serves many searches; a wrong key and no key say so', async () => {
  sandbox.reset();
  const source = krogerSource();
  for (const item of ['milk', 'eggs']) await scrape(source, { item, zipcode: '45202', max_products: 1 });
  expect(sandbox.log('api.kroger.com').filter(({ path }) => path.includes('oauth2'))).toHaveLength(1);
  const wrong = { 'kroger.client_id': 'wrong', 'kroger.client_secret': 'x' };
  await expect(scrape(source, { item: 'milk', zipcode: '45202' }, wrong)).rejects.toMatchObject({ code: 'http_4xx' });
  await expect(scrape(source, { item: 'milk', zipcode: '45202' }, {})).rejects.toMatchObject({
    code: 'invalid_config',
  });
});

test('kroger: no store near is no product, and no failure', async () => {
  expect(await scrape('kroger', { item: 'milk', zipcode: '00501' })).toEqual([]);
});

test('serpapi: the vendor’s rows are the same products as the page’s', async () => {
  // Tiles show no ratings; the vendor would not have them either.
  const item = ['milk', 'bread', 'rice', 'butter'].find((name) => layoutFor(name, 0) === 'grid-2024')!;
  const params = { item, zipcode: '33602', max_products: 50 };
  const [vendor, page] = [await scrape('serpapi', params), await scrape('google-shopping', params)];
  const facts = (items: Product[]) =>
    items.map(({ title, price, old_price, seller, rating, locality }) => ({
      title,
      price,
      old: old_price?.amount_minor,
      seller: seller.name,
      rating,
      isLocal: /In store/.test(locality.evidence ?? ''),
    }));
  expect(facts(vendor)).toEqual(facts(page));
});

test('serpapi: no results, a bad key and no key are three answers', async () => {
  expect(await scrape('serpapi', { item: 'nothing', zipcode: '10001' })).toEqual([]);
  await expect(
    scrape('serpapi', { item: 'milk', zipcode: '10001' }, { 'serpapi.api_key': 'wrong' }),
  ).rejects.toMatchObject({ code: 'invalid_config', message: expect.stringContaining('Invalid API key') });
  await expect(scrape('serpapi', { item: 'milk', zipcode: '10001' }, {})).rejects.toMatchObject({
    code: 'invalid_config',
    message: expect.stringContaining('SOURCE_SETTINGS'),
  });
});

test('open food facts: by barcode and by name, without prices', async () => {
  const [offer] = offersOf('milk', { ...WORLD, zip: null });
  expect(await scrape('open-food-facts', { barcode: offer!.gtin })).toMatchObject([
    { brand: offer!.brand, price: null, ids: { gtin: offer!.gtin } },
  ]);
  const items = await scrape('open-food-facts', { item: 'milk', max_products: 5 });
  expect(items).toHaveLength(5);
  await expect(scrape('open-food-facts', { barcode: '4006381333931' })).rejects.toMatchObject({ code: 'not_found' });
  expect(named('open-food-facts').params.safeParse({}).success).toBe(false);
});

test('open prices: observations by barcode and by category, per kilogram where they are', async () => {
  const [offer] = offersOf('milk', { ...WORLD, zip: null });
  expect(await scrape('open-prices', { barcode: offer!.gtin, zipcode: '38000' })).toMatchObject([
    {
      title: offer!.title,
      price: { amount_minor: offer!.priceMinor, currency: 'EUR' },
      size: { value: 500, unit: 'ml' },
      locality: { evidence: expect.stringContaining('Grenoble, 38000') },
    },
  ]);
  const [apples] = await scrape('open-prices', { item: 'Red Apples', max_products: 1 });
  expect(apples).toMatchObject({
    title: 'red apples',
    is_by_weight: true,
    unit_price: { per: { value: 1, unit: 'kg' }, basis: 'stated' },
    locality: { evidence: null },
  });
});

test.each([
  ['shop.example', 'json-ld'],
  ['micro.shop.example', 'microdata'],
  ['graph.shop.example', 'opengraph'],
])('product page: %s states its product as %s', async (host, rule) => {
  const offer = offerAt('/p/milk/2', WORLD)!;
  const [item] = await scrape('product-page', { url: `https://${host}/p/milk/2?utm_source=x` });
  expect(item).toMatchObject({
    title: offer.title,
    price: { amount_minor: offer.priceMinor, currency: 'USD' },
    availability: 'in_stock',
    merchant_link: `https://${host}/p/milk/2`,
    parse: { rule },
  });
});

test('product page: a page about something else is no product', async () => {
  await expect(scrape('product-page', { url: 'https://shop.example/about' })).rejects.toMatchObject({
    code: 'not_product',
  });
});

test('magento: a search in pages, configurable products as their variants', async () => {
  const items = await scrape('magento', { shop: 'pantry.magento.example', item: 'honey', max_products: 50 });
  const offers = shopOffers('honey', { host: 'pantry.magento.example', ...WORLD });
  const wanted = offers.flatMap(({ title, priceMinor }, at) =>
    at % 5 === 4
      ? [
          [`${title}, 2 pack`, priceMinor * 2, 'EUR'],
          [`${title}, 3 pack`, priceMinor * 3, 'EUR'],
        ]
      : [[title, priceMinor, 'EUR']],
  );
  expect(prices(items)).toEqual(wanted.slice(0, 50));
  expect(items[0]).toMatchObject({
    seller: { name: 'Magento Pantry', domain: 'pantry.magento.example' },
    product_link: `https://pantry.magento.example/${offers[0]!.id}.html`,
  });
  const whole = await scrape('magento', { shop: 'pantry.magento.example', max_products: 120 });
  expect(whole).toHaveLength(120);
  expect(new Set(whole.map(({ ids }) => ids.sku)).size).toBe(120);
});

test('magento: a closed shop, and a host without GraphQL, are told apart', async () => {
  await expect(scrape('magento', { shop: 'closed-pantry.magento.example', item: 'honey' })).rejects.toMatchObject({
    code: 'blocked',
  });
  await expect(scrape('magento', { shop: 'pantry.woo.example', item: 'honey' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('sap-commerce: a search from page 0, with the price that a shopper pays', async () => {
  const query = { shop: 'shop.occ.example', site: 'pantry' };
  const items = await scrape('sap-commerce', { ...query, item: 'honey', max_products: 10 });
  const offers = shopOffers('honey', { host: 'shop.occ.example', ...WORLD }).slice(0, 10);
  expect(prices(items)).toEqual(offers.map((offer) => [offer.title, offer.priceMinor, 'EUR']));
  expect(items.map(({ ids, brand }) => [ids.gtin, brand])).toEqual(offers.map((offer) => [offer.gtin, offer.brand]));
  expect(await scrape('sap-commerce', { ...query, max_products: 120 })).toHaveLength(120);
  await expect(scrape('sap-commerce', { ...query, site: 'other', item: 'honey' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('target: the key of the page opens the API, and a store its prices', async () => {
  const near = { item: 'milk', zipcode: '33602', max_products: 50 };
  const items = await scrape('target', near);
  const offers = offersOf('milk', { zip: null, ...WORLD });
  expect(prices(items)).toEqual(offers.map((offer) => [offer.title, offer.priceMinor, 'USD']));
  expect(items[0]).toMatchObject({
    brand: offers[0]!.brand,
    ids: { tcin: offers[0]!.id },
    locality: { evidence: null },
  });
  const inStore = await scrape('target', near, { 'target.store_id': '1234' });
  expect(prices(inStore)).toEqual(
    offersOf('milk', { zip: '33602', ...WORLD }).map((o) => [o.title, o.priceMinor, 'USD']),
  );
  expect(inStore[0]!.locality.evidence).toBe('store 1234');
  await expect(scrape('target', near, { 'target.api_key': 'old' })).rejects.toMatchObject({ code: 'blocked' });
  await expect(scrape('target', { ...near, item: 'captcha milk' })).rejects.toMatchObject({ code: 'captcha' });
});
