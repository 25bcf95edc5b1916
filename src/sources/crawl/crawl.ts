// One page of a crawl: its article, where it is one, and its links. Where these lead is decided by whoever keeps the crawl (model/crawl/grow.ts). What a reader
// would get wrong: a redirect is not followed here but reported, so that no page is fetched once under each of its addresses, and none outside of the site at all.
import { z } from 'zod';
import { linksIn } from '../../extract/html/links.ts';
import { CRAWL_LANES, CrawlScope, PAGE_LINKS_MAX, type PageFindings } from '../../model/crawl/crawl.ts';
import { AppError, asAppError } from '../../model/errors.ts';
import { canonicalUrl } from '../../model/url.ts';
import type { Web, WebResponse } from '../../web/port.ts';
import { articleOf, extractPage } from '../article/page.ts';
import { defineSource } from '../define.ts';
import { readSitemapFile } from './sitemap.ts';

const HTML = /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;
const REDIRECTS = [301, 302, 303, 307, 308];
const GONE = [404, 410];

const Params = z.object({
  url: z.url({ protocol: /^https?$/ }),
  what: z.enum(['page', 'sitemap']).default('page'),
  /** The first page of a crawl: without it there is none. */
  is_first: z.boolean().default(false),
  /** Whether it says which sitemaps there are. */
  asks_sitemaps: z.boolean().default(false),
  engine: z.enum(CRAWL_LANES).default('http'),
  /** Of a map: addresses are all that is wanted. */
  only_links: z.boolean().default(false),
  /** Of a sitemap: which of its addresses the crawl may want. */
  scope: CrawlScope.optional(),
  /** Least pause between requests; the web layer reads it (compose/attempt.ts). */
  delay_ms: z.int().min(0).optional(),
});
type Params = z.infer<typeof Params>;

export const crawl = defineSource({
  name: 'crawl',
  title: 'Pages of a site, by their links',
  kind: 'article',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 2, delayMs: 500 },
  params: Params,
  async *scrape(params, web, notes) {
    const { url, what, asks_sitemaps: asksSitemaps, only_links: onlyLinks } = params;
    if (what === 'sitemap') {
      notes?.crawled?.(await readSitemapFile(url, params.scope ?? null, web));
      return;
    }
    const sitemaps = asksSitemaps ? await sitemapsOf(url, web) : [];
    const page = await fetchPage(params, web);
    const findings = 'outcome' in page ? page : findingsOf(url, page);
    if (params.is_first) refuseFirst(findings);
    findings.links.push(...sitemaps.map((address) => ({ url: address, sitemap: true })));
    if ('outcome' in page || findings.outcome !== 'page' || onlyLinks) {
      notes?.crawled?.(findings);
      return;
    }
    const item = articleOf(url, extractPage((page as WebResponse).text, url));
    notes?.crawled?.({ ...findings, outcome: item === null ? 'page' : 'article' });
    if (item !== null) yield item;
  },
});

/** A broken link is a fact about a site; an address that somebody asked for and that is broken is a failure. */
function refuseFirst({ outcome, status, content_type: type }: PageFindings): void {
  if (outcome === 'missing') throw new AppError('not_found', `${status} ${status === 410 ? 'Gone' : 'Not Found'}`);
  if (outcome === 'not_html') throw new AppError('unsupported_content', `not a page but ${type}`);
}

const nothing = (outcome: PageFindings['outcome'], status: number | null): PageFindings => ({
  outcome,
  status,
  content_type: null,
  title: null,
  redirect_to: null,
  links: [],
  links_cut: 0,
});

async function fetchPage({ url, engine, is_first: isFirst }: Params, web: Web): Promise<WebResponse | PageFindings> {
  try {
    if (engine === 'browser') return await web.page(url);
    const page = await web.get(url, { accept: [...REDIRECTS, ...GONE], followsRedirects: false });
    return needsScripts(page) ? await rendered(url, page, web) : page;
  } catch (thrown) {
    const error = asAppError(thrown);
    if (isFirst) throw thrown;
    if (error.code === 'robots') return nothing('robots', null);
    if (error.code === 'not_found') return nothing('missing', 404);
    throw thrown;
  }
}

/** An empty page until its scripts have run: it has neither text nor links. */
function needsScripts({ status, headers, text }: WebResponse): boolean {
  if (status !== 200 || !isHtml(headers) || !/<script\b/i.test(text)) return false;
  return !/<a\s/i.test(text);
}

async function rendered(url: string, page: WebResponse, web: Web): Promise<WebResponse> {
  try {
    return await web.page(url);
  } catch (thrown) {
    if (web.signal.aborted) throw thrown;
    web.warn(`the page needs JavaScript, and the browser failed: ${asAppError(thrown).message}`);
    return page;
  }
}

function findingsOf(url: string, page: WebResponse): PageFindings {
  const { status, headers, text } = page;
  if (GONE.includes(status)) return nothing('missing', status);
  const contentType = headers['content-type']?.slice(0, 200) ?? null;
  const target = REDIRECTS.includes(status) ? (headers.location ?? null) : page.url;
  const to = target === null ? null : URL.parse(target, page.url);
  if (to !== null) to.hash = '';
  const leadsElsewhere = to !== null && canonicalUrl(to.href) !== canonicalUrl(url);
  if (leadsElsewhere) return { ...nothing('redirect', status), redirect_to: to.href };
  if (REDIRECTS.includes(status)) throw new AppError('too_many_redirects', 'the page redirects to itself');
  if (!isHtml(headers)) return { ...nothing('not_html', status), content_type: contentType };
  const { links, cut, title } = linksIn(text, page.url, { max: PAGE_LINKS_MAX, robots: headers['x-robots-tag'] ?? '' });
  return { ...nothing('page', status), content_type: contentType, title, links, links_cut: cut };
}

const isHtml = (headers: Record<string, string>): boolean =>
  headers['content-type'] === undefined || HTML.test(headers['content-type'].trim());

/** Those that robots.txt names, else the one at the usual place. */
async function sitemapsOf(url: string, web: Web): Promise<string[]> {
  try {
    const named = await web.sitemaps(url);
    if (named.length > 0) return [...new Set(named)];
  } catch (thrown) {
    if (web.signal.aborted) throw thrown;
    // The page itself asks for the same file, and says what is wrong with it.
  }
  return [new URL('/sitemap.xml', url).href];
}
