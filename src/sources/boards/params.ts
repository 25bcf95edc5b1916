// Parameters of a job board search, the same for all boards. A board lists those it does not support, and the result has a warning.
import { z } from 'zod';
import { countryFrom } from '../../extract/location/location.ts';
import type { Web } from '../../web/port.ts';

export const BOARD_JOB_TYPES = ['fulltime', 'parttime', 'internship', 'contract'] as const;

/** Postings say `full_time`; who copies it from one means the same. */
const asBoardsSay = (type: unknown): unknown =>
  typeof type === 'string' ? type.replace(/^(full|part)_time$/, '$1time') : type;

export const BoardParams = z.object({
  search_term: z.string().trim().min(1).max(500),
  location: z.string().trim().min(1).max(200).optional(),
  is_remote: z.boolean().default(false),
  /** Miles. */
  distance: z.number().int().min(0).max(1_000).optional(),
  job_type: z.preprocess(asBoardsSay, z.enum(BOARD_JOB_TYPES).optional()),
  hours_old: z.number().int().min(1).max(10_000).optional(),
  /** Name or ISO code: the market of boards that have several. */
  country: z
    .string()
    .trim()
    .min(2)
    .max(60)
    .refine(
      (name) => countryFrom(name) !== null,
      'is no country; give its English name or ISO code, such as Germany or DE',
    )
    .optional(),
  offset: z.number().int().min(0).max(10_000).default(0),
  results_wanted: z.number().int().min(1).max(10_000).default(15),
  easy_apply: z.boolean().default(false),
  /** LinkedIn's numbers of companies. */
  company_ids: z
    .array(z.coerce.string().regex(/^\d{1,12}$/))
    .max(100)
    .optional(),
  fetch_description: z.boolean().default(false),
  enforce_annual_salary: z.boolean().default(false),
  description_format: z.enum(['markdown', 'html', 'plain']).default('markdown'),
  min_pause_seconds: z.number().min(0).max(300).optional(),
  max_pause_seconds: z.number().min(0).max(300).optional(),
  include_raw: z.boolean().default(false),
});
export type BoardParams = z.infer<typeof BoardParams>;

export type BoardParam =
  | 'location'
  | 'is_remote'
  | 'distance'
  | 'job_type'
  | 'hours_old'
  | 'country'
  | 'easy_apply'
  | 'company_ids'
  | 'fetch_description';

/** Says once for each parameter that was given and that this board cannot honour. */
export function warnIgnored(params: BoardParams, title: string, ignored: readonly BoardParam[], web: Web): void {
  for (const name of ignored) {
    const value = params[name];
    if (value === undefined || value === false) continue;
    const effect = name === 'fetch_description' ? 'none are fetched' : 'results are not restricted by it';
    web.warn(`${title} has no use for ${name}: ${effect}`);
  }
}
