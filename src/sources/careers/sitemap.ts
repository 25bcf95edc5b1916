// Career sites by their sitemap: it names every posting's page, and each page states its posting (schema.org JobPosting). The way to sites whose list only a
// script can turn.
// What a reader would get wrong: an incremental scrape reads the pages that are not known and those that were changed lately; a sitemap without times of change
// has only the first.
import { getDomain } from 'tldts';
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { canonicalUrl } from '../../model/url.ts';
import type { Web, WebResponse } from '../../web/port.ts';
import { defineSource, type Notes } from '../define.ts';
import { isPostingAddress } from '../postings/job-posting.ts';
import { openListing, type RowReader } from '../postings/listing.ts';
import { COMMON_PARAMS } from '../postings/params.ts';
import { askInTurn } from '../postings/wait.ts';
import { statedAdvert } from '../postings/with-stated.ts';
import { readSitemap, type SitemapEntry } from './sitemap-file.ts';

const DETAILS_AT_ONCE = 2;
const DAY_MS = 86_400_000;
/** Pages between two places where a later attempt can go on. */
const STRETCH = 25;

const Parts = z.array(z.string().min(1).max(300)).max(20);

const Params = z.object({
  ...COMMON_PARAMS,
  /** Of a sitemap, or of any page of the site: its robots.txt names the sitemap. */
  url: z.url({ protocol: /^https?$/ }),
  /** Only URLs that contain one of these; by default those that look like postings. */
  include: Parts.default([]),
  /** No URLs that contain one of these. */
  exclude: Parts.default([]),
  /** How many files of the sitemap are read; those with a word for work in their name come first. */
  max_files: z.int().min(1).max(500).default(20),
  /** How many pages are read, the latest changes first. */
  max_details: z.int().min(1).max(5_000).default(500),
  /** An incremental scrape reads known pages again that were changed within as many days. */
  recheck_days: z.int().min(0).max(60).default(2),
});
type Params = z.infer<typeof Params>;

export const sitemap = defineSource({
  name: 'sitemap',
  title: 'Any career site, by its sitemap and the JobPosting of each page',
  kind: 'posting',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 2, delayMs: 500 },
  params: Params,
  async *scrape(params, web, notes) {
    const entries = await postingPages(params, web, notes);
    const nowMs = Date.now();
    const lately = nowMs - params.recheck_days * DAY_MS;
    const changed = new Set(
      entries.flatMap(({ url, changedMs }) => ((changedMs ?? 0) > lately ? canonicalUrl(url) : [])),
    );
    const known = params.known?.filter((id) => !changed.has(id));
    const knownIds = new Set(known);
    const wanted = entries.filter(({ url }) => !knownIds.has(canonicalUrl(url)));
    const chosen = wanted.slice(0, params.max_details);
    if (chosen.length < wanted.length)
      notes?.incomplete(`${wanted.length} pages of postings, of which ${chosen.length} were read (max_details)`);
    const board = openListing({
      source: 'sitemap',
      ref: canonicalUrl(params.url),
      params: { ...params, known },
      web,
      notes,
      nowMs,
    });
    let [answered, stated] = [0, 0];
    const reader: RowReader<SitemapEntry, WebResponse> = {
      row: z.custom<SitemapEntry>(),
      idOf: (raw) => canonicalUrl((raw as SitemapEntry).url),
      toAdvert({ url }, _, page) {
        const advert = page === null ? null : statedAdvert(page, nowMs);
        if (page !== null) answered += 1;
        if (advert === null) return null;
        stated += 1;
        return { ...advert, id: canonicalUrl(url), url };
      },
    };
    const from = board.resumeAt(z.object({ next: z.string() }))?.next;
    const start = Math.max(
      0,
      chosen.findIndex(({ url }) => url === from),
    );
    async function* rows(): AsyncGenerator<SitemapEntry> {
      for (let at = start; at < chosen.length; at += STRETCH) {
        board.reached({ next: chosen[at]!.url });
        yield* chosen.slice(at, at + STRETCH);
      }
    }
    const ask = (_: string, { url }: SitemapEntry) => getOfSite(web, url, params.url);
    yield* board.takeDetailed(rows(), reader, { ask, atOnce: DETAILS_AT_ONCE });
    if (answered > 0 && stated === 0 && start === 0)
      throw new AppError(
        'layout_changed',
        `None of the ${answered} pages of the sitemap states a JobPosting. Say with include which URLs are postings, or use scraper_type static, api or embedded`,
      );
    board.finish();
  },
});

const WORK = /job|career|position|vacanc|posting|stelle|karriere|emploi|empleo|vacature|offre/i;

/** The pages of postings that the sitemap names, the latest changes first. */
async function postingPages(params: Params, web: Web, notes: Notes | undefined): Promise<SitemapEntry[]> {
  const files = await firstFiles(params.url, web);
  const found = new Map<string, SitemapEntry>();
  const read = new Set<string>();
  let pages = 0;
  while (files.length > 0 && read.size < params.max_files) {
    const file = files.shift()!;
    if (read.has(file)) continue;
    read.add(file);
    const page = await askInTurn(() => getOfSite(web, file, params.url), web.signal);
    web.countPage(true);
    const { isIndex, entries } = readSitemap(page.text, page.url);
    const own = entries.filter(({ url }) => isSameSite(url, params.url));
    if (isIndex) files.push(...workFirst(own.map(({ url }) => url)));
    else
      for (const entry of own) {
        pages += 1;
        if (isWanted(entry.url, params)) found.set(canonicalUrl(entry.url), entry);
      }
  }
  if (files.length > 0) notes?.incomplete(`more than ${params.max_files} files of the sitemap (max_files)`);
  if (found.size === 0 && pages > 0)
    throw new AppError(
      'layout_changed',
      `None of the ${pages} URLs of the sitemap looks like a posting. Say with include which ones are, as in include: ["/job/"]`,
    );
  return [...found.values()].sort((a, b) => (b.changedMs ?? 0) - (a.changedMs ?? 0));
}

/** The files that a site's robots.txt names, those that speak of work first; none where it cannot be read. */
export async function sitemapsOf(address: string, web: Web): Promise<string[]> {
  const named = await web.sitemaps(address).catch(() => []);
  return workFirst(named.filter((file) => URL.canParse(file) && isSameSite(file, address)));
}

/** How many postings a file seems to name; without end for one that names files of them. */
export function postingsOfSitemap({ text, url }: { text: string; url: string }): number {
  try {
    const { isIndex, entries } = readSitemap(text, url);
    if (isIndex) return entries.some((entry) => WORK.test(new URL(entry.url).pathname)) ? Number.POSITIVE_INFINITY : 0;
    return entries.filter((entry) => isPostingAddress(new URL(entry.url))).length;
  } catch {
    // No sitemap: it names none.
    return 0;
  }
}

async function firstFiles(address: string, web: Web): Promise<string[]> {
  const url = new URL(address);
  if (/sitemap|\.(?:xml|txt)$/i.test(url.pathname)) return [address];
  const named = (await web.sitemaps(address)).filter((file) => isSameSite(file, address));
  return named.length > 0 ? workFirst(named) : [`${url.origin}/sitemap.xml`];
}

/** Only files that speak of work, where some do. */
function workFirst(files: readonly string[]): string[] {
  const speaking = files.filter((file) => WORK.test(new URL(file).pathname));
  return speaking.length > 0 ? speaking : [...files];
}

function isWanted(address: string, { include, exclude }: Params): boolean {
  const text = address.toLowerCase();
  const has = (parts: readonly string[]) => parts.some((part) => text.includes(part.toLowerCase()));
  return !has(exclude) && (include.length > 0 ? has(include) : isPostingAddress(new URL(address)));
}

/** A sitemap may name hosts beside its own (`jobs.` beside `www.`), and no others. */
function isSameSite(address: string, site: string): boolean {
  const domain = (text: string) => getDomain(text) ?? new URL(text).hostname;
  return domain(address) === domain(site);
}

async function getOfSite(web: Web, url: string, site: string): Promise<WebResponse> {
  const page = await web.get(url);
  if (!isSameSite(page.url, site))
    throw new AppError('not_found', `${url} sends visitors to ${new URL(page.url).hostname}`);
  return page;
}
