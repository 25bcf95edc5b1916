// Lists of articles and their search columns: search vector, host and labels are written some seconds after the article itself, so that recording does not
// wait for them.
import type { Pool } from 'pg';
import type { Article } from '../../model/item/article.ts';
import { countFacets, type FacetList, type FacetOptions, type Facets } from '../items/facets.ts';
import type { Marks } from '../items/highlights.ts';
import {
  type Bind,
  byTime,
  byWrittenDate,
  type Filter,
  hasWords,
  type ItemList,
  type ItemRow,
  instantOf,
  type ListPlace,
  type ListQuery,
  labelsOf,
  phrase,
  search,
} from '../items/item-list.ts';
import { listPage } from '../items/ranked.ts';
import { type StreamQuery, streamItems } from '../items/stream.ts';
import { noteNames } from '../names/names.ts';
import { transaction } from '../postgres/pool.ts';
import { pgText } from '../postgres/text.ts';

export const ARTICLE_ORDERS = { scraped_at: byTime('scraped_at'), published_at: byWrittenDate('p.published_at') };
export type ArticleOrder = keyof typeof ARTICLE_ORDERS;

export interface ArticleFilter {
  /** The label that the run gave it. */
  source?: string;
  category?: string;
  host?: string;
  language?: string;
  /** Words of the author's name, in their order. */
  author?: string;
  /** Exactly one of these names. */
  authors?: string[];
  /** ISO 8601; articles without a date are left out. */
  publishedAfter?: string;
  publishedBefore?: string;
  scrapedAfter?: string;
  scrapedBefore?: string;
  q?: string;
}

export interface ListedArticle extends Omit<Article, 'details'> {
  at: ListPlace;
  key: string;
  source: string | null;
  category: string | null;
  scraped_at: Date;
  marks?: Marks;
}

export const ARTICLES: ItemList<ArticleOrder> & FacetList = {
  table: 'articles',
  // What every index of the list says too.
  always: 'p.search_vector is not null',
  labels: 'article_labels(p.label, p.category, p.host, p.language, p.author)',
  texts: { title: 'p.title', content: 'p.content' },
  columns:
    'p.url, p.label as source, p.category, p.title, p.content, p.author, p.published_at, p.language, p.image, p.scraped_at',
  orders: ARTICLE_ORDERS,
};

type Row = Omit<ListedArticle, 'at'>;

export type ArticleListOptions = ArticleFilter & ListQuery<ArticleOrder | 'relevance'>;

export async function listArticles(pool: Pool, options: ArticleListOptions): Promise<ListedArticle[]> {
  const rows = await listPage<Row, ArticleOrder>(pool, ARTICLES, 'scraped_at', options, filterOf(options));
  return rows.map(listed);
}

/** All that match, a chunk at a time. */
export async function* streamArticles(
  pool: Pool,
  filter: ArticleFilter,
  query: StreamQuery<ArticleOrder>,
): AsyncGenerator<ListedArticle[]> {
  for await (const rows of streamItems<Row, ArticleOrder>(pool, ARTICLES, query, filterOf(filter)))
    yield rows.map(listed);
}

const listed = ({ place, ...row }: ItemRow<Row>): ListedArticle => ({ ...row, at: { value: place, key: row.key } });

export const articleFacets = (pool: Pool, filter: ArticleFilter, options: FacetOptions): Promise<Facets> =>
  countFacets(pool, ARTICLES, filterOf(filter), options);

const filterOf = (filter: ArticleFilter): Filter => ({ q: filter.q, conditions: (bind) => conditions(filter, bind) });

function conditions(filter: ArticleFilter, bind: Bind): string[] {
  const where: string[] = [];
  const { source, category, host, language, author, authors } = filter;
  const { publishedAfter, publishedBefore, scrapedAfter, scrapedBefore, q } = filter;
  const labels = labelsOf({ source, category, host: host === undefined ? undefined : plainHost(host), language });
  if (labels.length > 0) where.push(`${ARTICLES.labels} @> ${bind(labels)}::text[]`);
  if (authors) where.push(`${ARTICLES.labels} && ${bind(authors.map((name) => `author:${name}`))}::text[]`);
  if (author !== undefined) where.push(hasWords('b', phrase(bind(pgText(author)))));
  if (publishedAfter !== undefined)
    where.push(`${instantOf('p.published_at')} >= ${bind(publishedAfter)}::timestamptz`);
  if (publishedBefore !== undefined)
    where.push(
      `instant_of(p.published_at) is not null and ${instantOf('p.published_at')} < ${bind(publishedBefore)}::timestamptz`,
    );
  if (scrapedAfter !== undefined) where.push(`p.scraped_at >= ${bind(scrapedAfter)}::timestamptz`);
  if (scrapedBefore !== undefined) where.push(`p.scraped_at < ${bind(scrapedBefore)}::timestamptz`);
  if (q !== undefined) where.push(`p.search_vector @@ ${search(bind(pgText(q)))}`);
  return where;
}

const plainHost = (host: string): string => pgText(host.toLowerCase().replace(/^www\./, ''));

export async function indexArticles(pool: Pool, limit: number): Promise<number> {
  return transaction(pool, async (client) => {
    const { rows } = await client.query<{ author: string | null }>(
      `with due as (
       select key, task_id from articles where search_due order by key limit $1 for update skip locked
     ), made as materialized (
       select t.id, t.run_seq from tasks t where t.id in (select task_id from due)
         -- Pages of a crawl have no labels, and may be very many.
         and not exists (select 1 from crawls c where c.run_seq = t.run_seq)
     ), entries as materialized (
       select l.task_id, l.pos, l.ref from run_tasks l where l.run_seq in (select run_seq from made)
     ), labels as (
       select distinct on (e.task_id) e.task_id, e.ref ->> 'source' as label, e.ref ->> 'category' as category
       from entries e join made m on m.id = e.task_id order by e.task_id, e.pos
     )
     update articles a set search_due = false, label = l.label, category = l.category,
       host = regexp_replace(lower(substring(a.url from '^https?://(?:[^/@]*@)?([^/:?#]+)')), '^www\\.', ''),
       search_vector = setweight(to_tsvector('english', left(coalesce(a.title, ''), 2000)), 'A')
         || setweight(to_tsvector('simple', left(coalesce(a.author, ''), 500)), 'B')
         || setweight(to_tsvector('english', left(a.content, 100000)), 'D')
     from due d left join labels l on l.task_id = d.task_id where a.key = d.key returning a.author`,
      [limit],
    );
    await noteNames(
      client,
      'author',
      rows.map((row) => row.author),
    );
    return rows.length;
  });
}
