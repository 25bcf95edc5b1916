// Every built-in source on its replica: each field that has a value says where it came from, in a known form.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Item } from '../../src/model/item/item.ts';
import { ORIGINS_MAX, originsOf } from '../../src/model/provenance/origins.ts';
import { originsShown } from '../../src/model/provenance/provenance.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { SHOPS } from '../../src/sandbox/shopping/index.ts';
import { SOURCES } from '../../src/sources/built-in.ts';
import { serve } from '../support/web/servers.ts';
import { APP_KEY, CASES, KEYS } from '../support/worlds/every-source.ts';
import { scrapeWith } from '../support/worlds/scrape.ts';

const NOW_MS = Date.parse('2026-11-15T12:00:00Z');
let sandbox: Sandbox;
let comeet: Record<string, unknown>;
beforeAll(async () => {
  const { comeetToken } = await import('../../src/sandbox/careers/comeet.ts');
  comeet = { uid: '1A.00B', token: comeetToken('1A.00B') };
  sandbox = await startSandbox({ now: () => NOW_MS });
});
afterAll(() => sandbox.close());

/** What `originsShown` would have to call unknown, and origins that are no codes. */
function problemsOf(item: Item): string[] {
  const origins = originsOf(item) ?? null;
  const unknown = Object.entries(originsShown(item, origins)).filter(([, origin]) => origin === 'unknown');
  const odd = Object.values(origins ?? {}).filter(
    (origin) =>
      origin.length > ORIGINS_MAX.chars ||
      !origin
        .split(' | ')
        .every((one) =>
          /^(?:api|json-ld|microdata|meta|selector|rule|request|feed|html|url):.+$|^computed$|^inferred$/.test(one),
        ),
  );
  return [...unknown.map(([field]) => `${field} unknown`), ...odd.map((origin) => `odd: ${origin}`)];
}

async function expectOrigins(name: string, params: unknown, keys = KEYS, at = sandbox): Promise<Item[]> {
  const source = SOURCES.get(name)!;
  const { items } = await scrapeWith(source, params, { hostMap: `*=${at.origin}`, sourceSettings: keys });
  expect(items.length).toBeGreaterThan(0);
  expect([...new Set((items as Item[]).flatMap(problemsOf))]).toEqual([]);
  return items as Item[];
}

test.each(CASES)('%s %j', async (name, params, keys) => {
  await expectOrigins(name, params, keys ? new Map([...KEYS, APP_KEY]) : KEYS);
});

test('comeet', async () => {
  await expectOrigins('comeet', comeet);
});

test('shops that only the shopping sandbox has', async () => {
  const shops = await startSandbox({ now: () => NOW_MS, replicas: SHOPS });
  await expectOrigins('google-shopping', { item: 'milk', zipcode: '33602' }, KEYS, shops);
  await shops.close();
});

test('career pages by JSON-LD, by selectors, by a feed and by a mapping', async () => {
  const site = (kind: string) => `https://oakhaven-40-${kind}.hiring.example`;
  const stated = await expectOrigins('static', { url: `${site('jsonld')}/careers` });
  expect(originsOf(stated[0]!)).toMatchObject({ title: 'json-ld:title | json-ld:name' });
  const fields = { title: 'h3 a', url: 'h3 a@href', location: '.place', department: '.team', posted: 'time' };
  const list = { url: `${site('list')}/careers`, item: 'li.job', fields };
  const selected = await expectOrigins('static', list);
  expect(originsOf(selected[0]!)).toMatchObject({ title: 'selector:h3 a', department: 'selector:.team' });
  const detailed = await expectOrigins('static', { ...list, details: true, detail_fields: { description: '.text' } });
  expect(originsOf(detailed[0]!)).toMatchObject({ title: expect.any(String), description: 'selector:.text' });
  await expectOrigins('sitemap', { url: `${site('sitemap')}/sitemap.xml` });
  const mapping = { id: 'ref', title: 'name', url: 'slug', location: 'where', description: 'body' };
  await expectOrigins('embedded', { url: `${site('state')}/careers`, items: 'openings', fields: mapping });
});

test('every built-in source is among them, but for those that need a browser or are tested below', () => {
  const tested = new Set([
    ...CASES.map(([name]) => name),
    'comeet',
    'static',
    'article',
    'product-page',
    'rss',
    'api',
    'sitemap',
    'embedded',
    'crawl',
  ]);
  // The same code as `static`.
  tested.add('playwright');
  expect([...SOURCES.keys()].filter((name) => !tested.has(name))).toEqual([]);
});

const PAGE = `<html lang="en"><head><title>Tides</title><meta property="og:title" content="The tides of March">
<script type="application/ld+json">{"@type":"NewsArticle","headline":"The tides of March","author":{"name":"Ann Example"},"datePublished":"2026-03-01T10:00:00Z","image":"https://a.test/i.jpg"}</script>
</head><body><article><h1>The tides of March</h1>${'<p>The sea comes in twice a day, and nobody in the town has ever been surprised by it, as far as anybody remembers.</p>'.repeat(6)}</article></body></html>`;
const PRODUCT = `<html><head><script type="application/ld+json">{"@type":"Product","name":"Whole milk 1 gal","brand":"Farm","offers":{"price":"3.50","priceCurrency":"USD","availability":"InStock"}}</script>
<meta property="og:type" content="product"><meta property="og:title" content="Whole milk"><meta property="og:image" content="https://a.test/i.jpg"></head><body><h1>Whole milk 1 gal</h1></body></html>`;
const FEED = `<?xml version="1.0"?><rss version="2.0"><channel><title>Jobs</title><link>https://a.test</link><item><guid>1</guid><title>Welder</title><link>https://a.test/1</link><description>Welds pipes.</description><pubDate>Mon, 02 Nov 2026 10:00:00 GMT</pubDate><location>Tampa, FL</location><category>Trades</category></item></channel></rss>`;
const JOBS = JSON.stringify({
  rows: [{ n: 7, name: 'Welder', at: 'https://a.test/7', city: 'Tampa', pay: '$20 an hour' }],
});

test('articles, product pages, feeds and mappings name the place of each field', async () => {
  await using pages = await serve((request, response) => {
    const body: Record<string, [string, string]> = {
      '/article': ['text/html', PAGE],
      '/product': ['text/html', PRODUCT],
      '/feed': ['application/rss+xml', FEED],
      '/jobs': ['application/json', JOBS],
    };
    const [type, text] = body[request.url!] ?? ['text/plain', ''];
    response.writeHead(text === '' ? 404 : 200, { 'content-type': type }).end(text);
  });
  const at = pages as unknown as Sandbox;
  const [article] = await expectOrigins('article', { url: 'http://a.test/article' }, KEYS, at);
  expect(originsOf(article!)).toMatchObject({
    title: 'html:h1',
    author: 'json-ld:author',
    published_at: 'json-ld:datePublished',
    language: 'html:lang',
    content: 'rule:article-text',
    image: expect.stringMatching(/^(?:json-ld:image|meta:og:image)$/),
  });
  await expectOrigins('crawl', { url: 'http://a.test/article' }, KEYS, at);
  const [product] = await expectOrigins('product-page', { url: 'http://a.test/product' }, KEYS, at);
  expect(originsOf(product!)).toMatchObject({
    title: 'json-ld:name | json-ld:title',
    image: 'meta:og:image',
    size: 'rule:size-in-title',
    unit_price: 'computed',
  });
  const [entry] = await expectOrigins('rss', { url: 'http://a.test/feed' }, KEYS, at);
  expect(originsOf(entry!)).toMatchObject({ title: 'feed:title', posted_at: 'feed:published' });
  const fields = { id: 'n', title: 'name', url: 'at', city: 'city', salary: 'pay' };
  const [job] = await expectOrigins('api', { url: 'http://a.test/jobs', items: 'rows', fields }, KEYS, at);
  expect(originsOf(job!)).toMatchObject({
    title: 'api:name',
    locations: 'api:city',
    salary_min: 'api:pay',
    job_hash: 'computed',
  });
});
