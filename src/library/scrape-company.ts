// scrapeCompany: the open positions of one company, from its career page or from the system behind it.
import { z } from 'zod';
import { runDetection } from '../compose/reading/detection.ts';
import type { CareerDetection } from '../model/company/company.ts';
import { AppError } from '../model/errors.ts';
import type { Posting } from '../model/posting/posting.ts';
import { issueErrors } from '../model/zod-messages.ts';
import { CAREER_SOURCES } from '../sources/careers/index.ts';
import type { Source } from '../sources/define.ts';
import { type Job, toJob } from './items/job.ts';
import { postingKey } from './job-search.ts';
import { invalidOptions } from './options/option-errors.ts';
import { optionsSchema, readOptions, type ScrapeOptions, siteOption } from './options/scrape-options.ts';
import { findSite, isProblem } from './options/sites.ts';
import type { Task } from './run/run-task.ts';
import { createScrape, type OpenedWeb, type Scrape } from './run/scrape.ts';

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
  | 'pinpoint'
  | 'breezy'
  | 'gem'
  | 'rippling'
  | 'jazzhr'
  | 'paylocity'
  | 'oracle'
  | 'phenom'
  | 'eightfold'
  | 'ukg'
  | 'adp'
  | 'jibe'
  | 'icims'
  | 'successfactors'
  | 'jobvite'
  | 'avature'
  | 'join'
  | 'gupy'
  | 'jobylon'
  | 'taleo'
  | 'rss'
  | 'api'
  | 'embedded'
  | 'sitemap'
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

export const COMPANY_SEARCH_SHAPE = {
  url: z.url({ protocol: /^https?$/, error: 'has to be a URL that starts with http:// or https://' }).optional(),
  site: siteOption.optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  company: z.string().min(1).optional(),
  descriptionFormat: z.enum(['markdown', 'html', 'plain']).optional(),
};

const SCHEMA = optionsSchema(COMPANY_SEARCH_SHAPE);

/** Scrapes the open positions of a company; yields jobs as they are found. A failure is in `errors`. */
export function scrapeCompany(given: ScrapeCompanyOptions): Scrape<Job> {
  const { options, scraping } = readOptions('scrapeCompany', SCHEMA, given);
  const { url } = options;
  const task = namedTask('scrapeCompany', options);
  return createScrape({
    ...scraping,
    tasks: task === null ? { site: 'detect', target: url!, findTasks } : [task],
    concurrency: 1,
    toItem: (item) => toJob(item as Posting),
  });

  async function findTasks({ webs, reading }: OpenedWeb, signal: AbortSignal): Promise<Task[]> {
    return [detectedTask(options, await runDetection(url!, { webs, runSource: reading.run, signal }))];
  }
}

/** The task where `site` says what to scrape with; null where that has to be found out from `url`. Throws what is wrong at once. */
export function namedTask(
  caller: string,
  search: CompanySearch,
  careers: readonly Source[] = CAREER_SOURCES,
): Task | null {
  const { url, site, params = {} } = search;
  if (url !== undefined && site === undefined) return null;
  if (site === undefined || url !== undefined)
    throw invalidOptions(caller, [
      {
        pointer: '/url',
        detail:
          site === undefined
            ? 'is required: the URL of a career page (or give site and params)'
            : 'cannot be given together with site; leave out one of them',
      },
    ]);
  const source = findSite(site, careers, '/site');
  if (isProblem(source)) throw invalidOptions(caller, [source]);
  const task = companyTask(source, params, search);
  const checked = source.params.safeParse(task.params);
  if (checked.success) return task;
  throw invalidOptions(
    caller,
    issueErrors(checked.error.issues).map(({ pointer, detail }) => ({ pointer: `/params${pointer}`, detail })),
  );
}

/** The task for what was found out about `url`. */
export function detectedTask(
  search: CompanySearch,
  { findings, looked }: CareerDetection,
  careers: readonly Source[] = CAREER_SOURCES,
): Task {
  const [best] = findings;
  const source = careers.find(({ name }) => name === best?.settings.scraper_type);
  if (best && source) {
    const { scraper_type: _name, ...params } = best.settings;
    return companyTask(source, params, search);
  }
  const failed = looked.find((page) => page.failed !== undefined)?.failed;
  throw new AppError(
    'not_found',
    failed === undefined
      ? 'No postings found on this page or on the career page it links to. Set site and params to say what to scrape.'
      : `The page could not be read (${failed}).`,
  );
}

function companyTask(source: Source, params: Readonly<Record<string, unknown>>, search: CompanySearch): Task {
  const [first] = Object.values(params);
  return {
    source,
    params: {
      ...(search.company === undefined ? {} : { company_default: search.company }),
      ...(search.descriptionFormat === undefined ? {} : { description_format: search.descriptionFormat }),
      ...params,
    },
    target: search.url ?? search.company ?? (typeof first === 'string' ? first : null),
    wanted: null,
    keyOf: postingKey,
  };
}
