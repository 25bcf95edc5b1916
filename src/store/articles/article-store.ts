// Interfaces of the store for articles.
import type { Pool } from 'pg';
import type { FacetOptions, Facets } from '../items/facets.ts';
import type { StreamQuery } from '../items/stream.ts';
import { bindAll } from '../postgres/bind.ts';
import {
  type ArticleFilter,
  type ArticleListOptions,
  type ArticleOrder,
  articleFacets,
  indexArticles,
  type ListedArticle,
  listArticles,
  streamArticles,
} from './article-list.ts';

/** Articles as lists. */
export interface ArticleStore {
  /** A page of at most `limit`; each says its place, and the next page begins after the last one's. */
  listArticles(options: ArticleListOptions): Promise<ListedArticle[]>;
  /** All that match, a chunk at a time, in the order of a list. */
  streamArticles(filter: ArticleFilter, query: StreamQuery<ArticleOrder>): AsyncGenerator<ListedArticle[]>;
  /** How many match, and how many of them have each value. */
  articleFacets(filter: ArticleFilter, options: FacetOptions): Promise<Facets>;
  /**
   * Makes up to `limit` new articles findable. In the search vector: A title, B author as it is spelled, D the text. A text beyond a book's length is cut: the type has a limit.
   * Labels are those of the run that made the task; its entries are read once for all of the batch.
   */
  indexArticles(limit: number): Promise<number>;
}

export const articleStore = (pool: Pool): ArticleStore =>
  bindAll(pool, { listArticles, articleFacets, streamArticles, indexArticles });
