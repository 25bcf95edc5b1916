// What the links of pages become: pages of the crawl, or left out with a reason. Pure, in two steps, because the store looks up in between what it has already. It
// does so in the transaction that settles the pages, with their run locked.
import { keyOf } from '../ids.ts';
import {
  type CrawlOptions,
  type FoundLink,
  type LeftOut,
  MAY_COME_BACK,
  type PageFindings,
  SITEMAPS_MAX,
} from './crawl.ts';
import { createScope, type Judge, type Judged, VARIANTS_MAX } from './scope.ts';

/** A key is of one run: another crawl of the site wants the page as it is then, with its links. */
export const crawlKey = (runId: string, page: string): string => keyOf(`crawl:${runId}:${page}`);

/** A page that was read. */
export interface ReadPage {
  pos: number;
  depth: number;
  isSitemap: boolean;
  findings: PageFindings;
}

/** An address that a page shows; each once. */
export interface Candidate {
  key: string;
  link: FoundLink;
  judged: Judged;
  depth: number;
  /** Place of the page that shows it. */
  foundOn: number;
  isInSitemap: boolean;
  isRedirect: boolean;
  /** What the queries of its path have in common. */
  pathKey: string | null;
}

/** Of the same address on several pages the shallowest counts, and one that may be followed rather than one that may not. */
export function candidatesOf(runId: string, judge: Judge, read: readonly ReadPage[]): Candidate[] {
  const found = new Map<string, Candidate>();
  for (const { pos, depth, isSitemap, findings } of read) {
    const { links, redirect_to: target } = findings;
    const add = (link: FoundLink, isRedirect: boolean): void => {
      const judged = link.sitemap ? sitemapAt(link.url) : judge(link.url);
      if (judged === null) return;
      const key = crawlKey(runId, 'page' in judged ? judged.page : link.url);
      const earlier = found.get(key);
      // Where a page leads to takes its place.
      const own = isRedirect || link.sitemap ? depth : depth + 1;
      if (earlier && earlier.depth <= own && (!earlier.link.nofollow || link.nofollow)) return;
      const path = 'page' in judged ? judged.path : null;
      found.set(key, {
        key,
        link,
        judged,
        depth: own,
        foundOn: pos,
        isInSitemap: isSitemap,
        isRedirect,
        pathKey: path === null ? null : crawlKey(runId, `path ${path}`),
      });
    };
    if (target !== null) add({ url: target, ...(isSitemap && { sitemap: true }) }, true);
    for (const link of links) add(link, false);
  }
  return [...found.values()];
}

function sitemapAt(address: string): Judged | null {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  url.hash = '';
  return { url: url.href, page: `sitemap ${url.href}`, path: null };
}

export const judgeOf = (options: CrawlOptions): Judge => createScope(options);

/** How much of a crawl there is. */
export interface CrawlSize {
  pages: number;
  sitemaps: number;
  /** Addresses that are kept with the reason why they were left out. */
  leftOut: number;
}

export interface NewPage {
  key: string;
  url: string;
  isSitemap: boolean;
  depth: number;
  /** `listed`: of a map, which reads no pages. */
  state: 'waiting' | 'listed' | 'left_out';
  leftOut: LeftOut | null;
  foundOn: number;
  pathKey: string | null;
}

export interface Known {
  /** Of an address that has a row: null where it is a page, else why it was left out. */
  pages: ReadonlyMap<string, LeftOut | null>;
  /** Pages of one path, by `pathKey`. */
  variants: ReadonlyMap<string, number>;
}

/** Addresses that were left out are kept up to this many, so that a person sees which. */
const LEFT_OUT_KEPT = 10_000;

export interface Grown {
  /** New rows, and those that were left out before and are not any more. */
  pages: NewPage[];
  /** More was left out than is kept. */
  isCut: boolean;
}

export function grow(
  candidates: readonly Candidate[],
  { options, size, known }: { options: CrawlOptions; size: CrawlSize; known: Known },
): Grown {
  const left = {
    pages: options.limit - size.pages,
    sitemaps: SITEMAPS_MAX - size.sitemaps,
    rows: LEFT_OUT_KEPT - size.leftOut,
  };
  const variants = new Map(known.variants);
  const pages: NewPage[] = [];
  let isCut = false;
  for (const candidate of candidates) {
    const before = known.pages.get(candidate.key);
    if (before === null || (before !== undefined && !MAY_COME_BACK.includes(before))) continue;
    const leftOut = whyLeftOut(candidate);
    if (leftOut !== null && (before !== undefined || left.rows <= 0)) {
      isCut ||= before === undefined;
      continue;
    }
    pages.push(rowOf(candidate, leftOut));
    if (leftOut !== null) left.rows -= 1;
    else if (candidate.link.sitemap) left.sitemaps -= 1;
    else left.pages -= 1;
    const { pathKey } = candidate;
    if (leftOut === null && pathKey !== null) variants.set(pathKey, (variants.get(pathKey) ?? 0) + 1);
  }
  return { pages, isCut };

  function whyLeftOut({ judged, link, depth, isInSitemap, isRedirect, pathKey }: Candidate): LeftOut | null {
    if ('leftOut' in judged) return judged.leftOut;
    if (link.sitemap) return left.sitemaps > 0 ? null : 'limit';
    if (link.nofollow && !options.followsNofollow) return 'nofollow';
    if (options.sitemap === 'only' && !isInSitemap && !isRedirect) return 'not_in_sitemap';
    if (depth > options.maxDepth) return 'too_deep';
    if (pathKey !== null && (variants.get(pathKey) ?? 0) >= VARIANTS_MAX) return 'variants';
    return left.pages > 0 ? null : 'limit';
  }

  function rowOf(
    { key, link, judged, depth, foundOn, isRedirect, pathKey }: Candidate,
    leftOut: LeftOut | null,
  ): NewPage {
    const isSitemap = link.sitemap === true;
    // The first page of a map may lead elsewhere: that is then its first page.
    const isRead = isSitemap || options.mode === 'crawl' || (isRedirect && depth === 0);
    return {
      key,
      url: 'url' in judged ? judged.url : link.url,
      isSitemap,
      depth,
      state: leftOut !== null ? 'left_out' : isRead ? 'waiting' : 'listed',
      leftOut,
      foundOn,
      pathKey,
    };
  }
}
