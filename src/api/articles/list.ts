// List articles of all runs, with filters, sorting and search.
import { z } from 'zod';
import { articleId } from '../../model/ids.ts';
import { ARTICLE_ORDERS, type ArticleFilter, type ListedArticle } from '../../store/articles/article-list.ts';
import type { ArticleStore } from '../../store/articles/article-store.ts';
import type { ProvenanceStore } from '../../store/items/origins.ts';
import type { NameStore } from '../../store/names/name-store.ts';
import type { Needs } from '../deps.ts';
import type { Route } from '../http/route.ts';
import { given, NameFilter, TextFilter, TimeFilter, timeFilter } from '../lists/filters.ts';
import { itemRoutes, withMarks } from '../lists/item-list.ts';
import { nameSchemas } from '../validation/named.ts';
import { RESULT_EXAMPLE } from './schemas.ts';

const FILTERS = {
  source: NameFilter.meta({ description: 'The `source` label given on submit, such as BBC.' }),
  category: NameFilter.meta({ description: 'The `category` label given on submit.' }),
  host: NameFilter.meta({ description: 'Host name: `example.com`, with or without `www.`.' }),
  language: NameFilter.meta({ description: 'Language code of the page, such as `en`.' }),
  author: NameFilter.meta({ description: 'Words in the author name.' }),
  published_after: TimeFilter.meta({ description: 'A day or a time. Articles without a date are left out.' }),
  published_before: TimeFilter,
  scraped_after: TimeFilter.meta({ description: 'Scraped after this day or time.' }),
  scraped_before: TimeFilter,
  q: TextFilter.meta({
    description: 'Full text search in title, author and content: words, "a phrase", or, -excluded.',
  }),
};

const Listed = z.object({
  article_id: z.string(),
  url: z.string(),
  source: z.string().nullable(),
  category: z.string().nullable(),
  title: z.string().nullable(),
  content: z.string(),
  author: z.string().nullable(),
  published_at: z.string().nullable(),
  language: z.string().nullable(),
  image: z.string().nullable(),
  scraped_at: z.string(),
});
const Shown = withMarks(Listed);
nameSchemas({ Article: Shown });
type Listed = z.infer<typeof Listed>;

const COLUMNS = Object.keys(Listed.shape) as (keyof Listed)[];

const { cached: _cached, modified_at: _modified, kind: _kind, ...EXAMPLE } = RESULT_EXAMPLE;

export const articleList = ({ store }: Needs<ArticleStore & NameStore & ProvenanceStore>): Route[] =>
  itemRoutes({
    name: 'articles',
    operationId: 'listArticles',
    summary: 'List articles of all runs, with filters, sorting and search',
    description: 'A new article appears here a few seconds after it was scraped.',
    filters: FILTERS,
    orders: ARTICLE_ORDERS,
    first: 'scraped_at',
    schema: Shown,
    example: EXAMPLE,
    // Each with its whole text.
    sizes: { page: 200, chunk: 200 },
    fuzzy: { field: 'author', find: (asked) => store.similarNames('author', asked) },
    facets: { source: 'BBC', category: 'Tech', host: 'example.com', language: 'en', author: 'Ann Example' },
    filterOf,
    read: (filter, listQuery) => store.listArticles({ ...filter, ...listQuery }),
    count: store.articleFacets,
    provenance: { read: store.provenanceOf, kind: 'article', fieldsOf },
    stream: store.streamArticles,
    types: { scraped_at: 'time' },
    view,
    columns: COLUMNS,
    row: (shown) => COLUMNS.map((column) => shown[column]),
  });

function filterOf(query: z.output<z.ZodObject<typeof FILTERS>>, names?: string[]): ArticleFilter {
  const { source, category, host, language, author, q } = query;
  return given<ArticleFilter>({
    source,
    category,
    host,
    language,
    author: names ? undefined : author,
    authors: names,
    q,
    publishedAfter: timeFilter('published_after', query.published_after),
    publishedBefore: timeFilter('published_before', query.published_before),
    scrapedAfter: timeFilter('scraped_after', query.scraped_after),
    scrapedBefore: timeFilter('scraped_before', query.scraped_before),
  });
}

/** Without the labels of the request and what the list adds. */
const fieldsOf = ({ url, title, content, author, published_at, language, image }: ListedArticle) => ({
  url,
  title,
  content,
  author,
  published_at,
  language,
  image,
});

const view = ({ at: _at, marks: _marks, key, ...article }: ListedArticle): Listed => ({
  article_id: articleId(key),
  ...article,
  scraped_at: article.scraped_at.toISOString(),
});
