// The schemas of crawls and maps, with the examples of the documentation. Names of options are those that users of other crawlers know.
import { z } from 'zod';
import { CRAWL_LANES, LEFT_OUT_REASONS, PAGE_OUTCOMES, SITEMAP_USES } from '../../model/crawl/crawl.ts';
import { PATTERN_CHARS } from '../../model/crawl/glob.ts';
import { RUN_LABELS } from '../../model/run/run-labels.ts';
import { PAGE_STATES } from '../../store/crawls/crawl-pages.ts';
import { WAITING_EXAMPLE, WaitingView } from '../runs/waiting.ts';
import { nameSchemas } from '../validation/named.ts';
import { RunWebhookUrl } from '../webhooks/schemas.ts';

const URL_LENGTH_MAX = 2_000;
const PATTERNS_MAX = 50;
export const MAP_LIMIT_MAX = 100_000;

const Patterns = z.array(z.string().min(1).max(PATTERN_CHARS)).max(PATTERNS_MAX).default([]);

const START = {
  url: z.string().min(1).max(URL_LENGTH_MAX).meta({
    format: 'uri',
    description: 'Where to begin: an absolute http or https URL without user and password.',
  }),
  include_paths: Patterns.meta({
    description:
      'Only pages that match one of these. `*` stands for anything but `/`, `**` for anything: `/blog/**`. With a `?` the query counts too, with `https://` in front the whole URL.',
  }),
  exclude_paths: Patterns.meta({ description: 'Not pages that match one of these.' }),
  path_prefix: z
    .string()
    .max(500)
    .regex(/^\//)
    .nullable()
    .default(null)
    .meta({ description: 'Only pages whose path begins with this: `/docs/`. Default: the whole host.' }),
  allow_subdomains: z.boolean().default(false).meta({ description: 'Also pages of subdomains of the host.' }),
  ignore_query_parameters: z
    .boolean()
    .default(false)
    .meta({ description: 'URLs that differ in their query only are one page, asked for without it.' }),
  sitemap: z
    .enum(SITEMAP_USES)
    .default('include')
    .meta({ description: '`include`: links and sitemaps; `skip`: links only; `only`: sitemaps only.' }),
  engine: z
    .enum(CRAWL_LANES)
    .default('http')
    .meta({ description: '`browser`: every page is rendered in a browser, by workers of the lane `browser`.' }),
  priority: z.int().min(1).max(10).default(5).meta({ description: '1–3 high, 4–7 medium, 8–10 low.' }),
};

export const CrawlRequest = z.strictObject({
  ...START,
  limit: z.int().min(1).default(100).meta({ description: 'Most pages to read; at most CRAWL_MAX_PAGES.' }),
  max_depth: z
    .int()
    .min(0)
    .max(1_000)
    .default(10)
    .meta({ description: 'Links from the first page on. 0: only that page.' }),
  follow_nofollow: z.boolean().default(false).meta({ description: 'Follow links and pages that say nofollow.' }),
  delay_ms: z.int().min(0).max(600_000).nullable().default(null).meta({
    description:
      'Least pause between two requests to the site. Never shorter than the pace of the source and Crawl-delay.',
  }),
  max_duration_seconds: z
    .int()
    .min(1)
    .max(31_536_000)
    .nullable()
    .default(null)
    .meta({ description: 'After this time no further page is begun.' }),
  max_bytes: z
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .nullable()
    .default(null)
    .meta({ description: 'After this much was received no further page is begun.' }),
  webhook_url: RunWebhookUrl,
});

export const CRAWL_REQUEST_EXAMPLE = {
  url: 'https://example.com/blog/',
  limit: 500,
  include_paths: ['/blog/**'],
  exclude_paths: ['/blog/tag/**'],
};

export const MapRequest = z.strictObject({
  ...START,
  limit: z.int().min(1).max(MAP_LIMIT_MAX).default(5_000).meta({ description: 'Most URLs to list.' }),
  search: z.string().max(200).optional().meta({ description: 'Only URLs that contain this text.' }),
  wait_seconds: z
    .int()
    .min(0)
    .max(60)
    .default(20)
    .meta({ description: 'How long to wait for the list. After this the answer is 202, with the run to ask again.' }),
});

export const MAP_REQUEST_EXAMPLE = { url: 'https://example.com/', search: 'blog' };

const RunStatus = z.enum(RUN_LABELS);

export const CrawlAccepted = z.object({
  run_id: z.string(),
  status: RunStatus,
  url: z.string(),
  limit: z.int(),
  pages_path: z.string(),
});

export const CRAWL_ACCEPTED_EXAMPLE = {
  run_id: 'crawl_a1b2c3d4e5f60718',
  status: 'running',
  url: 'https://example.com/blog/',
  limit: 500,
  pages_path: '/crawl/crawl_a1b2c3d4e5f60718/pages',
};

const Counts = z.record(z.string(), z.int());

export const CrawlStatus = z.object({
  run_id: z.string(),
  status: RunStatus,
  url: z.string(),
  limit: z.int(),
  pages: z.object({ found: z.int(), waiting: z.int(), queued: z.int(), done: z.int(), failed: z.int() }).meta({
    description: 'Pages of the crawl: `waiting` for room in the queue, `queued` or with a worker, read, failed.',
  }),
  outcomes: Counts.meta({ description: `What the pages that were read are: ${PAGE_OUTCOMES.join(', ')}.` }),
  left_out: Counts.meta({ description: `URLs that were not made pages, by reason: ${LEFT_OUT_REASONS.join(', ')}.` }),
  left_out_complete: z.boolean().meta({ description: 'False: more was left out than is counted.' }),
  links_cut: z.int().meta({ description: 'Links of very long pages and sitemaps that were not read.' }),
  sitemaps: z.int().meta({ description: 'Sitemap files that were read.' }),
  depth: z.int().meta({ description: 'Depth of the deepest page read so far.' }),
  bytes: z.int(),
  estimated_seconds: z
    .int()
    .nullable()
    .meta({ description: 'Until the pages that are known are read, at the pace until now.' }),
  created_at: z.string(),
  updated_at: z.string(),
  finished_at: z.string().nullable(),
  waiting: WaitingView.optional(),
});

export const CRAWL_STATUS_EXAMPLE = {
  run_id: 'crawl_a1b2c3d4e5f60718',
  status: 'running',
  url: 'https://example.com/blog/',
  limit: 500,
  pages: { found: 220, waiting: 60, queued: 40, done: 118, failed: 2 },
  outcomes: { article: 97, page: 18, redirect: 3 },
  left_out: { outside: 31, not_included: 44 },
  left_out_complete: true,
  links_cut: 0,
  sitemaps: 2,
  depth: 3,
  bytes: 9_120_334,
  estimated_seconds: 55,
  created_at: '2026-02-04T10:30:00.000Z',
  updated_at: '2026-02-04T10:31:00.000Z',
  finished_at: null,
  waiting: WAITING_EXAMPLE,
};

const Article = z.object({
  article_id: z.string(),
  title: z.string().nullable(),
  content: z.string().nullable(),
  author: z.string().nullable(),
  published_at: z.string().nullable(),
  language: z.string().nullable(),
  image: z.string().nullable(),
  scraped_at: z.string(),
});

export const CrawlPage = z.object({
  url: z.string(),
  depth: z.int(),
  found_on: z.string().nullable(),
  state: z.enum(PAGE_STATES),
  outcome: z.enum(PAGE_OUTCOMES).nullable(),
  left_out: z.enum(LEFT_OUT_REASONS).nullable(),
  http_status: z.int().nullable(),
  content_type: z.string().nullable(),
  title: z.string().nullable(),
  redirect_to: z.string().nullable(),
  error: z.string().nullable(),
  read_at: z.string().nullable(),
  article: Article.nullable(),
});

export const CRAWL_PAGE_EXAMPLE = {
  url: 'https://example.com/blog/tides',
  depth: 1,
  found_on: 'https://example.com/blog/',
  state: 'done',
  outcome: 'article',
  left_out: null,
  http_status: 200,
  content_type: 'text/html; charset=utf-8',
  title: 'Why tides matter | Example',
  redirect_to: null,
  error: null,
  read_at: '2026-02-04T10:30:07.000Z',
  article: {
    article_id: 'art_0123456789abcdef0123456789abcdef',
    title: 'Why tides matter',
    content: '# Why tides matter\n\nTwice a day …',
    author: 'Ann Example',
    published_at: '2026-01-30',
    language: 'en',
    image: null,
    scraped_at: '2026-02-04T10:30:07.000Z',
  },
};

export const CrawlPages = z.object({ pages: z.array(CrawlPage), next_cursor: z.string().nullable() });

export const SiteMap = z.object({
  run_id: z.string(),
  status: RunStatus,
  url: z.string(),
  urls: z.array(z.object({ url: z.string(), found_in: z.enum(['start', 'page', 'sitemap']) })),
  next_cursor: z.string().nullable(),
  left_out: Counts,
  error: z.string().nullable().meta({ description: 'Why the first page could not be read.' }),
});

export const SITE_MAP_EXAMPLE = {
  run_id: 'map_a1b2c3d4e5f60718',
  status: 'completed',
  url: 'https://example.com/',
  urls: [
    { url: 'https://example.com/', found_in: 'start' },
    { url: 'https://example.com/blog/tides', found_in: 'sitemap' },
  ],
  next_cursor: null,
  left_out: { outside: 3 },
  error: null,
};

nameSchemas({ CrawlRequest, CrawlAccepted, CrawlStatus, CrawlPage, MapRequest, SiteMap });
