// Reads crawls: how far they are, and the addresses they have found, in the order in which these were found.
import type { Pool } from 'pg';
import type { CrawlOptions, LeftOut, PageOutcome } from '../../model/crawl/crawl.ts';
import type { Article } from '../../model/item/article.ts';
import type { TaskError } from '../../model/task/messages.ts';
import { query } from '../postgres/pool.ts';
import { pgText, textArray } from '../postgres/text.ts';

export const PAGE_STATES = ['waiting', 'queued', 'done', 'failed', 'listed', 'left_out'] as const;
export type PageState = (typeof PAGE_STATES)[number];

/** How many addresses of a crawl are in a state. */
export interface PageCount {
  state: PageState;
  isSitemap: boolean;
  /** Of those that are done, what they were; of those that were left out, why. */
  reason: PageOutcome | LeftOut | null;
  count: number;
  deepest: number;
}

export interface Crawl {
  options: CrawlOptions;
  counts: PageCount[];
  bytes: number;
  linksCut: number;
  leftOutCut: boolean;
}

/** Null when there is no such crawl. */
export async function getCrawl(pool: Pool, runId: string): Promise<Crawl | null> {
  const rows = await query<
    Record<string, unknown> & {
      options: CrawlOptions;
      bytes: string;
      links_cut: number;
      left_out_cut: boolean;
      counts: PageCount[];
    }
  >(
    pool,
    `select c.options, c.bytes, c.links_cut, c.left_out_cut, (
       select coalesce(json_agg(n), '[]') from (
         select state, is_sitemap as "isSitemap", reason, count(*)::int as count, max(depth) as deepest
         from crawl_pages p where p.run_seq = c.run_seq group by 1, 2, 3) n
     ) as counts
     from runs r join crawls c on c.run_seq = r.seq where r.id = $1`,
    [runId],
  );
  const [row] = rows;
  if (!row) return null;
  const { options, counts, bytes, links_cut: linksCut, left_out_cut: leftOutCut } = row;
  return { options, counts, bytes: Number(bytes), linksCut, leftOutCut };
}

export interface CrawlPage {
  pos: number;
  url: string;
  depth: number;
  state: PageState;
  reason: PageOutcome | LeftOut | null;
  foundOn: string | null;
  isInSitemap: boolean;
  httpStatus: number | null;
  contentType: string | null;
  title: string | null;
  redirectTo: string | null;
  readAt: Date | null;
  error: TaskError | null;
  articleKey: string | null;
  article: (Omit<Article, 'url'> & { scraped_at: Date }) | null;
}

export interface CrawlPageQuery {
  runId: string;
  states: readonly PageState[];
  /** Text that the address contains. */
  search?: string | null;
  after: number;
  limit: number;
  withArticles: boolean;
}

interface PageRow extends Record<string, unknown> {
  pos: number;
  url: string;
  depth: number;
  state: PageState;
  reason: CrawlPage['reason'];
  found_on: string | null;
  in_sitemap: boolean;
  http_status: number | null;
  content_type: string | null;
  title: string | null;
  redirect_to: string | null;
  read_at: Date | null;
  error: TaskError | null;
  article_key: string | null;
  article: Omit<Article, 'url' | 'content'> | null;
  content: string | null;
  scraped_at: Date | null;
}

/** Pages after a place; sitemap files are none. */
export async function crawlPages(pool: Pool, options: CrawlPageQuery): Promise<CrawlPage[]> {
  const { runId, states, search = null, after, limit, withArticles } = options;
  const rows = await query<PageRow>(
    pool,
    `select p.pos, p.url, p.depth, p.state, p.reason, f.url as found_on, coalesce(f.is_sitemap, false) as in_sitemap, p.http_status, p.content_type,
       p.title, p.redirect_to, p.read_at, p.article_key, o.error, a.content, a.scraped_at,
       case when a.key is not null then json_build_object('title', a.title, 'author', a.author, 'published_at', a.published_at,
         'language', a.language, 'image', a.image, 'details', a.details) end as article
     from runs r join crawl_pages p on p.run_seq = r.seq
     left join crawl_pages f on f.run_seq = p.run_seq and f.pos = p.found_on
     left join run_tasks l on p.state = 'failed' and l.run_seq = p.run_seq and l.pos = p.pos
     left join outcomes o on o.task_id = l.task_id
     left join articles a on $6 and a.key = p.article_key
     where r.id = $1 and not p.is_sitemap and p.state = any($2::text[]) and p.pos > $3
       and ($5::text is null or strpos(lower(p.url), lower($5)) > 0)
     order by p.pos limit $4`,
    [runId, textArray(states), after, limit, pgText(search), withArticles],
  );
  return rows.map(toPage);
}

const toPage = (row: PageRow): CrawlPage => ({
  pos: row.pos,
  url: row.url,
  depth: row.depth,
  state: row.state,
  reason: row.reason,
  foundOn: row.found_on,
  isInSitemap: row.in_sitemap,
  httpStatus: row.http_status,
  contentType: row.content_type,
  title: row.title,
  redirectTo: row.redirect_to,
  readAt: row.read_at,
  error: row.error,
  articleKey: row.article_key,
  article:
    row.article === null || row.content === null || row.scraped_at === null
      ? null
      : { ...row.article, content: row.content, scraped_at: row.scraped_at },
});
