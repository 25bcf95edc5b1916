// A sitemap file of a site, read for a crawl. One that is missing, or is none, says nothing: that is no failure of the crawl.
import { readSitemap } from '../../extract/html/sitemap.ts';
import { type CrawlScope, type PageFindings, SITEMAP_LINKS_MAX } from '../../model/crawl/crawl.ts';
import { createScope } from '../../model/crawl/scope.ts';
import { asAppError } from '../../model/errors.ts';
import type { Web } from '../../web/port.ts';

/** Sitemap files that one index file names. */
const FILES_MAX = 1_000;
/** Addresses outside of the crawl that are reported, so that a person sees some of them. */
const OUTSIDE_MAX = 500;

/** Of a large file only what the crawl may want crosses the wire. */
export async function readSitemapFile(url: string, scope: CrawlScope | null, web: Web): Promise<PageFindings> {
  const read = await fetchSitemap(url, web);
  const found = read === null ? { urls: [], sitemaps: [] } : readSitemap(read.text, url);
  const judge = scope === null ? () => null : createScope(scope);
  const { wanted = [], others = [] } = Object.groupBy(new Set(found.urls), (address) =>
    'leftOut' in (judge(address) ?? {}) ? 'others' : 'wanted',
  );
  const urls = [...wanted.slice(0, SITEMAP_LINKS_MAX), ...others.slice(0, OUTSIDE_MAX)];
  const sitemaps = [...new Set(found.sitemaps)];
  return {
    outcome: 'sitemap',
    status: read?.status ?? null,
    content_type: null,
    title: null,
    redirect_to: null,
    links: [
      ...sitemaps.slice(0, FILES_MAX).map((address) => ({ url: address, sitemap: true })),
      ...urls.map((address) => ({ url: address })),
    ],
    links_cut: sitemaps.slice(FILES_MAX).length + wanted.length + others.length - urls.length,
  };
}

async function fetchSitemap(url: string, web: Web): Promise<{ text: string; status: number } | null> {
  try {
    return await web.get(url);
  } catch (thrown) {
    const error = asAppError(thrown);
    if (web.signal.aborted || error.retry === 'later') throw thrown;
    web.warn(`the sitemap ${url} could not be read: ${error.message}`);
    return null;
  }
}
