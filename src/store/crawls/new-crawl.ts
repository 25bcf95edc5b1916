// The beginning of a crawl: its first page, in the transaction that accepts its run.
import { type CrawlOptions, CrawlScope } from '../../model/crawl/crawl.ts';
import type { Client } from '../postgres/pool.ts';
import { pgJson } from '../postgres/text.ts';

/** What tasks of a crawl have in common. */
export interface CrawlTask {
  source: string;
  lane: string;
  line: string;
  priority: number;
  maxRetries: number;
  timeoutSeconds: number;
}

interface PageToRead {
  url: string;
  isSitemap: boolean;
  isFirst: boolean;
}

/** What its source is told of a page. */
export function taskParams(options: CrawlOptions, { url, isSitemap, isFirst }: PageToRead): Record<string, unknown> {
  const delay = options.delayMs === null ? {} : { delay_ms: options.delayMs };
  if (isSitemap) return { url, what: 'sitemap', scope: CrawlScope.parse(options), ...delay };
  return {
    url,
    ...(isFirst && { is_first: true }),
    ...(isFirst && options.sitemap !== 'skip' && { asks_sitemaps: true }),
    ...(options.engine === 'browser' && { engine: 'browser' }),
    ...(options.mode === 'map' && { only_links: true }),
    ...delay,
  };
}

export async function insertCrawl(
  client: Client,
  run: { seq: string },
  { options, task, first }: { options: CrawlOptions; task: CrawlTask; first: { key: string; url: string } },
): Promise<void> {
  await client.query(
    `with crawl as (insert into crawls (run_seq, options, task, next_pos, pages, admitted) values ($1, $2, $3, 1, 1, 1))
     insert into crawl_pages (key, run_seq, pos, url, depth, state) values ($4, $1, 0, $5, 0, 'queued')`,
    [run.seq, pgJson(options), pgJson(task), first.key, first.url],
  );
}
