// The schemas of the job board API, with the examples of the documentation.
import { z } from 'zod';
import { toPosting, Posting as WholePosting } from '../../model/posting/posting.ts';
import { POSTING_COLUMNS } from '../../model/posting/posting-columns.ts';
import { SCRAPE_STATUSES } from '../../model/run/scrape-run.ts';
import { TASK_PROXIES_MAX, TASK_PROXY_CHARS } from '../../model/task/task-proxies.ts';
import { WaitingView } from '../runs/waiting.ts';
import { nameItem } from '../validation/named.ts';
import { RunWebhookUrl } from '../webhooks/schemas.ts';

export const SYNC_RESULTS_MAX = 25;
const SITES_MAX = 20;

const Name = z.string().min(1).max(60);

/**
 * Parameters of the run and of job boards; career sites have their own, and every site checks those it gets. No defaults here: a career site would get
 * parameters it does not know.
 */
export const ScrapeRequest = z.looseObject({
  site_name: z.union([Name, z.array(Name).min(1).max(SITES_MAX)]).meta({ description: 'One site, or several.' }),
  search_term: z.string().min(1).max(500).optional(),
  location: z.string().max(200).optional(),
  results_wanted: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .meta({ description: `From each site; 15 by default, at most ${SYNC_RESULTS_MAX} with \`mode=sync\`.` }),
  is_remote: z.boolean().optional(),
  distance: z.number().int().min(0).max(1_000).optional().meta({ description: 'Miles around `location`.' }),
  job_type: z.enum(['fulltime', 'parttime', 'internship', 'contract', 'full_time', 'part_time']).optional().meta({
    description: '`full_time` and `part_time` (as in postings) are accepted for `fulltime` and `parttime`.',
  }),
  hours_old: z.number().int().min(1).max(10_000).optional().meta({ description: 'Maximum age of postings in hours.' }),
  country: z
    .string()
    .min(2)
    .max(60)
    .optional()
    .meta({ description: 'Country for sites with several: English name or ISO code.' }),
  offset: z.number().int().min(0).max(10_000).optional().meta({ description: 'Number of results to skip.' }),
  easy_apply: z.boolean().optional(),
  company_ids: z
    .array(z.unknown().meta({ type: ['string', 'integer'], maxLength: 12, maximum: 999_999_999_999 }))
    .max(100)
    .optional()
    .meta({ description: 'LinkedIn company ids.' }),
  fetch_description: z
    .boolean()
    .optional()
    .meta({ description: 'Fetch full descriptions, with one more request per posting.' }),
  enforce_annual_salary: z.boolean().optional().meta({ description: 'Convert salaries to annual salaries.' }),
  description_format: z.enum(['markdown', 'html', 'plain']).optional(),
  min_pause_seconds: z.number().min(0).max(300).optional().meta({ description: 'Minimum pause between pages.' }),
  max_pause_seconds: z.number().min(0).max(300).optional().meta({ description: 'Maximum pause between pages.' }),
  priority: z.number().int().min(1).max(10).default(5).meta({ description: '1–3 high, 4–7 medium, 8–10 low.' }),
  webhook_url: RunWebhookUrl,
  proxies: z.array(z.string().min(1).max(TASK_PROXY_CHARS)).min(1).max(TASK_PROXIES_MAX).optional().meta({
    description:
      'Proxies, another one for each attempt: `scheme://user:password@host:port`, `host:port` or `host:port:user:password`. They need public addresses. They are never shown again.',
  }),
});

export const SCRAPE_EXAMPLE = {
  site_name: 'indeed',
  search_term: 'python developer',
  location: 'remote',
  is_remote: true,
  results_wanted: 50,
};

const Status = z.enum(SCRAPE_STATUSES);
const Posting = z.looseObject({ title: z.string(), job_url: z.string(), job_hash: z.string() });
nameItem('Posting', Posting, z.looseObject(WholePosting.shape));

export const ScrapeAccepted = z.object({
  status: z.literal('success'),
  data: z.looseObject({
    task_id: z.string(),
    run_id: z.string(),
    status: Status,
    execution_mode: z.enum(['async', 'sync']),
    jobs_found: z.number().int().optional(),
    jobs: z.array(Posting).optional(),
  }),
});

export const ACCEPTED_EXAMPLE = {
  status: 'success',
  data: { task_id: 'run_a1b2c3d4', run_id: 'manual_a1b2c3d4', status: 'queued', execution_mode: 'async' },
};

export const POSTING_EXAMPLE = toPosting({
  source: 'indeed',
  external_id: '4f1d2c3b5a697887',
  title: 'Software Engineer',
  company: 'Example Corp',
  location: 'San Francisco, CA',
  locations: [
    {
      raw: 'San Francisco, CA',
      city: 'San Francisco',
      region: 'CA',
      country: 'US',
      lat: null,
      lon: null,
      kind: 'city',
    },
  ],
  remote_type: 'hybrid',
  job_types: ['full_time'],
  seniority: 'mid',
  experience_years: { min: 3, max: 5 },
  degree: 'bachelor',
  visa_sponsorship: true,
  contract_kinds: ['permanent'],
  skills: ['python', 'postgresql'],
  salary: {
    min: 120_000,
    max: 180_000,
    currency: 'USD',
    interval: 'year',
    source: 'employer',
    raw: '$120,000 - $180,000 a year',
    is_ote: false,
    is_net: false,
    payments_per_year: null,
    zones: [],
    flags: [],
  },
  job_url: 'https://example.com/jobs/1',
  description: 'You build services in Python and keep them running.',
  posted_at: '2024-01-01T00:00:00.000Z',
  posted_precision: 'day',
});

export const ScrapeRun = z.object({
  status: z.literal('success'),
  data: z.object({
    run_id: z.string(),
    task_id: z.string(),
    site_name: z.union([z.string(), z.array(z.string())]),
    trigger: z.enum(['schedule', 'manual']),
    status: Status,
    execution_mode: z.enum(['async', 'sync']),
    started_at: z.string(),
    finished_at: z.string().nullable(),
    requested_pages: z.number().int(),
    completed_pages: z.number().int(),
    errors_count: z.number().int(),
    message: z.string().nullable(),
    waiting: WaitingView.optional(),
    jobs_found: z.number().int(),
    jobs: z.array(Posting),
    sites: z.array(
      z.object({
        site_name: z.string(),
        status: z.string(),
        jobs_found: z.number().int(),
        error: z.string().nullable(),
      }),
    ),
    metadata: z.object({
      proxy_used: z.string().nullable(),
      requests_made: z.number().int(),
      rate_limited: z.boolean(),
      captcha_encountered: z.boolean(),
      rows_skipped: z.number().int().meta({ description: 'Rows that could not be read completely. See `warnings`.' }),
      warnings: z.array(z.string()),
    }),
    next_cursor: z.string().nullable(),
  }),
});

const RUN_EXAMPLE = {
  status: 'success',
  data: {
    run_id: 'manual_a1b2c3d4',
    task_id: 'run_a1b2c3d4',
    site_name: 'indeed',
    trigger: 'manual',
    status: 'succeeded',
    execution_mode: 'async',
    started_at: '2024-01-01T00:00:00.000Z',
    finished_at: '2024-01-01T00:00:45.000Z',
    requested_pages: 5,
    completed_pages: 5,
    errors_count: 0,
    message: null,
    jobs_found: 1,
    jobs: [POSTING_EXAMPLE],
    sites: [{ site_name: 'indeed', status: 'done', jobs_found: 1, error: null }],
    metadata: {
      proxy_used: 'proxy1:8080',
      requests_made: 15,
      rate_limited: false,
      captcha_encountered: false,
      rows_skipped: 0,
      warnings: [],
    },
    next_cursor: null,
  },
};

export const RUN_EXAMPLES = {
  'application/json': RUN_EXAMPLE,
  'application/x-ndjson': `${JSON.stringify(POSTING_EXAMPLE)}\n`,
  'text/csv': `${POSTING_COLUMNS.join(',')}\r\n`,
};

export const Sites = z.object({
  status: z.literal('success'),
  data: z.object({
    sites: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        kind: z.string(),
        enabled: z.boolean(),
        params: z.record(z.string(), z.unknown()),
        countries: z
          .array(z.string())
          .optional()
          .meta({ description: 'ISO codes of the supported countries. Absent if the site has no country choice.' }),
        health: z.object({
          state: z.enum(['unknown', 'ok', 'degraded', 'failing']),
          done_last_hour: z.number().int(),
          failed_last_hour: z.number().int(),
        }),
      }),
    ),
  }),
});

export const SITES_EXAMPLE = {
  status: 'success',
  data: {
    sites: [
      {
        name: 'indeed',
        title: 'Indeed',
        kind: 'posting',
        enabled: true,
        params: { type: 'object', properties: { search_term: { type: 'string' } } },
        countries: ['US', 'GB', 'DE'],
        health: { state: 'ok', done_last_hour: 12, failed_last_hour: 0 },
      },
    ],
  },
};
