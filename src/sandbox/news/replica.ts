// Made-up news. It answers for every host nobody else claims, and every path of those is an article, except the well-known files
// (robots.txt, feeds, sitemaps, images, styles) and, on the sites of sites.json only, the listings.
import iconv from 'iconv-lite';
import { hash32 } from '../random.ts';
import type { Replica, SandboxReply, SandboxRequest } from '../replica.ts';
import { articleAt, headlineOf } from './article.ts';
import { atom, robots, rss, sitemap, sitemapIndex } from './feeds.ts';
import { LAYOUTS } from './layouts/index.ts';
import { listing, listingAt } from './listing.ts';
import { OWN_SITES, type Site, siteOf } from './site.ts';

const RELATED = 6;
/** One transparent pixel: the address of an image must lead to an image. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const news: Replica = {
  name: 'news',
  title: 'News sites: articles in several layouts, listings, feeds, sitemaps, robots.txt; any host nobody else claims',
  hosts: ['*'],
  examples: [
    { url: 'https://www.bbc.com/news/technology', note: 'any host and any path is an article' },
    ...[...OWN_SITES.values()].map((site) => ({
      url: `https://${site.host}/`,
      note: `${site.name}: listing, layout ${site.layout}`,
    })),
    { url: 'https://harbour-courier.example/rss.xml', note: 'feed (also /atom.xml and /sitemap.xml)' },
    { url: 'https://slow-lane.example/robots.txt', note: 'robots.txt with a crawl delay' },
  ],
  handle(request) {
    const site = siteOf(request.host);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return {
        status: 405,
        type: 'text/plain; charset=utf-8',
        body: 'Method Not Allowed\n',
        headers: { allow: 'GET, HEAD' },
      };
    }
    return (
      wellKnown(site, request) ?? listingOf(site, request) ?? notThere(site, request.path) ?? articlePage(site, request)
    );
  },
};

function wellKnown(site: Site, { path, origin, seed }: SandboxRequest): SandboxReply | undefined {
  const edition = { site, origin, seed };
  if (path === '/robots.txt') return robots(edition) ?? missing();
  if (path === '/rss.xml' || path === '/feed' || path === '/feed/') return rss(edition);
  if (path === '/atom.xml') return atom(edition);
  if (path === '/sitemap.xml') return sitemapIndex(edition);
  const part = /^\/sitemap-(\d{1,4})\.xml$/.exec(path)?.[1];
  if (part !== undefined) return sitemap(edition, Number(part)) ?? missing();
  if (path.endsWith('.png') || path === '/favicon.ico')
    return { status: 200, type: 'image/png', body: PIXEL, isStable: true };
  if (path.endsWith('.css'))
    return {
      status: 200,
      type: 'text/css',
      body: 'body { font: 1.1em/1.5 serif; max-width: 42em; margin: auto }\n',
      isStable: true,
    };
  return undefined;
}

function listingOf(site: Site, { path, query, origin, seed }: SandboxRequest): SandboxReply | undefined {
  if (!site.hasListings) return undefined;
  const asked = listingAt(path, query);
  return asked && (listing({ site, origin, seed }, asked.topic, asked.page) ?? missing());
}

/** Our own sites also have addresses that lead nowhere, as every site has. */
function notThere(site: Site, path: string): SandboxReply | undefined {
  return site.hasListings && path.startsWith('/gone/') ? missing() : undefined;
}

function missing(): SandboxReply {
  return {
    status: 404,
    type: 'text/html; charset=utf-8',
    body: '<!doctype html><title>404 Not Found</title><h1>Not Found</h1>\n',
  };
}

function articlePage(site: Site, request: SandboxRequest): SandboxReply {
  const { origin, seed } = request;
  const query = request.query.size === 0 ? '' : `?${request.query}`;
  const article = articleAt(site.host, request.path + query, seed);
  const id = hash32(article.url, seed);
  const related = Array.from({ length: RELATED }, (_, i) => headlineOf(site, (id + i * 17) % site.articles, seed));
  const html = LAYOUTS[site.layout]({ article, origin, related });
  return {
    status: 200,
    // A site in an old charset names it in the document only, as such sites do.
    type: site.charset === 'utf-8' ? 'text/html; charset=utf-8' : 'text/html',
    body: site.charset === 'utf-8' ? Buffer.from(html) : iconv.encode(html, site.charset),
    headers: { 'cache-control': 'max-age=0, must-revalidate', 'content-language': article.language },
    etag: `${id.toString(36)}-${(Date.parse(article.modifiedAt) / 1000).toString(36)}`,
    lastModified: new Date(article.modifiedAt),
    compress: site.compress,
    isStable: true,
  };
}
