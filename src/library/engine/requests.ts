// What the engine can be asked for, and how that becomes a run. The same options as the functions that scrape without it, checked the same way.
import { z } from 'zod';
import type { CareerCatalogue } from '../../model/company/company.ts';
import type { FieldError } from '../../model/errors.ts';
import type { Intake, IntakeContext } from '../../orchestrator/intake/intake.ts';
import { BOARD_SOURCES } from '../../sources/boards/index.ts';
import { searchParams, searchTasks } from '../job-search.ts';
import { checkOptions, invalidOptions } from '../options/option-errors.ts';
import { articleErrors, articleTask } from '../scrape-articles.ts';
import { COMPANY_SEARCH_SHAPE, type CompanySearch, detectedTask, namedTask } from '../scrape-company.ts';
import { JOB_SEARCH_SHAPE, type JobSearch } from '../scrape-jobs.ts';
import { productTasks } from '../scrape-products.ts';

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
  /** The boards to search; all of them unless told. */
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

/** What a run brings: companies bring jobs. */
export type RunKind = 'articles' | 'jobs' | 'products';

export type KindOf<R extends RunRequest> = R extends { kind: 'company' } ? 'jobs' : Extract<R['kind'], RunKind>;

const priority = z.number().int().min(1).max(10).optional();

const SCHEMAS = {
  articles: z.strictObject({
    kind: z.literal('articles'),
    urls: z.array(z.string()).min(1).max(10_000),
    maxAgeSeconds: z.number().int().min(0).optional(),
    priority,
  }),
  jobs: z.strictObject({
    kind: z.literal('jobs'),
    ...JOB_SEARCH_SHAPE,
    sites: z.array(z.string()).min(1).optional(),
    priority,
  }),
  products: z.strictObject({
    kind: z.literal('products'),
    items: z.array(z.string()).min(1).max(100),
    zipcode: z.string(),
    results: z.number().int().min(1).max(50).optional(),
  }),
  company: z.strictObject({ kind: z.literal('company'), ...COMPANY_SEARCH_SHAPE, site: z.string().optional() }),
};

const CALLER = 'submit';
const PRIORITY = 5;
const PRODUCTS = 20;
const CONTEXT: IntakeContext = { requestId: null, idempotency: null };

export interface SubmitDeps {
  intake: Intake;
  careers: CareerCatalogue;
  cartSource: string;
  signal: AbortSignal;
}

/** Resolves with the id of the run once it is kept; throws at once what is wrong with the request. */
export async function submitRequest(request: RunRequest, deps: SubmitDeps): Promise<string> {
  const schema = SCHEMAS[request?.kind];
  if (schema === undefined)
    throw invalidOptions(CALLER, [{ pointer: '/kind', detail: `has to be one of ${Object.keys(SCHEMAS).join(', ')}` }]);
  checkOptions(CALLER, schema, request);
  switch (request.kind) {
    case 'articles':
      return submitArticles(request, deps);
    case 'jobs':
      return submitJobs(request, deps);
    case 'products':
      return submitProducts(request, deps);
    case 'company':
      return submitCompany(request, deps);
  }
}

async function submitArticles({ urls, maxAgeSeconds, priority = PRIORITY }: ArticlesRequest, deps: SubmitDeps) {
  refuse(articleErrors(urls.map(articleTask)));
  const articles = urls.map((url) => ({ url, priority }));
  return (await deps.intake.submitArticles({ articles, maxAgeSeconds: maxAgeSeconds ?? null }, CONTEXT)).runId;
}

async function submitJobs({ kind: _kind, priority = PRIORITY, ...search }: JobsRequest, deps: SubmitDeps) {
  const { tasks, errors } = searchTasks(search.sites ?? BOARD_SOURCES, searchParams(search));
  refuse(errors);
  const sites = tasks.map(({ source, params }) => ({ name: source.name, params }));
  return (await deps.intake.submitScrape({ sites, priority, trigger: 'manual', options: search }, CONTEXT)).runId;
}

async function submitProducts({ items, zipcode, results = PRODUCTS }: ProductsRequest, deps: SubmitDeps) {
  refuse(productTasks({ items, zipcode, results, sites: [deps.cartSource] }).errors);
  const cart = { items: items.map((item) => item.trim()), zipcode, maxProducts: results };
  return (await deps.intake.submitCart(cart, CONTEXT)).runId;
}

async function submitCompany({ kind: _kind, ...search }: CompanyRequest, deps: SubmitDeps) {
  const task = namedTask(CALLER, search) ?? detectedTask(search, await deps.careers.detect(search.url!, deps.signal));
  const sites = [{ name: task.source.name, params: task.params }];
  return (await deps.intake.submitScrape({ sites, priority: PRIORITY, trigger: 'manual', options: search }, CONTEXT))
    .runId;
}

function refuse(errors: FieldError[]): void {
  if (errors.length > 0) throw invalidOptions(CALLER, errors);
}
