// How a request becomes a run: checked as the functions that scrape check their options, then taken in.
import { z } from 'zod';
import type { CareerCatalogue } from '../../model/company/company.ts';
import type { FieldError } from '../../model/errors.ts';
import type { Intake, IntakeContext } from '../../orchestrator/intake/intake.ts';
import type { SourceRegistry } from '../../source-modules/registry.ts';
import { BOARD_SOURCES } from '../../sources/boards/index.ts';
import { searchParams, searchTasks } from '../job-search.ts';
import { checkOptions, invalidOptions } from '../options/option-errors.ts';
import { articleErrors, articleTask } from '../scrape-articles.ts';
import { COMPANY_SEARCH_SHAPE, detectedTask, namedTask } from '../scrape-company.ts';
import { JOB_SEARCH_SHAPE } from '../scrape-jobs.ts';
import { productTasks } from '../scrape-products.ts';
import type { ArticlesRequest, CompanyRequest, JobsRequest, ProductsRequest, RunRequest } from './requests.ts';

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
  registry: SourceRegistry;
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
  const { tasks, errors } = searchTasks(search.sites ?? BOARD_SOURCES, searchParams(search), deps.registry.boards);
  refuse(errors);
  const sites = tasks.map(({ source, params }) => ({ name: source.name, params }));
  return (await deps.intake.submitScrape({ sites, priority, trigger: 'manual', options: search }, CONTEXT)).runId;
}

async function submitProducts({ items, zipcode, results = PRODUCTS }: ProductsRequest, deps: SubmitDeps) {
  refuse(
    productTasks({ items, zipcode, results, sites: [deps.registry.get(deps.cartSource) ?? deps.cartSource] }).errors,
  );
  const cart = { items: items.map((item) => item.trim()), zipcode, maxProducts: results };
  return (await deps.intake.submitCart(cart, CONTEXT)).runId;
}

async function submitCompany({ kind: _kind, ...search }: CompanyRequest, deps: SubmitDeps) {
  const { careers } = deps.registry;
  const task =
    namedTask(CALLER, search, careers) ??
    detectedTask(search, await deps.careers.detect(search.url!, deps.signal), careers);
  const sites = [{ name: task.source.name, params: task.params }];
  return (await deps.intake.submitScrape({ sites, priority: PRIORITY, trigger: 'manual', options: search }, CONTEXT))
    .runId;
}

function refuse(errors: FieldError[]): void {
  if (errors.length > 0) throw invalidOptions(CALLER, errors);
}
