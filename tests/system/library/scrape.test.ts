// The functions that scrape without a server, against the sandbox.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type Progress,
  scrapeArticles,
  scrapeCompany,
  scrapeJobs,
  scrapeProducts,
} from '../../../src/library/index.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

/** The sandbox need not be spared. */
const QUICK = { concurrency: 4, delayMs: 0 };
const toSandbox = () => ({ hostMap: { '*': sandbox.origin }, pace: { linkedin: QUICK, indeed: QUICK } });
const requestsTo = (host: string): number =>
  sandbox.log().filter((hit) => hit.host.endsWith(host) && hit.path !== '/robots.txt').length;

/** What was sent before has been counted: the sandbox is in this process. */
const arrived = () => new Promise((resolve) => setTimeout(resolve, 50));

test('jobs of two boards, as many from each as were wanted, with progress', async () => {
  const told: Progress[] = [];
  const jobs = scrapeJobs({
    sites: ['indeed', 'linkedin'],
    searchTerm: 'nurse',
    location: 'Boston',
    results: 20,
    onProgress: (progress) => told.push(progress),
    ...toSandbox(),
  });
  const found = await jobs.toArray();
  expect(found.filter(({ site }) => site === 'indeed')).toHaveLength(20);
  expect(found.filter(({ site }) => site === 'linkedin')).toHaveLength(20);
  expect(new Set(found.map(({ jobHash }) => jobHash)).size).toBe(40);
  for (const job of found) expect(job).toMatchObject({ title: expect.stringMatching(/nurse/i), isClosed: false });
  expect(jobs.errors).toEqual([]);
  // One for each job and one for each end; numbers only grow.
  expect(told).toHaveLength(42);
  expect(told.map(({ found: count }) => count)).toEqual(told.map(({ found: count }) => count).sort((a, b) => a - b));
  expect(told.at(-1)).toEqual(jobs.progress);
  expect(jobs.progress).toMatchObject({ tasks: 2, completed: 2, failed: 0, found: 40 });
});

test('one site is down: that is a value, and the other brings all of its jobs', async () => {
  // Nothing listens on the discard port.
  const jobs = scrapeJobs({
    sites: ['indeed', 'linkedin'],
    searchTerm: 'engineer',
    results: 15,
    maxRetries: 0,
    hostMap: { '*.linkedin.com': sandbox.origin, '*.indeed.com': 'http://127.0.0.1:9' },
  });
  const found = await jobs.toArray();
  expect(found.map(({ site }) => site)).toEqual(Array.from({ length: 15 }, () => 'linkedin'));
  expect(jobs.errors).toMatchObject([{ site: 'indeed', target: 'engineer', code: 'network', attempts: 1, found: 0 }]);
  expect(jobs.progress.sites.map(({ site, state }) => [site, state])).toEqual([
    ['indeed', 'failed'],
    ['linkedin', 'done'],
  ]);
});

test('all sites may fail, and nothing is thrown', async () => {
  const jobs = scrapeJobs({
    sites: ['indeed', 'glassdoor'],
    searchTerm: 'engineer #blocked',
    maxRetries: 0,
    ...toSandbox(),
  });
  expect(await jobs.toArray()).toEqual([]);
  expect(jobs.errors.map(({ site }) => site).sort()).toEqual(['glassdoor', 'indeed']);
});

test('leaving the loop stops the scraping: most of the pages are never asked for', async () => {
  const jobs = scrapeJobs({ sites: ['linkedin'], searchTerm: 'engineer', results: 900, ...toSandbox() });
  for await (const job of jobs) {
    expect(job.site).toBe('linkedin');
    break;
  }
  await arrived();
  const asked = requestsTo('linkedin.com');
  // 90 pages of ten would have been needed.
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThan(45);
  await arrived();
  expect(requestsTo('linkedin.com')).toBe(asked);
});

test('aborting stops the scraping and throws the reason', async () => {
  const stop = new AbortController();
  const jobs = scrapeJobs({
    sites: ['linkedin', 'indeed'],
    searchTerm: 'engineer',
    results: 900,
    signal: stop.signal,
    ...toSandbox(),
  });
  const read = async () => {
    for await (const _job of jobs) stop.abort();
  };
  await expect(read()).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  await arrived();
  const asked = sandbox.stats().requests;
  await arrived();
  expect(sandbox.stats().requests).toBe(asked);
  expect(jobs.errors).toEqual([]);
});

test('articles come with their text, and pages that fail by their address', async () => {
  const page = (name: string) => `https://harbour-courier.example/news/${name}`;
  const articles = scrapeArticles({
    urls: [page('story-1'), page('story-2?fault=404'), page('story-3?fault=500-then-ok:1'), page('story-4?fault=500')],
    maxRetries: 1,
    ...toSandbox(),
  });
  const found = await articles.toArray();
  expect(found.map(({ url }) => url).sort()).toEqual([page('story-1'), page('story-3?fault=500-then-ok:1')]);
  for (const { title, content, wordCount } of found) {
    expect(title).not.toBeNull();
    expect(content.length).toBeGreaterThan(500);
    expect(wordCount).toBeGreaterThan(100);
  }
  const byTarget = Object.fromEntries(articles.errors.map(({ target, code, attempts }) => [target, [code, attempts]]));
  expect(byTarget).toEqual({
    [page('story-2?fault=404')]: ['not_found', 1],
    [page('story-4?fault=500')]: ['http_5xx', 2],
  });
});

test('products of items near a ZIP code, of a shop and of a page', async () => {
  const near = scrapeProducts({ items: ['milk', 'eggs'], zipcode: '10001', results: 3, ...toSandbox() });
  const found = await near.toArray();
  expect(near.errors).toEqual([]);
  for (const item of ['milk', 'eggs']) {
    const own = found.filter((product) => product.item === item);
    expect(own).toHaveLength(3);
    for (const product of own)
      expect(product).toMatchObject({ site: 'google-shopping', zipcode: '10001', price: expect.any(Number) });
  }
  const shop = scrapeProducts({ shop: 'corner-pantry.myshopify.com', results: 5, ...toSandbox() });
  expect(await shop.toArray()).toHaveLength(5);
  const page = scrapeProducts({ urls: ['https://shop.example/p/milk/0'], ...toSandbox() });
  expect(await page.toArray()).toMatchObject([{ site: 'product-page', item: null, price: expect.any(Number) }]);
});

test('a company by its address, and by what it is scraped with', async () => {
  const detected = await scrapeCompany({ url: 'https://boards.greenhouse.io/acme', ...toSandbox() }).toArray();
  const named = await scrapeCompany({ site: 'greenhouse', params: { board: 'acme' }, ...toSandbox() }).toArray();
  expect(detected.length).toBeGreaterThan(0);
  expect(detected.map(({ jobHash }) => jobHash).sort()).toEqual(named.map(({ jobHash }) => jobHash).sort());
  const nowhere = scrapeCompany({ url: 'https://harbour-courier.example/about?fault=404', ...toSandbox() });
  expect(await nowhere.toArray()).toEqual([]);
  expect(nowhere.errors).toMatchObject([{ site: 'detect', code: 'not_found', found: 0 }]);
});
