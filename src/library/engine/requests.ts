// What the engine can be asked for: the same options as the functions that scrape without it. Types only, so that a program's own type check needs nothing of
// the engine's inside.
import type { CompanySearch } from '../scrape-company.ts';
import type { JobSearch } from '../scrape-jobs.ts';

/** Articles of web pages. */
export interface ArticlesRequest {
  kind: 'articles';
  /** Addresses of the pages. */
  urls: readonly string[];
  /** Takes an article that was scraped within so many seconds; without it, one of any age. */
  maxAgeSeconds?: number | undefined;
  /** From 1, first, to 10; 5. */
  priority?: number | undefined;
}

/** A search of job boards. */
export interface JobsRequest extends Omit<JobSearch, 'sites'> {
  kind: 'jobs';
  /** The boards to search; all of them by default. */
  sites?: readonly string[] | undefined;
  /** From 1, first, to 10; 5. */
  priority?: number | undefined;
}

/** Items near a ZIP code, searched with the source of the setting `cartSource`. */
export interface ProductsRequest {
  kind: 'products';
  /** What to look up, such as `milk`. */
  items: readonly string[];
  /** US ZIP code near which to look. */
  zipcode: string;
  /** Products wanted of each item; 20. */
  results?: number | undefined;
}

/** The open positions of one company. */
export interface CompanyRequest extends Omit<CompanySearch, 'site'> {
  kind: 'company';
  /** In place of `url`: what it is scraped with. */
  site?: string | undefined;
}

export type RunRequest = ArticlesRequest | JobsRequest | ProductsRequest | CompanyRequest;

/** Type of the results: companies have jobs. */
export type RunKind = 'articles' | 'jobs' | 'products';

export type KindOf<R extends RunRequest> = R extends { kind: 'company' } ? 'jobs' : Extract<R['kind'], RunKind>;
