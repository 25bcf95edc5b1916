// Parameters that several tools have. The server checks them again, and its sentence reaches the assistant.
import { z } from 'zod';
import { BUDGET } from './page.ts';

/** Assistants give up on a tool after about a minute. */
const WAIT_MAX_SECONDS = 50;

export const waitSeconds = z
  .number()
  .int()
  .min(0)
  .max(WAIT_MAX_SECONDS)
  .default(40)
  .describe('Longest wait for the end of the run. It goes on after that.');

export const runId = z.string().min(1).max(100).describe('run_id of another tool.');

export const piece = {
  cursor: z.string().max(300).optional().describe('next_cursor of the answer before, for what follows.'),
  max_characters: z
    .number()
    .int()
    .min(BUDGET.min)
    .max(BUDGET.max)
    .default(BUDGET.default)
    .describe('About how long the answer may be. Long texts are cut.'),
};

export const search = {
  site_name: z
    .union([z.string(), z.array(z.string()).min(1).max(10)])
    .describe('One or several: indeed, linkedin, glassdoor, ziprecruiter, google-jobs, naukri, bayt, bdjobs.'),
  search_term: z.string().min(1).max(500),
  location: z.string().max(200).optional(),
  is_remote: z.boolean().optional(),
  job_type: z.enum(['fulltime', 'parttime', 'internship', 'contract']).optional(),
  hours_old: z.number().int().min(1).max(10_000).optional().describe('Maximum age of postings in hours.'),
  country: z.string().min(2).max(60).optional().describe('English name or ISO code.'),
  results_wanted: z.number().int().min(1).max(1_000).default(15).describe('From each site.'),
};

export const cart = {
  items: z.array(z.string().min(1).max(200)).min(1).max(100).describe('What to buy: milk, eggs.'),
  zipcode: z
    .string()
    .regex(/^\d{5}(-\d{4})?$/)
    .describe('US ZIP code, 10001.'),
  max_products_per_item: z.number().int().min(1).max(50).default(5),
};

export const crawl = {
  url: z.string().min(1).max(2_000).describe('Where to begin: http or https.'),
  limit: z.number().int().min(1).max(10_000).default(50).describe('Most pages to read.'),
  max_depth: z.number().int().min(0).max(100).optional().describe('Links from the first page on.'),
  include_paths: z.array(z.string()).max(50).optional().describe('Only pages that match one: /blog/**.'),
  exclude_paths: z.array(z.string()).max(50).optional(),
  allow_subdomains: z.boolean().optional(),
};

export const url = z.string().min(1).max(4_096).describe('http or https.');
