// scrapeCompany: the open positions of one company, from its career page or from the system behind it.
import { z } from 'zod';
import { AppError } from '../model/errors.ts';
import type { Posting } from '../model/posting/posting.ts';
import { issueErrors } from '../model/zod-messages.ts';
import { detect } from '../sources/careers/detect.ts';
import { CAREER_SOURCES } from '../sources/careers/index.ts';
import type { Source } from '../sources/define.ts';
import type { Webs } from '../web/web.ts';
import { type Job, toJob } from './items/job.ts';
import { postingKey } from './job-search.ts';
import { invalidOptions } from './options/option-errors.ts';
import { optionsSchema, readOptions, type ScrapeOptions, siteOption } from './options/scrape-options.ts';
import { findSite, isProblem } from './options/sites.ts';
import type { Task } from './run/run-task.ts';
import { createScrape, type Scrape, type ScrapePlan } from './run/scrape.ts';

/** Kinds of career pages that are built in. */
export type CareerSite =
  | 'greenhouse'
  | 'lever'
  | 'ashby'
  | 'smartrecruiters'
  | 'comeet'
  | 'workday'
  | 'workable'
  | 'recruitee'
  | 'personio'
  | 'teamtailor'
  | 'bamboohr'
  | 'rss'
  | 'api'
  | 'static'
  | 'playwright';

/** Which company: the address of its career page, or what it is scraped with. */
export interface CompanySearch {
  /** Its website or career page; what it can be scraped with is found out. */
  url?: string | undefined;
  /** In place of `url`: what it is scraped with. A source of your own stands for itself. */
  site?: CareerSite | (string & {}) | Source | undefined;
  /** With `site`: the parameters of that source, such as `{ board: 'acme' }`; docs/companies.md lists them. */
  params?: Readonly<Record<string, unknown>> | undefined;
  /** Name of the company, where the page does not say. */
  company?: string | undefined;
  /** Format of descriptions; markdown. */
  descriptionFormat?: 'markdown' | 'html' | 'plain' | undefined;
}

export interface ScrapeCompanyOptions extends CompanySearch, ScrapeOptions {}

const SCHEMA = optionsSchema({
  url: z.url({ protocol: /^https?$/, error: 'has to be an address that begins with http:// or https://' }).optional(),
  site: siteOption.optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  company: z.string().min(1).optional(),
  descriptionFormat: z.enum(['markdown', 'html', 'plain']).optional(),
});

/** Scrapes the open positions of a company; yields jobs as they are found. A failure is in `errors`. */
export function scrapeCompany(given: ScrapeCompanyOptions): Scrape<Job> {
  const { options, scraping } = readOptions('scrapeCompany', SCHEMA, given);
  return createScrape({
    ...scraping,
    tasks: companyTasks('scrapeCompany', options),
    concurrency: 1,
    toItem: (item) => toJob(item as Posting),
  });
}

/** Throws what is wrong at once; what has to be found out first is found out by the scrape. */
function companyTasks(caller: string, search: CompanySearch): ScrapePlan<unknown>['tasks'] {
  const { url, site, params = {} } = search;
  if ((url === undefined) === (site === undefined))
    throw invalidOptions(caller, [
      { pointer: '/url', detail: 'is missing; give the address of a career page, or site and params' },
    ]);
  if (url !== undefined)
    return { site: 'detect', target: url, findTasks: (webs, signal) => detected(url, search, webs, signal) };
  const source = findSite(site!, CAREER_SOURCES, '/site');
  if (isProblem(source)) throw invalidOptions(caller, [source]);
  const task = companyTask(source, params, search);
  const checked = source.params.safeParse(task.params);
  if (!checked.success)
    throw invalidOptions(
      caller,
      issueErrors(checked.error.issues).map(({ pointer, detail }) => ({ pointer: `/params${pointer}`, detail })),
    );
  return [task];
}

async function detected(url: string, search: CompanySearch, webs: Webs, signal: AbortSignal): Promise<Task[]> {
  const { findings, looked } = await detect(url, webs.forAttempt({ signal, source: 'detect' }));
  const [best] = findings;
  const source = CAREER_SOURCES.find(({ name }) => name === best?.settings.scraper_type);
  if (best && source) {
    const { scraper_type: _name, ...params } = best.settings;
    return [companyTask(source, params, search)];
  }
  const failed = looked.find((page) => page.failed !== undefined)?.failed;
  throw new AppError(
    'not_found',
    failed === undefined
      ? 'No postings were found on this page or on the career page it links to. Give site and params to say what to scrape.'
      : `The page could not be read (${failed}).`,
  );
}

function companyTask(source: Source, params: Readonly<Record<string, unknown>>, search: CompanySearch): Task {
  return {
    source,
    params: {
      ...(search.company === undefined ? {} : { company_default: search.company }),
      ...(search.descriptionFormat === undefined ? {} : { description_format: search.descriptionFormat }),
      ...params,
    },
    target: search.url ?? search.company ?? String(Object.values(params)[0] ?? '') ?? null,
    wanted: null,
    keyOf: postingKey,
  };
}
