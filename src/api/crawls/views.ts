// Crawls and maps in the API. Pure: rows in, JSON out.
import type { z } from 'zod';
import { type TextFormat, textAs } from '../../model/article/text-format.ts';
import { articleId } from '../../model/ids.ts';
import type { Run } from '../../model/run/run.ts';
import { runLabel } from '../../model/run/run-labels.ts';
import type { Waiting } from '../../model/run/why-waits.ts';
import type { Crawl, CrawlPage, PageCount } from '../../store/crawls/crawl-pages.ts';
import { failureText } from '../articles/views.ts';
import { waitingField } from '../runs/waiting.ts';
import type { CrawlPage as PageSchema } from './schemas.ts';

/** Fewer say too little about the next ones. */
const ESTIMATE_AFTER = 5;

export function crawlView(run: Run, crawl: Crawl, waiting: Waiting | null, nowMs: number) {
  const { counts } = crawl;
  const pagesIn = (...states: PageCount['state'][]): number =>
    sum(counts.filter(({ state, isSitemap }) => !isSitemap && states.includes(state)));
  const pages = {
    found: pagesIn('waiting', 'queued', 'done', 'failed'),
    waiting: pagesIn('waiting'),
    queued: pagesIn('queued'),
    done: pagesIn('done'),
    failed: pagesIn('failed'),
  };
  const read = counts.filter(({ state }) => state === 'done');
  return {
    run_id: run.id,
    status: runLabel(run, null),
    url: crawl.options.url,
    limit: crawl.options.limit,
    pages,
    outcomes: byReason(read.filter(({ isSitemap }) => !isSitemap)),
    left_out: leftOut(crawl),
    left_out_complete: !crawl.leftOutCut,
    links_cut: crawl.linksCut,
    sitemaps: sum(read.filter(({ isSitemap }) => isSitemap)),
    depth: Math.max(0, ...read.map(({ deepest }) => deepest)),
    bytes: crawl.bytes,
    estimated_seconds: estimate(run, pages, nowMs),
    created_at: run.createdAt.toISOString(),
    updated_at: run.updatedAt.toISOString(),
    finished_at: run.finishedAt?.toISOString() ?? null,
    ...waitingField(waiting),
  };
}

function estimate(
  { status, createdAt }: Run,
  pages: { done: number; failed: number; waiting: number; queued: number },
  nowMs: number,
): number | null {
  const read = pages.done + pages.failed;
  if (status !== 'running' || read < ESTIMATE_AFTER) return null;
  return Math.ceil((((pages.waiting + pages.queued) / read) * (nowMs - createdAt.getTime())) / 1_000);
}

const sum = (counts: readonly PageCount[]): number => counts.reduce((total, { count }) => total + count, 0);

function byReason(counts: readonly PageCount[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { reason, count } of counts) if (reason !== null) found[reason] = (found[reason] ?? 0) + count;
  return found;
}

const leftOut = ({ counts }: Crawl): Record<string, number> =>
  byReason(counts.filter(({ state }) => state === 'left_out'));

export function pageView(page: CrawlPage, format: TextFormat): z.infer<typeof PageSchema> {
  const { article, articleKey } = page;
  return {
    url: page.url,
    depth: page.depth,
    found_on: page.foundOn,
    state: page.state,
    outcome: page.state === 'done' ? (page.reason as z.infer<typeof PageSchema>['outcome']) : null,
    left_out: page.state === 'left_out' ? (page.reason as z.infer<typeof PageSchema>['left_out']) : null,
    http_status: page.httpStatus,
    content_type: page.contentType,
    title: page.title,
    redirect_to: page.redirectTo,
    error: page.state === 'failed' ? failureText(page.error) : null,
    read_at: page.readAt?.toISOString() ?? null,
    article:
      article === null || articleKey === null
        ? null
        : {
            article_id: articleId(articleKey),
            title: article.title,
            content: textAs(format, article.content, article.details ?? null),
            author: article.author,
            published_at: article.published_at,
            language: article.language,
            image: article.image,
            scraped_at: new Date(article.scraped_at).toISOString(),
          },
  };
}

export function mapView(run: Run, crawl: Crawl, pages: readonly CrawlPage[], nextCursor: string | null) {
  const failed = pages.find(({ state }) => state === 'failed');
  return {
    run_id: run.id,
    status: runLabel(run, null),
    url: crawl.options.url,
    urls: pages
      .filter(({ state, reason }) => state === 'listed' || (state === 'done' && reason === 'page'))
      .map(({ url, pos, isInSitemap }) => ({ url, found_in: pos === 0 ? 'start' : isInSitemap ? 'sitemap' : 'page' })),
    next_cursor: nextCursor,
    left_out: leftOut(crawl),
    error: failed ? failureText(failed.error) : null,
  };
}
