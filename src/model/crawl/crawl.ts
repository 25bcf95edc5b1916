// What a crawl was asked for, and what it says of pages. A crawl is a run whose tasks make tasks: a page reports the links that it found, and those that are in
// bounds become pages of the run.
import { z } from 'zod';

/** How far a crawl goes: which addresses are pages of it. */
export const CrawlScope = z.object({
  /** Where it begins. */
  url: z.string(),
  subdomains: z.boolean(),
  /** Pages whose path begins with this; null: all of the host. */
  prefix: z.string().nullable(),
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  /** Addresses that differ in their query only are one page. */
  ignoresQuery: z.boolean(),
  /** Links that ask not to be followed are followed all the same. */
  followsNofollow: z.boolean(),
});
export type CrawlScope = z.infer<typeof CrawlScope>;

export const SITEMAP_USES = ['include', 'skip', 'only'] as const;
export const CRAWL_LANES = ['http', 'browser'] as const;

export const CrawlOptions = CrawlScope.extend({
  /** `map`: addresses are listed, and only the first page and sitemaps are read. */
  mode: z.enum(['crawl', 'map']),
  /** Pages. */
  limit: z.int(),
  /** Links from the first page on. */
  maxDepth: z.int(),
  sitemap: z.enum(SITEMAP_USES),
  engine: z.enum(CRAWL_LANES),
  /** Least pause between two requests to the site; null: as the source is paced. */
  delayMs: z.int().nullable(),
  /** When these are used up, no further page is begun; null: no limit. */
  maxSeconds: z.int().nullable(),
  maxBytes: z.int().nullable(),
});
export type CrawlOptions = z.infer<typeof CrawlOptions>;

/** Sitemap files that one crawl reads. */
export const SITEMAPS_MAX = 100;
/** Links of one page that are reported. */
export const PAGE_LINKS_MAX = 2_000;
/** Addresses of one sitemap file that are reported. */
export const SITEMAP_LINKS_MAX = 10_000;

/** Of any page, with the sitemaps that it names. */
const REPORTED_MAX = 2 * SITEMAP_LINKS_MAX;

/** What became of a page that was read. */
export const PAGE_OUTCOMES = [
  /** Stored as an article. */
  'article',
  /** A page that is no article: a list, a form. Its links were followed. */
  'page',
  /** Leads elsewhere; where it leads is a page of its own. */
  'redirect',
  /** 404 or 410: a broken link. */
  'missing',
  'robots',
  'not_html',
  'sitemap',
] as const;
export type PageOutcome = (typeof PAGE_OUTCOMES)[number];

/** Why an address was not made a page. */
export const LEFT_OUT_REASONS = [
  'outside',
  'prefix',
  'excluded',
  'not_included',
  'nofollow',
  'file',
  'too_deep',
  'too_long',
  'repeating',
  'variants',
  'not_in_sitemap',
  'limit',
  'budget',
  'cancelled',
] as const;
export type LeftOut = (typeof LEFT_OUT_REASONS)[number];

/** Links that could be taken after all, when another page shows them again. */
export const MAY_COME_BACK: readonly LeftOut[] = ['nofollow', 'too_deep', 'not_in_sitemap'];

export const FoundLink = z.object({
  /** Absolute, as it was written. */
  url: z.string().max(8_192),
  nofollow: z.boolean().optional(),
  /** It leads to a sitemap. */
  sitemap: z.boolean().optional(),
});
export type FoundLink = z.infer<typeof FoundLink>;

/** What a worker reports of a page of a crawl, besides its article. */
export const PageFindings = z.object({
  outcome: z.enum(PAGE_OUTCOMES),
  /** HTTP status; null where the page was not asked for. */
  status: z.int().nullable().default(null),
  content_type: z.string().max(200).nullable().default(null),
  title: z.string().max(500).nullable().default(null),
  redirect_to: z.string().max(8_192).nullable().default(null),
  links: z.array(FoundLink).max(REPORTED_MAX),
  /** Links past those that are reported. */
  links_cut: z.int().default(0),
});
export type PageFindings = z.infer<typeof PageFindings>;
