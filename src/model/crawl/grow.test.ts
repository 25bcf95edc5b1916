import { expect, test } from 'vitest';
import type { CrawlOptions, FoundLink, LeftOut, PageFindings } from './crawl.ts';
import { candidatesOf, grow, judgeOf, type ReadPage } from './grow.ts';

const OPTIONS: CrawlOptions = {
  url: 'https://acme.example/',
  subdomains: false,
  prefix: null,
  include: [],
  exclude: [],
  ignoresQuery: false,
  followsNofollow: false,
  mode: 'crawl',
  limit: 100,
  maxDepth: 3,
  sitemap: 'include',
  engine: 'http',
  delayMs: null,
  maxSeconds: null,
  maxBytes: null,
};

const page = (links: (string | FoundLink)[], more: Partial<ReadPage & PageFindings> = {}): ReadPage => ({
  pos: more.pos ?? 0,
  depth: more.depth ?? 0,
  isSitemap: more.isSitemap ?? false,
  findings: {
    outcome: 'page',
    status: 200,
    content_type: null,
    title: null,
    redirect_to: more.redirect_to ?? null,
    links: links.map((link) => (typeof link === 'string' ? { url: `https://acme.example${link}` } : link)),
    links_cut: 0,
  },
});

interface Before {
  options?: Partial<CrawlOptions>;
  size?: { pages?: number; sitemaps?: number; leftOut?: number };
  known?: Record<string, LeftOut | null>;
  variants?: number;
}

function grown(read: ReadPage[], { options, size, known = {}, variants = 0 }: Before = {}) {
  const all = { ...OPTIONS, ...options };
  const candidates = candidatesOf('crawl_1', judgeOf(all), read);
  const keyOf = (path: string) => candidates.find(({ link }) => link.url.endsWith(path))!.key;
  const result = grow(candidates, {
    options: all,
    size: { pages: 1, sitemaps: 0, leftOut: 0, ...size },
    known: {
      pages: new Map(Object.entries(known).map(([path, reason]) => [keyOf(path), reason])),
      variants: new Map(candidates.flatMap(({ pathKey }) => (pathKey === null ? [] : [[pathKey, variants]]))),
    },
  });
  return {
    ...result,
    words: result.pages.map((one) => `${new URL(one.url).pathname} ${one.leftOut ?? one.state} ${one.depth}`),
  };
}

test('a new link is a page one deeper than the page that shows it; a known one is nothing', () => {
  const { words } = grown([page(['/a', '/known', '/a'], { depth: 1 })], { known: { '/known': null } });
  expect(words).toEqual(['/a waiting 2']);
});

test('of one link on two pages the shallower counts, and one that may be followed rather than one that may not', () => {
  const nofollow = { url: 'https://acme.example/b', nofollow: true };
  expect(grown([page(['/a'], { depth: 2 }), page(['/a'], { depth: 0 })]).words).toEqual(['/a waiting 1']);
  expect(grown([page([nofollow]), page(['/b'])]).words).toEqual(['/b waiting 1']);
  expect(grown([page([nofollow])]).words).toEqual(['/b nofollow 1']);
  expect(grown([page([nofollow])], { options: { followsNofollow: true } }).words).toEqual(['/b waiting 1']);
});

test('what was left out for a reason that another page can take away comes back, the rest does not', () => {
  const known = { '/deep': 'too_deep', '/quiet': 'nofollow', '/full': 'limit' } as const;
  expect(grown([page(['/deep', '/quiet', '/full'])], { known }).words).toEqual(['/deep waiting 1', '/quiet waiting 1']);
});

test('where a page leads takes its place, at the same depth', () => {
  expect(grown([page([], { depth: 3, redirect_to: 'https://acme.example/new' })]).words).toEqual(['/new waiting 3']);
  expect(grown([page([], { redirect_to: 'https://else.example/' })]).words).toEqual(['/ outside 0']);
});

test('the limit counts pages and not sitemaps; these have a limit of their own', () => {
  const links = ['/a', '/b', { url: 'https://acme.example/s.xml', sitemap: true }];
  expect(grown([page(links)], { options: { limit: 2 } }).words).toEqual([
    '/a waiting 1',
    '/b limit 1',
    '/s.xml waiting 0',
  ]);
  expect(grown([page(links)], { size: { sitemaps: 100 } }).words[2]).toBe('/s.xml limit 0');
});

test('queries of one path without end, and depth without end, are left out', () => {
  expect(grown([page(['/list?page=9'])], { variants: 200 }).words).toEqual(['/list variants 1']);
  expect(grown([page(['/next'], { depth: 3 })]).words).toEqual(['/next too_deep 4']);
});

test('with sitemaps only, links of pages are not followed, but redirects of pages are', () => {
  const options = { sitemap: 'only' } as const;
  expect(grown([page(['/a'])], { options }).words).toEqual(['/a not_in_sitemap 1']);
  expect(grown([page(['/a'], { isSitemap: true })], { options }).words).toEqual(['/a waiting 1']);
  expect(grown([page([], { depth: 1, redirect_to: 'https://acme.example/a' })], { options }).words).toEqual([
    '/a waiting 1',
  ]);
});

test('a map lists pages and reads sitemaps', () => {
  const links = ['/a', { url: 'https://acme.example/s.xml', sitemap: true }];
  expect(grown([page(links)], { options: { mode: 'map', maxDepth: 1 } }).words).toEqual([
    '/a listed 1',
    '/s.xml waiting 0',
  ]);
});

test('past ten thousand that were left out no more are kept, and it is said', () => {
  const full = grown([page(['/x.pdf', '/a'])], { size: { leftOut: 10_000 } });
  expect(full.words).toEqual(['/a waiting 1']);
  expect(full.isCut).toBe(true);
});
