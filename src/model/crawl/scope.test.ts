import { expect, test } from 'vitest';
import type { CrawlScope } from './crawl.ts';
import { globOf, patternError } from './glob.ts';
import { createScope, startPage } from './scope.ts';

const scope = (more: Partial<CrawlScope> = {}): CrawlScope => ({
  url: 'https://www.acme.example/docs/',
  subdomains: false,
  prefix: null,
  include: [],
  exclude: [],
  ignoresQuery: false,
  followsNofollow: false,
  ...more,
});
const judged = (address: string, more: Partial<CrawlScope> = {}) => createScope(scope(more))(address);
const leftOut = (address: string, more: Partial<CrawlScope> = {}): string | null => {
  const found = judged(address, more);
  return found !== null && 'leftOut' in found ? found.leftOut : null;
};

test.each([
  ['https://acme.example/a', null],
  ['http://www.acme.example/a', null],
  ['https://blog.acme.example/a', 'outside'],
  ['https://acme.example.evil.example/a', 'outside'],
  ['https://notacme.example/a', 'outside'],
  ['https://www.acme.example:8443/a', 'outside'],
  ['https://user:pass@www.acme.example/a', 'outside'],
  ['https://www.acme.example/file.PDF', 'file'],
  ['https://www.acme.example/a/b/a/b/a/b/a/b', 'repeating'],
  [`https://www.acme.example/${'x/'.repeat(3)}y`, null],
  [`https://www.acme.example/${Array.from({ length: 21 }, (_, n) => n).join('/')}`, 'too_long'],
  [`https://www.acme.example/?q=${'x'.repeat(2_000)}`, 'too_long'],
])('%s is left out: %s', (address, reason) => {
  expect(leftOut(address)).toBe(reason);
});

test('what is no address of a page is nothing at all', () => {
  for (const address of ['mailto:a@acme.example', 'javascript:alert(1)', 'tel:1', 'ftp://acme.example/', 'http://'])
    expect(judged(address)).toBeNull();
});

test('one page has one name, however it is linked', () => {
  const same = [
    'https://www.acme.example/p?b=2&a=1#top',
    'http://www.acme.example/p?a=1&b=2&utm_source=mail',
    'https://www.acme.example/p;jsessionid=F00?a=1&b=2&PHPSESSID=77',
  ];
  const names = same.map((address) => judged(address)).map((found) => found && 'page' in found && found.page);
  expect(new Set(names)).toEqual(new Set(['https://www.acme.example/p?a=1&b=2']));
});

test('a page is asked for as it was linked, without what a visit left in the address', () => {
  expect(judged('http://www.acme.example/p?z=1750,4&PHPSESSID=7#x')).toMatchObject({
    url: 'https://www.acme.example/p?z=1750,4',
  });
  expect(judged('https://www.acme.example/p?page=2', { ignoresQuery: true })).toMatchObject({
    url: 'https://www.acme.example/p',
  });
});

test('subdomains, a prefix and patterns draw the bounds, and the first page is always in them', () => {
  expect(leftOut('https://blog.acme.example/a', { subdomains: true })).toBeNull();
  expect(leftOut('https://www.acme.example/about', { prefix: '/docs/' })).toBe('prefix');
  expect(leftOut('https://www.acme.example/docs/1', { include: ['/blog/**'] })).toBe('not_included');
  expect(leftOut('https://www.acme.example/blog/tag/x', { include: ['/blog/**'], exclude: ['/blog/tag/**'] })).toBe(
    'excluded',
  );
  expect(startPage(scope({ include: ['/nothing'] })).page).toBe('https://www.acme.example/docs/');
});

test.each([
  ['/blog/**', '/blog', true],
  ['/blog/**', '/blog/2026/tides', true],
  ['/blog/**', '/blogs', false],
  ['/blog/*', '/blog/tides', true],
  ['/blog/*', '/blog/2026/tides', false],
  ['/*/edit', '/wiki/edit', true],
  ['**/edit', '/a/b/edit', true],
  ['/p', '/p?page=2', true],
  ['/p?page=*', '/p?page=2', true],
  ['/p?page=*', '/p?size=2', false],
  ['https://acme.example/p/*', '/p/1', true],
  ['https://other.example/**', '/p/1', false],
  ['/a.b', '/aXb', false],
])('the pattern %s and %s: %s', (pattern, path, isMatch) => {
  expect(globOf(pattern)(new URL(path, 'https://acme.example'))).toBe(isMatch);
});

test('a pattern and an address that are made to be slow are not', () => {
  const matches = globOf(`/${'**a'.repeat(10)}!`);
  const began = process.cpuUsage();
  expect(matches(new URL(`https://acme.example/${'a'.repeat(2_000)}`))).toBe(false);
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(2_000);
});

test('a pattern that cannot be meant is refused with what to write', () => {
  expect(patternError('blog')).toContain('/blog/**');
  expect(patternError('/x'.repeat(200))).toContain('300');
  expect(patternError('/*'.repeat(11))).toContain('stars');
  expect(patternError('https://acme.example/**')).toBeNull();
});
