// Pages of crawls that were read: what they were, and the links that become pages, in the transaction that settles their tasks. The caller has locked the runs, so
// that one crawl grows in one transaction at a time; what the links become is decided by model/crawl/grow.ts.
import type { CrawlOptions, LeftOut, PageFindings } from '../../model/crawl/crawl.ts';
import {
  type Candidate,
  candidatesOf,
  grow,
  judgeOf,
  type Known,
  type NewPage,
  type ReadPage,
} from '../../model/crawl/grow.ts';
import { articleKey } from '../../model/item/article.ts';
import type { Client } from '../postgres/pool.ts';
import { pgText, plainArray, textArray } from '../postgres/text.ts';

/** A task that has ended well, of a page of a crawl. */
export interface CrawledTask {
  key: string;
  runSeq: string;
  findings: PageFindings;
  /** Of the article that was stored with it. */
  articleUrl: string | null;
  bytes: number;
}

interface CrawlRow {
  run_seq: string;
  run_id: string;
  options: CrawlOptions;
  next_pos: number;
  pages: number;
  sitemaps: number;
  left_out: number;
}

/** Only of runs that go on: after a cancel nothing grows. */
export async function growCrawls(client: Client, tasks: readonly CrawledTask[]): Promise<void> {
  const places = await markRead(client, tasks);
  const { rows: crawls } = await client.query<CrawlRow>(
    `select c.run_seq, r.id as run_id, c.options, c.next_pos, c.pages, c.sitemaps, c.left_out
     from crawls c join runs r on r.seq = c.run_seq where c.run_seq = any($1::bigint[]) and r.status = 'running' order by c.run_seq`,
    [plainArray([...new Set(tasks.map((task) => task.runSeq))])],
  );
  for (const crawl of crawls) {
    const own = tasks.filter((task) => task.runSeq === crawl.run_seq);
    const read = own.flatMap(({ key, findings }): ReadPage[] => {
      const place = places.get(key);
      return place ? [{ ...place, findings }] : [];
    });
    await growOne(client, crawl, read, own);
  }
}

async function growOne(client: Client, crawl: CrawlRow, read: ReadPage[], tasks: CrawledTask[]): Promise<void> {
  const { run_seq: runSeq, run_id: runId, options, next_pos: nextPos } = crawl;
  const candidates = candidatesOf(runId, judgeOf(options), read);
  const known = await knownOf(client, candidates);
  const size = { pages: crawl.pages, sitemaps: crawl.sitemaps, leftOut: crawl.left_out };
  const { pages, isCut } = grow(candidates, { options, size, known });
  await savePages(client, runSeq, nextPos, pages);
  const count = (isSo: (page: NewPage) => boolean): number => pages.filter(isSo).length;
  const isPage = ({ state, isSitemap }: NewPage): boolean => state !== 'left_out' && !isSitemap;
  const back = pages.filter(({ key }) => known.pages.has(key)).length;
  await client.query({
    name: 'grow-crawl',
    text: `with grown as (
             update crawls set next_pos = next_pos + $2, pages = pages + $3, sitemaps = sitemaps + $4, left_out = left_out + $5,
               left_out_cut = left_out_cut or $6, links_cut = links_cut + $7, bytes = bytes + $8 where run_seq = $1
           )
           update runs set total = total + $9 where seq = $1 and $9 > 0`,
    values: [
      runSeq,
      pages.length,
      count(isPage),
      count(({ state, isSitemap }) => state !== 'left_out' && isSitemap),
      count(({ state }) => state === 'left_out') - back,
      isCut,
      tasks.reduce((sum, { findings }) => sum + findings.links_cut, 0),
      tasks.reduce((sum, { bytes }) => sum + bytes, 0),
      count(({ state }) => state === 'waiting'),
    ],
  });
}

async function markRead(
  client: Client,
  tasks: readonly CrawledTask[],
): Promise<Map<string, Pick<ReadPage, 'pos' | 'depth' | 'isSitemap'>>> {
  const text = (pick: (findings: PageFindings) => string | null): string =>
    textArray(tasks.map(({ findings }) => pgText(pick(findings))));
  const { rows } = await client.query<{ key: string; pos: number; depth: number; is_sitemap: boolean }>({
    name: 'mark-read',
    text: `update crawl_pages p set state = 'done', reason = f.outcome, http_status = f.status, content_type = f.content_type, title = f.title,
             redirect_to = f.redirect_to, article_key = f.article_key, read_at = now()
           from unnest($1::uuid[], $2::text[], $3::smallint[], $4::text[], $5::text[], $6::text[], $7::uuid[])
             as f(key, outcome, status, content_type, title, redirect_to, article_key)
           where p.key = f.key and p.state = 'queued' returning p.key, p.pos, p.depth, p.is_sitemap`,
    values: [
      plainArray(tasks.map(({ key }) => key)),
      text(({ outcome }) => outcome),
      plainArray(tasks.map(({ findings }) => findings.status)),
      text(({ content_type }) => content_type),
      text(({ title }) => title),
      text(({ redirect_to }) => redirect_to),
      plainArray(tasks.map(({ articleUrl }) => (articleUrl === null ? null : articleKey(articleUrl)))),
    ],
  });
  return new Map(rows.map(({ key, pos, depth, is_sitemap: isSitemap }) => [key, { pos, depth, isSitemap }]));
}

async function knownOf(client: Client, candidates: readonly Candidate[]): Promise<Known> {
  const pathKeys = new Set(candidates.flatMap(({ pathKey }) => pathKey ?? []));
  const [{ rows: pages }, variants] = await Promise.all([
    client.query<{ key: string; left_out: LeftOut | null }>({
      name: 'known-pages',
      text: `select key, case when state = 'left_out' then reason end as left_out from crawl_pages where key = any($1::uuid[])`,
      values: [plainArray(candidates.map(({ key }) => key))],
    }),
    pathKeys.size === 0
      ? { rows: [] }
      : client.query<{ path_key: string; n: number }>({
          name: 'known-paths',
          text: `select path_key, count(*)::int as n from crawl_pages where path_key = any($1::uuid[]) and state <> 'left_out' group by 1`,
          values: [plainArray([...pathKeys])],
        }),
  ]);
  return {
    pages: new Map(pages.map((row) => [row.key, row.left_out])),
    variants: new Map(variants.rows.map((row) => [row.path_key, row.n])),
  };
}

/** Those that were left out before keep their place. */
async function savePages(client: Client, runSeq: string, nextPos: number, pages: readonly NewPage[]): Promise<void> {
  if (pages.length === 0) return;
  await client.query({
    name: 'save-pages',
    text: `insert into crawl_pages as p (key, run_seq, pos, url, is_sitemap, depth, state, reason, found_on, path_key)
           select key, $1, $2 + place - 1, url, is_sitemap, depth, state, reason, found_on, path_key
           from unnest($3::uuid[], $4::text[], $5::boolean[], $6::smallint[], $7::text[], $8::text[], $9::int[], $10::uuid[])
             with ordinality as n(key, url, is_sitemap, depth, state, reason, found_on, path_key, place)
           on conflict (key) do update set state = excluded.state, reason = excluded.reason, depth = excluded.depth, found_on = excluded.found_on
           where p.state = 'left_out'`,
    values: [
      runSeq,
      nextPos,
      plainArray(pages.map((page) => page.key)),
      textArray(pages.map((page) => pgText(page.url))),
      plainArray(pages.map((page) => page.isSitemap)),
      plainArray(pages.map((page) => page.depth)),
      textArray(pages.map((page) => page.state)),
      textArray(pages.map((page) => page.leftOut)),
      plainArray(pages.map((page) => page.foundOn)),
      plainArray(pages.map((page) => page.pathKey)),
    ],
  });
}

/** Of tasks that ended without a result. */
export async function markFailed(client: Client, keys: readonly string[]): Promise<void> {
  await client.query({
    name: 'mark-failed',
    text: `update crawl_pages set state = 'failed', read_at = now() where key = any($1::uuid[]) and state = 'queued'`,
    values: [plainArray([...keys])],
  });
}
