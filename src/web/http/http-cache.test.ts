import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serve } from '../../../tests/support/web/servers.ts';
import { createWeb } from '../web.ts';
import type { HttpRequest, HttpResponse } from './http.ts';
import { createHttpCache } from './http-cache.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'windrow-cache-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const request = (url: string, headers: Record<string, string> = {}): HttpRequest => ({
  url: new URL(url),
  method: 'GET',
  headers,
});
const answer = (url: string, headers: Record<string, string>, body = 'hello'): HttpResponse => ({
  url: new URL(url),
  status: 200,
  headers,
  setCookies: [],
  body: Buffer.from(body),
  wireBytes: body.length,
});
const PAGE = 'https://a.example/x';

test('an unchanged page costs a 304, and its text is still there', async () => {
  await using site = await serve((incoming, response) => {
    if (incoming.headers['if-none-match'] === '"v1"') response.writeHead(304).end();
    else response.writeHead(200, { etag: '"v1"', 'content-type': 'text/html' }).end('<p>same</p>');
  });
  const webs = createWeb({ guard: { allow: ['127.0.0.1'] }, robots: 'off', cache: { dir } });
  const web = webs.forAttempt({ signal: new AbortController().signal, source: 'article' });
  expect(await web.text(site.origin)).toBe('<p>same</p>');
  const again = await web.get(site.origin);
  expect(again).toMatchObject({ status: 200, text: '<p>same</p>' });
  expect(web.ledger).toMatchObject({ requests: 2, bytes: 11, unchanged: 1 });
  await webs.close();
});

test('a page that is still fresh is not asked for, however long the site wishes it to be', () => {
  let now = 0;
  const cache = createHttpCache({ dir, now: () => now });
  cache.store(request(PAGE), answer(PAGE, { 'cache-control': 'max-age=86400', age: '10' }));
  now = 3_500_000;
  expect(cache.find(request(PAGE))?.isFresh).toBe(true);
  now = 3_700_000;
  expect(cache.find(request(PAGE))?.isFresh).toBe(false);
});

test('what a visitor with cookies gets is not kept for others', async () => {
  await using site = await serve((incoming, response) => {
    if (incoming.url === '/login') response.setHeader('set-cookie', 'who=me').end('welcome');
    else
      response
        .writeHead(200, { etag: '"v1"', 'cache-control': 'max-age=60' })
        .end(`for ${incoming.headers.cookie ?? 'anyone'}`);
  });
  const webs = createWeb({ guard: { allow: ['127.0.0.1'] }, robots: 'off', cache: { dir } });
  const mine = webs.forAttempt({ signal: new AbortController().signal, source: 'article' });
  await mine.text(`${site.origin}/login`);
  expect(await mine.text(`${site.origin}/page`)).toBe('for who=me');
  const other = webs.forAttempt({ signal: new AbortController().signal, source: 'article' });
  expect(await other.text(`${site.origin}/page`)).toBe('for anyone');
  await webs.close();
});

test('a cache that cannot be written costs no page, and someone is told', async () => {
  await using site = await serve((_, response) => response.setHeader('etag', '"v1"').end('page'));
  const problems: string[] = [];
  const webs = createWeb({
    guard: { allow: ['127.0.0.1'] },
    robots: 'off',
    cache: { dir },
    archive: { dir: join(dir, 'archive') },
    onProblem: (event) => problems.push(event),
  });
  rmSync(dir, { recursive: true });
  writeFileSync(dir, 'a file where the folder was');
  const web = webs.forAttempt({ signal: new AbortController().signal, source: 'article' });
  expect(await web.text(site.origin)).toBe('page');
  expect(problems.sort()).toEqual(['archive.failed', 'cache.failed']);
  await webs.close();
});

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['private', { etag: '1', 'cache-control': 'private' }, {}],
  ['no-store', { etag: '1', 'cache-control': 'no-store' }, {}],
  ['varying by cookie', { etag: '1', vary: 'Cookie' }, {}],
  ['without validators', {}, {}],
  ['asked with credentials', { etag: '1' }, { authorization: 'Bearer x' }],
])('an answer %s is not kept', (_, headers, sent) => {
  const cache = createHttpCache({ dir });
  cache.store(request(PAGE, sent), answer(PAGE, headers));
  expect(readdirSync(dir)).toEqual([]);
});

test('the folder stays within its bytes, the entry unused longest goes first', () => {
  const cache = createHttpCache({ dir, maxBytes: 5_000 });
  const urls = [1, 2, 3, 4].map((n) => `https://a.example/${n}`);
  for (const url of urls.slice(0, 3)) cache.store(request(url), answer(url, { etag: '1' }, 'x'.repeat(1_200)));
  cache.find(request(urls[0] ?? ''));
  cache.store(request(urls[3] ?? ''), answer(urls[3] ?? '', { etag: '1' }, 'x'.repeat(1_200)));
  expect(urls.map((url) => cache.find(request(url)) !== null)).toEqual([true, false, true, true]);
  expect(cache.bytes).toBeLessThanOrEqual(5_000);
});

test('a later process finds what an earlier one kept, and a damaged entry is as if it were not there', () => {
  createHttpCache({ dir }).store(request(PAGE), answer(PAGE, { 'last-modified': 'Sun, 15 Nov 2026 08:00:00 GMT' }));
  const later = createHttpCache({ dir });
  expect(later.find(request(PAGE))?.validators).toEqual({ 'if-modified-since': 'Sun, 15 Nov 2026 08:00:00 GMT' });
  writeFileSync(join(dir, readdirSync(dir)[0] ?? ''), 'garbage');
  expect(createHttpCache({ dir }).find(request(PAGE))).toBeNull();
});
