// The library: scraping in this process without a server and without a database, and the whole engine embedded. What is exported here is public.
export type { ErrorCode } from '../model/errors.ts';
export { AppError as WindrowError } from '../model/errors.ts';
export { defineSource, type Source } from '../sources/define.ts';
export { defineConfig, type WindrowConfig } from '../sources/define-config.ts';
export type {
  ArticlesRequest,
  CompanyRequest,
  JobsRequest,
  ProductsRequest,
  RunKind,
  RunRequest,
} from './engine/requests.ts';
export type { RunError, RunResults } from './engine/results.ts';
export type { Run } from './engine/run.ts';
export { createWindrow, type Windrow } from './engine/windrow.ts';
export type { WindrowOptions } from './engine/windrow-options.ts';
export type { Article } from './items/article.ts';
export type { Job, JobPlace, Range, Salary } from './items/job.ts';
export type { Product } from './items/product.ts';
export type { ScrapeOptions } from './options/scrape-options.ts';
export type { WebSettings } from './options/web-options.ts';
export type { Progress, Scrape, ScrapeError, ScrapeWarning, SiteProgress } from './run/scrape.ts';
export { type ScrapeArticlesOptions, scrapeArticles } from './scrape-articles.ts';
export { type CareerSite, type CompanySearch, type ScrapeCompanyOptions, scrapeCompany } from './scrape-company.ts';
export { type JobSearch, type JobSite, type ScrapeJobsOptions, scrapeJobs } from './scrape-jobs.ts';
export { type ProductSearch, type ProductSite, type ScrapeProductsOptions, scrapeProducts } from './scrape-products.ts';
