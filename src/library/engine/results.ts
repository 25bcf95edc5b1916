// What comes of a run, as the library shows it. Types only, so that a program's own type check needs nothing of the engine's inside.
import type { Article } from '../items/article.ts';
import type { Job } from '../items/job.ts';
import type { Product } from '../items/product.ts';
import type { ScrapeError } from '../run/scrape.ts';

/** Why one page, site or item of a run failed. */
export type RunError = Omit<ScrapeError, 'attempts' | 'found'>;

/** Type of the results of each kind of run. */
export interface ItemOfRun {
  articles: Article;
  jobs: Job;
  products: Product;
}

/** Items of a run that were stored when they are read. Each loop reads anew. */
export interface RunResults<T> extends AsyncIterable<T> {
  /** All of them. */
  toArray(): Promise<T[]>;
  /** What failed so far. */
  errors(): Promise<RunError[]>;
}
