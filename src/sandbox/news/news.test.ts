import { textContent } from 'domutils';
import { parseDocument } from 'htmlparser2';
import iconv from 'iconv-lite';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../server.ts';
import { articleAt } from './article.ts';
import { displayDate } from './markup.ts';
import { OWN_SITES } from './site.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

async function fetchBytes(host: string, path: string, headers: Record<string, string> = {}) {
  const reply = await request(sandbox.origin + path, { headers: { ...headers, host } });
  return { status: reply.statusCode, headers: reply.headers, bytes: Buffer.from(await reply.body.arrayBuffer()) };
}

const fetchText = async (host: string, path: string) => (await fetchBytes(host, path)).bytes.toString('utf8');
const squeezed = (text: string) => text.replace(/\s+/g, ' ').trim();
const locs = (xml: string) => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => new URL(url as string));

/** The addresses a site's first sitemap lists. */
async function someArticles(host: string, count: number): Promise<string[]> {
  const urls = locs(await fetchText(host, '/sitemap-1.xml'));
  return urls.slice(0, count).map(({ pathname }) => pathname);
}

test.each([...OWN_SITES.values()].map((site) => [site.host, site]))(
  'every page of %s holds the truth about itself',
  async (host, site) => {
    for (const path of await someArticles(host, 15)) {
      const { bytes, status } = await fetchBytes(host, path);
      const html = iconv.decode(bytes, site.charset);
      const text = squeezed(textContent(parseDocument(html)));
      const truth = articleAt(host, path);
      expect([status, truth.path]).toEqual([200, path]);
      for (const block of truth.content.split('\n')) expect(text).toContain(squeezed(block));
      expect(text).toContain(squeezed(truth.title));
      expect(html).toContain(truth.author.replaceAll('&', '&amp;'));
      expect(html.includes(truth.publishedAt) || html.includes(displayDate(truth))).toBe(true);
    }
  },
);

test('there are thousands of distinct articles', async () => {
  const titles = new Set<string>();
  const texts = new Set<string>();
  for (const site of OWN_SITES.values()) {
    for (let part = 1; part <= Math.ceil(site.articles / 200); part++) {
      for (const { pathname } of locs(await fetchText(site.host, `/sitemap-${part}.xml`))) {
        const article = articleAt(site.host, pathname);
        titles.add(article.title);
        texts.add(article.content);
      }
    }
  }
  expect(texts.size).toBeGreaterThan(4000);
  expect(titles.size).toBeGreaterThan(3000);
});

test('the French site sends windows-1252 under another name, and only the document says so', async () => {
  const { headers, bytes } = await fetchBytes('gazette-du-val.example', '/culture/une-page');
  expect(headers['content-type']).toBe('text/html');
  expect(bytes.toString('latin1')).toContain('charset=iso-8859-1');
  expect(bytes.includes(0x92)).toBe(true);
});

test('sites compress as their server would, for clients that accept it', async () => {
  const packed = await fetchBytes('fieldnotes-blog.example', '/a', { 'accept-encoding': 'gzip, br' });
  expect(packed.headers['content-encoding']).toBe('br');
  expect(
    (await fetchBytes('fieldnotes-blog.example', '/a', { 'accept-encoding': 'gzip' })).headers['content-encoding'],
  ).toBeUndefined();
  expect((await fetchBytes('fieldnotes-blog.example', '/a')).headers.etag).not.toBe(packed.headers.etag);
});

test('listings lead through every article once, newest first', async () => {
  const seen: string[] = [];
  let path: string | undefined = '/';
  while (path !== undefined) {
    const html = await fetchText('slow-lane.example', path);
    seen.push(...[...html.matchAll(/<h2><a href="([^"]+)"/g)].map(([, url]) => new URL(url as string).pathname));
    const next: string | undefined = /rel="next" href="([^"]+)"/.exec(html)?.[1];
    path = next && new URL(next).pathname;
  }
  expect(new Set(seen).size).toBe(200);
  const dates = seen.map((at) => articleAt('slow-lane.example', at).publishedAt);
  expect(dates).toEqual([...dates].sort().reverse());
  expect(new Set(locs(await fetchText('slow-lane.example', '/sitemap-1.xml')).map(({ pathname }) => pathname))).toEqual(
    new Set(seen),
  );
});

test('a section lists its own articles only, and a page past the last is not there', async () => {
  const html = await fetchText('harbour-courier.example', '/science/?page=2');
  const paths = [...html.matchAll(/<h2><a href="https:\/\/harbour-courier.example([^"]+)"/g)].map(
    ([, path]) => path as string,
  );
  expect(paths).toHaveLength(20);
  expect(paths.every((path) => path.startsWith('/science/'))).toBe(true);
  expect((await fetchBytes('harbour-courier.example', '/page/900')).status).toBe(404);
});

test('other hosts have no listings: their front page is an article', async () => {
  const truth = articleAt('techcrunch.com', '/');
  expect(await fetchText('techcrunch.com', '/')).toContain(truth.title);
  expect(truth.blocks.filter(({ kind }) => kind === 'paragraph').length).toBeGreaterThanOrEqual(5);
});

test('feeds name the newest articles', async () => {
  const rss = await fetchText('metro-shouter.example', '/rss.xml');
  const link = /<item><title>([^<]+)<\/title><link>([^<]+)/.exec(rss);
  const truth = articleAt('metro-shouter.example', new URL(link?.[2] ?? '').pathname);
  expect(link?.[1]?.replaceAll('&amp;', '&')).toBe(truth.title);
  expect(rss).toContain(new Date(truth.publishedAt).toUTCString());
  expect((await fetchText('metro-shouter.example', '/atom.xml')).match(/<entry>/g)).toHaveLength(30);
});

test('robots.txt forbids a path everywhere, delays one host, is broken on one and missing on one', async () => {
  expect(await fetchText('www.bbc.com', '/robots.txt')).toContain('Disallow: /private/');
  expect(await fetchText('slow-lane.example', '/robots.txt')).toContain('Crawl-delay: 1');
  expect((await fetchBytes('robots-down.example', '/robots.txt')).status).toBe(503);
  expect((await fetchBytes('robots-none.example', '/robots.txt')).status).toBe(404);
});

test('an address tells its headline and date when it has them', () => {
  const truth = articleAt('arstechnica.com', '/science/2026/03/why-ice-cores-matter-now/');
  expect([truth.title, truth.publishedAt.slice(0, 7), truth.section]).toEqual([
    'Why ice cores matter now',
    '2026-03',
    'Science',
  ]);
});

test('tracking parameters and slashes do not make another article, other parameters do', () => {
  const plain = articleAt('a.example', '/x?id=1&page=2');
  expect(articleAt('a.example', '/x/?utm_source=mail&page=2&id=1&fault=slow:5')).toEqual(plain);
  expect(articleAt('a.example', '/x?id=2').content).not.toBe(plain.content);
});

test('a paywalled address sends the teaser and says that it is one', async () => {
  const truth = articleAt('ledger-locked.example', '/business/a-locked-story');
  expect(truth.blocks.length).toBeLessThanOrEqual(3);
  expect(await fetchText('ledger-locked.example', '/business/a-locked-story')).toContain('"isAccessibleForFree":false');
});

test('only reading is allowed', async () => {
  const reply = await request(`${sandbox.origin}/a`, { method: 'POST', body: 'x', headers: { host: 'a.example' } });
  await reply.body.dump();
  expect([reply.statusCode, reply.headers.allow]).toEqual([405, 'GET, HEAD']);
  const head = await request(`${sandbox.origin}/a`, { method: 'HEAD', headers: { host: 'a.example' } });
  expect([head.statusCode, await head.body.text()]).toEqual([200, '']);
  expect(Number(head.headers['content-length'])).toBeGreaterThan(1000);
});
