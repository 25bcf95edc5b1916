// scrapeJobs: one search on several job boards at once.
import { z } from 'zod';
import type { Posting } from '../model/posting/posting.ts';
import { BOARD_SOURCES } from '../sources/boards/index.ts';
import type { Source } from '../sources/define.ts';
import { type Job, toJob } from './items/job.ts';
import { searchParams, searchTasks } from './job-search.ts';
import { invalidOptions } from './options/option-errors.ts';
import { optionsSchema, readOptions, type ScrapeOptions, siteOption } from './options/scrape-options.ts';
import { createScrape, type Scrape } from './run/scrape.ts';

/** The job boards that are built in. */
export type JobSite =
  | 'indeed'
  | 'linkedin'
  | 'glassdoor'
  | 'ziprecruiter'
  | 'google-jobs'
  | 'naukri'
  | 'bayt'
  | 'bdjobs';

/** What to search for, and where. */
export interface JobSearch {
  /** The boards to search; all of them by default. Also your own sources. */
  sites?: readonly (JobSite | (string & {}) | Source)[] | undefined;
  /** What to search for. */
  searchTerm: string;
  /** City, region or country. */
  location?: string | undefined;
  /** Jobs wanted from each site; 15. */
  results?: number | undefined;
  /** Only remote work. */
  remote?: boolean | undefined;
  /** Only jobs of this type. */
  jobType?: 'fulltime' | 'parttime' | 'internship' | 'contract' | undefined;
  /** Published within so many hours. */
  hoursOld?: number | undefined;
  /** Market of sites that have several: the English name of a country or its ISO code. */
  country?: string | undefined;
  /** Miles around the location. */
  distance?: number | undefined;
  /** Leaves out the first so many. */
  offset?: number | undefined;
  /** Only jobs that take applications on the site. */
  easyApply?: boolean | undefined;
  /** LinkedIn's numbers of companies. */
  companyIds?: readonly (string | number)[] | undefined;
  /** Fetches descriptions where that takes a request for each. */
  description?: boolean | undefined;
  /** Format of descriptions; markdown. */
  descriptionFormat?: 'markdown' | 'html' | 'plain' | undefined;
  /** Pay of every interval as the pay of a year. */
  annualSalary?: boolean | undefined;
  /** Keeps the site's own record with each job, as `raw`. */
  includeRaw?: boolean | undefined;
}

export interface ScrapeJobsOptions extends JobSearch, ScrapeOptions {}

/** Types only; what values may be is for the sources to say. */
export const JOB_SEARCH_SHAPE = {
  sites: z.array(siteOption).min(1).optional(),
  searchTerm: z.string(),
  location: z.string().optional(),
  results: z.number().optional(),
  remote: z.boolean().optional(),
  jobType: z.string().optional(),
  hoursOld: z.number().optional(),
  country: z.string().optional(),
  distance: z.number().optional(),
  offset: z.number().optional(),
  easyApply: z.boolean().optional(),
  companyIds: z.array(z.union([z.string(), z.number()])).optional(),
  description: z.boolean().optional(),
  descriptionFormat: z.string().optional(),
  annualSalary: z.boolean().optional(),
  includeRaw: z.boolean().optional(),
};

const SCHEMA = optionsSchema(JOB_SEARCH_SHAPE);

/** Searches job boards; yields jobs as they are found. A board that fails is in `errors`, and the others go on. */
export function scrapeJobs(given: ScrapeJobsOptions): Scrape<Job> {
  const { options, scraping } = readOptions('scrapeJobs', SCHEMA, given);
  const { tasks, errors } = searchTasks(options.sites ?? BOARD_SOURCES, searchParams(options));
  if (errors.length > 0) throw invalidOptions('scrapeJobs', errors);
  return createScrape({ ...scraping, tasks, concurrency: tasks.length, toItem: (item) => toJob(item as Posting) });
}
