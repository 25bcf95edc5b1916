// What is wrong with options, in one sentence each: the name of the option, what it has to be, and the name that was probably meant.

import type { z } from 'zod';
import { AppError, type FieldError, fieldName } from '../../model/errors.ts';
import { nearest } from '../../model/nearest.ts';
import { issueErrors } from '../../model/zod-messages.ts';

/** Names of the same options in other libraries. */
const CALLED_ELSEWHERE: Readonly<Record<string, string>> = {
  siteName: 'sites',
  site: 'sites',
  site_name: 'sites',
  resultsWanted: 'results',
  results_wanted: 'results',
  search_term: 'searchTerm',
  job_type: 'jobType',
  hours_old: 'hoursOld',
  isRemote: 'remote',
  is_remote: 'remote',
  easy_apply: 'easyApply',
  countryIndeed: 'country',
  country_indeed: 'country',
  fetchDescription: 'description',
  linkedinFetchDescription: 'description',
  linkedin_fetch_description: 'description',
  linkedinCompanyIds: 'companyIds',
  linkedin_company_ids: 'companyIds',
  description_format: 'descriptionFormat',
  enforceAnnualSalary: 'annualSalary',
  enforce_annual_salary: 'annualSalary',
  user_agent: 'userAgent',
  url: 'urls',
  maxProducts: 'results',
  max_products: 'results',
  zipCode: 'zipcode',
  host: 'api',
  port: 'api',
};

/** Checks options by their schema; throws at once, with everything that is wrong. */
export function checkOptions<S extends z.ZodObject>(caller: string, schema: S, given: unknown): z.infer<S> {
  if (given === null || typeof given !== 'object')
    throw invalidOptions(caller, [{ pointer: '', detail: 'needs one object with options' }]);
  const checked = schema.safeParse(given);
  if (checked.success) return checked.data;
  const known = Object.keys(schema.shape);
  const unknown = new Set(
    checked.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [],
    ),
  );
  throw invalidOptions(
    caller,
    issueErrors(checked.error.issues).map((error) => {
      const name = error.pointer.slice(1);
      return unknown.has(name) ? { pointer: error.pointer, detail: unknownOption(name, known) } : error;
    }),
  );
}

function unknownOption(name: string, known: readonly string[]): string {
  const elsewhere = CALLED_ELSEWHERE[name];
  const meant = elsewhere !== undefined && known.includes(elsewhere) ? elsewhere : nearest(name, known);
  return meant === null
    ? `is not an option; the options are ${known.join(', ')}`
    : `is not an option; did you mean ${meant}?`;
}

/** `scrapeJobs: results has to be at least 1` */
export function invalidOptions(caller: string, errors: FieldError[]): AppError {
  const distinct = [...new Map(errors.map((error) => [`${error.pointer} ${error.detail}`, error])).values()];
  const sentences = distinct.map(({ pointer, detail }) => `${fieldName(pointer)} ${detail}`.trim());
  const text = sentences.join('; ');
  return new AppError('invalid_params', `${caller}: ${text}${text.endsWith('?') ? '' : '.'}`, { errors: distinct });
}
