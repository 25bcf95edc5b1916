// GET /articles, /products and /analytics/… on a real database: what is listed and when, and that numbers are right.
import type pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Product } from '../../../src/model/product/product.ts';
import { createPool, transaction } from '../../../src/store/postgres/pool.ts';
import { saveProducts } from '../../../src/store/products/products.ts';
import { freshDatabase } from '../../support/own-servers.ts';
import { type Draft, pay, place, posting, save } from '../../support/worlds/postings.ts';
import { type ApiWorld, startApiWorld } from './api-world.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let world: ApiWorld;
let pool: pg.Pool;

const product = (title: string, minor: number | null, more: Partial<Product> = {}): Product => ({
  position: 1,
  title,
  brand: null,
  seller: { name: 'Corner Grocery', id: null, domain: null },
  price: minor === null ? null : { amount_minor: minor, currency: 'USD', text: `$${minor / 100}` },
  old_price: null,
  unit_price: null,
  size: null,
  is_by_weight: false,
  condition: null,
  availability: 'unknown',
  fulfilment: [],
  rating: null,
  review_count: null,
  review_count_is_rounded: false,
  image: null,
  ids: { google_cid: title },
  product_link: null,
  merchant_link: 'https://shop.example/',
  sponsored: false,
  source: 'google-shopping',
  scraped_at: '2026-11-15T00:00:00.000Z',
  locality: { requested: '10001', evidence: null },
  parse: { rule: 'test', confidence: 1 },
  ...more,
});

const saveResult = (key: string, ...items: Product[]): Promise<void> =>
  transaction(pool, (client) =>
    saveProducts(client, [
      { kind: 'product', key, taskId: crypto.randomUUID(), source: items[0]!.source, attempt: 1, part: 1, items },
    ]),
  );

const DRAFTS: Draft[] = [
  { source: 'indeed', external_id: '1', company: 'Acme', salary: pay(100_000, 120_000), seniority: 'senior' },
  { source: 'indeed', external_id: '2', company: 'Acme', title: 'Baker', salary: pay(20, 40, { interval: 'hour' }) },
  { source: 'indeed', external_id: '3', company: 'Beta', title: 'Cook', remote_type: 'remote' },
  {
    source: 'naukri',
    external_id: '4',
    company: '=Gamma',
    title: 'Driver',
    locations: [place('Pune', 'IN')],
    salary: pay(900_000, 1_100_000, { currency: 'INR' }),
  },
];

beforeAll(async () => {
  database = await freshDatabase();
  world = await startApiWorld({ databaseUrl: database.url });
  pool = createPool({ connection: database.url, connectTimeoutMs: 30_000 });
  const submitted = await world.call('POST', '/jobs/submit', {
    articles: ['a', 'b', 'c'].map((name) => ({
      url: `https://www.example.com/${name}`,
      source: name === 'c' ? 'Other' : 'BBC',
      category: 'Tech',
    })),
  });
  await world.ended(submitted.body.job_id);
  await saveResult(crypto.randomUUID(), product('Whole Milk', 429), product('Oat Milk', 399), product('Soap', null));
  await save(pool, ...DRAFTS.map(posting));
  await vi.waitFor(
    async () => {
      expect((await get('/articles')).articles).toHaveLength(3);
      expect((await get('/products')).products).toHaveLength(3);
    },
    { timeout: 60_000, interval: 100 },
  );
});
afterAll(async () => {
  await world?.stop();
  await pool?.end();
  await database?.drop();
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
async function get(path: string): Promise<any> {
  const { status, body, text } = await world.call('GET', path);
  expect(status, text).toBe(200);
  return body;
}

test.each([
  ['/articles?source=BBC', 2],
  ['/articles?category=Tech&source=Other', 1],
  ['/articles?host=example.com', 3],
  ['/articles?host=www.example.com&q=title', 3],
  ['/articles?host=example.org', 0],
  ['/articles?q=%22text%20of%22', 3],
  ['/articles?q=nothing', 0],
  ['/articles?published_after=2020-01-01', 0],
  ['/articles?scraped_after=2020-01-01&sort=-published_at', 3],
  ['/products?q=milk', 2],
  ['/products?q=milk%20-oat', 1],
  ['/products?seller=corner', 3],
  ['/products?max_price=4', 1],
  ['/products?min_price=4', 1],
  ['/products?zipcode=10001&currency=USD', 2],
  ['/products?zipcode=90210', 0],
  ['/products?source=kroger', 0],
])('%s finds %i', async (path, count) => {
  const [found] = Object.values(await get(path)) as [unknown[]];
  expect(found).toHaveLength(count);
});

test('an article is listed as its run called it, a product as carts show it', async () => {
  const [article] = (await get('/articles?source=Other')).articles;
  expect(article).toMatchObject({
    article_id: expect.stringMatching(/^art_[0-9a-f]{32}$/),
    url: 'https://www.example.com/c',
    source: 'Other',
    category: 'Tech',
    content: 'Text of https://www.example.com/c',
  });
  const [oats] = (await get('/products?sort=price&min_price=0')).products;
  expect(oats).toMatchObject({ title: 'Oat Milk', price: 3.99, product: 'google_cid:Oat Milk', zipcode: '10001' });
});

test('pages of every order together are all, each once; rows hold no formula', async () => {
  for (const [path, sorts] of [
    ['articles', ['-scraped_at', 'scraped_at', '-published_at']],
    ['products', ['-scraped_at', 'price', '-price']],
  ] as const) {
    for (const sort of sorts) {
      const seen: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: { next_cursor: string | null } & Record<string, unknown[]> = await get(
          `/${path}?sort=${sort}&limit=2${cursor && `&cursor=${cursor}`}`,
        );
        seen.push(...page[path]!);
        cursor = page.next_cursor;
      }
      expect(new Set(seen.map((one) => JSON.stringify(one))).size, `${path} ${sort}`).toBe(3);
    }
  }
  const rows = await world.call('GET', '/articles?format=csv');
  expect(rows.text.split('\r\n')[0]).toMatch(/^article_id,url,source,category,title,content/);
  expect(rows.text).toContain("'=Title of");
  const lines = await world.call('GET', '/products?format=ndjson&limit=2');
  expect(lines.text.trim().split('\n')).toHaveLength(2);
});

test('an offer seen again is the same row, with its new price', async () => {
  await saveResult(crypto.randomUUID(), product('Whole Milk', 499));
  await vi.waitFor(
    async () => {
      const [milk, ...others] = (await get('/products?q=whole')).products;
      expect(milk.price).toBe(4.99);
      expect(others).toEqual([]);
    },
    { timeout: 60_000, interval: 100 },
  );
});

test('postings are counted by time and group', async () => {
  const { rows, groups_cut } = await get('/analytics/postings?group_by=source');
  expect(groups_cut).toBe(false);
  expect(rows).toEqual([
    expect.objectContaining({ source: 'indeed', postings: 3, companies: 2, remote: 1, with_salary: 2 }),
    expect.objectContaining({ source: 'naukri', postings: 1, companies: 1, remote: 0, with_salary: 1 }),
  ]);
  expect(rows[0].bucket).toMatch(/T00:00:00.000Z$/);
  const cut = await get('/analytics/postings?group_by=company,country&limit=1&bucket=week');
  expect(cut.groups_cut).toBe(true);
  expect(cut.rows).toMatchObject([{ company: 'Acme', country: 'US', postings: 2 }]);
  expect((await get('/analytics/postings?to=2020-01-01')).rows).toEqual([]);
});

test('pay whose interval was concluded is counted, and not in percentiles', async () => {
  const read = pay(80_000, 90_000, { currency: 'EUR' });
  const concluded = (flag: string) => pay(4_000, 5_000, { currency: 'EUR', interval: 'month', flags: [flag] });
  const drafts = [
    read,
    concluded('interval_inferred'),
    concluded('interval_corrected'),
    concluded('currency_inferred'),
  ];
  await save(pool, ...drafts.map((salary, n) => posting({ source: 'bayt', external_id: `eur-${n}`, salary })));
  const { rows } = await get('/analytics/salaries?source=bayt');
  expect(rows).toMatchObject([{ currency: 'EUR', postings: 2, min: 54_000, max: 85_000 }]);
  expect((await get('/analytics/postings?source=bayt')).rows).toMatchObject([{ postings: 4, with_salary: 4 }]);
  await pool.query(`delete from postings where source = 'bayt'`);
});

test('pay is a year of it, each currency by itself', async () => {
  const { rows, bucket } = await get('/analytics/salaries');
  expect(bucket).toBeNull();
  expect(rows).toEqual([
    {
      bucket: null,
      currency: 'USD',
      postings: 2,
      min: 62_400,
      p10: 67_160,
      p25: 74_300,
      p50: 86_200,
      p75: 98_100,
      p90: 105_240,
      max: 110_000,
      mean: 86_200,
    },
    expect.objectContaining({ currency: 'INR', postings: 1, p50: 1_000_000 }),
  ]);
  const senior = await get('/analytics/salaries?group_by=seniority&currency=USD&bucket=day');
  expect(senior.rows.map((row: { seniority: string; p50: number }) => [row.seniority, row.p50]).sort()).toEqual([
    ['senior', 110_000],
    ['unknown', 62_400],
  ]);
});

test('companies are counted, the largest first, and a table has no formula either', async () => {
  const { rows } = await get('/analytics/companies');
  expect(rows[0]).toMatchObject({ company: 'Acme', postings: 2, sources: 1, with_salary: 2 });
  const { text, headers } = await world.call('GET', '/analytics/companies?format=csv&group_by=source');
  expect(headers.get('content-type')).toContain('text/csv');
  expect(text.split('\r\n')[0]).toBe(
    'company,source,postings,jobs,sources,cities,remote,with_salary,first_seen_at,last_seen_at',
  );
  expect(text).toContain("'=Gamma,naukri,1");
});

test('prices are decimal like those of products, by time, group and currency, with percentiles', async () => {
  await pool.query(`insert into prices (product, title, seller, zipcode, source, currency, price_minor)
    select 'id ' || n % 2, 'Rye Bread', 'Seller ' || n % 2, '10044', 'walmart', case n when 9 then 'JPY' else 'USD' end, n * 50 from generate_series(1, 9) n`);
  const { rows, from, group_by } = await get('/analytics/prices?q=rye&zipcode=10044');
  expect(from).toMatch(/Z$/);
  expect(group_by).toEqual([]);
  const day = expect.stringMatching(/T00:00:00.000Z$/);
  const spread = { min: 0.5, p10: 0.85, p25: 1.38, p50: 2.25, p75: 3.13, p90: 3.65, max: 4, mean: 2.25 };
  expect(rows).toEqual([
    { bucket: day, currency: 'USD', prices: 8, products: 2, ...spread },
    expect.objectContaining({ bucket: day, currency: 'JPY', prices: 1, min: 450, p50: 450, max: 450 }),
  ]);
  const cut = await get('/analytics/prices?zipcode=10044&group_by=seller,product&limit=1&bucket=week');
  expect(cut.groups_cut).toBe(true);
  expect(cut.rows).toMatchObject([
    { seller: 'Seller 1', product: 'id 1', currency: 'USD', prices: 4 },
    { seller: 'Seller 1', product: 'id 1', currency: 'JPY', prices: 1 },
  ]);
  const which = ['product=id%200', 'seller=seller%200', 'source=walmart&currency=USD&product=id%200'];
  for (const one of which)
    expect((await get(`/analytics/prices?zipcode=10044&${one}`)).rows).toMatchObject([{ prices: 4, p50: 2.5 }]);
  for (const none of ['seller=nobody', 'currency=EUR', 'source=kroger', 'zipcode=99999', 'to=2020-01-01'])
    expect((await get(`/analytics/prices?q=rye&${none}`)).rows).toEqual([]);
  const { text } = await world.call('GET', '/analytics/prices?format=csv&group_by=zipcode');
  expect(text.split('\r\n')[0]).toBe('bucket,zipcode,currency,prices,products,min,p10,p25,p50,p75,p90,max,mean');
});

test('what sources did is there by the hour', async () => {
  await vi.waitFor(
    async () => {
      const { rows } = await get('/analytics/sources?bucket=hour&source=article');
      expect(rows).toMatchObject([{ source: 'article', attempts: 3, done: 3, success_rate: 1, items: 3 }]);
    },
    { timeout: 60_000, interval: 100 },
  );
});

test.each([
  ['/analytics/postings?group_by=colour', '/group_by', /Known groups: source, company/],
  ['/analytics/postings?group_by=source,city,company', '/group_by', /at most two/],
  ['/analytics/prices?group_by=company', '/group_by', /Known groups: source, seller/],
  ['/analytics/companies?group_by=source,country', '/group_by', /one group besides company/],
  ['/analytics/postings?bucket=hour&from=2025-11-15&group_by=city&limit=200', '/bucket', /Use bucket=day/],
  ['/analytics/salaries?from=2026-11-02&to=2026-11-01', '/from', /before/],
  ['/analytics/sources?bucket=year', '/bucket', /one of hour, day, week/],
  ['/articles?published_after=soon', '/published_after', /has to be a day/],
  ['/products?sort=colour', '/sort', /one of/],
])('%s is refused by its name, with what to do', async (path, pointer, detail) => {
  const { status, body } = await world.call('GET', path);
  expect(status).toBe(422);
  expect(body.errors).toEqual([{ pointer, detail: expect.stringMatching(detail) }]);
});

test('an answer that takes too long is given up in time, and says what to change', async () => {
  const options = { from: new Date(0), to: new Date(), bucket: null, groups: [], filter: {}, limit: 1 } as const;
  const client = await pool.connect();
  await client.query('begin; lock table postings in access exclusive mode');
  try {
    await expect(world.store.countPostingsOver({ ...options, limitMs: 50 })).rejects.toMatchObject({
      code: 'query_too_slow',
      message: expect.stringContaining('shorter time'),
    });
  } finally {
    await client.query('rollback');
    client.release();
  }
});
