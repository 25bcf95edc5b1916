// Options of a search on the command line as the parameters that sources take, checked by the schemas of the sources themselves, all at once.
import { readFile } from 'node:fs/promises';
import { AppError, type FieldError } from '../../../model/errors.ts';
import { proxyErrors, TASK_PROXIES_MAX } from '../../../model/task/task-proxies.ts';
import { issueErrors } from '../../../model/zod-messages.ts';
import { BOARD_SOURCES } from '../../../sources/boards/index.ts';
import type { Source } from '../../../sources/define.ts';

/** Option (as commander names it) → parameter. */
const PARAMETERS = {
  location: 'location',
  results: 'results_wanted',
  remote: 'is_remote',
  jobType: 'job_type',
  hoursOld: 'hours_old',
  country: 'country',
  distance: 'distance',
  offset: 'offset',
  easyApply: 'easy_apply',
  companyIds: 'company_ids',
  description: 'fetch_description',
  descriptionFormat: 'description_format',
  annualSalary: 'enforce_annual_salary',
} as const;

/** Their values are numbers; what is none is passed on as it is, for the schema to say so. */
const NUMBERS = new Set(['results', 'hoursOld', 'distance', 'offset']);
const LISTS = new Set(['companyIds']);

export interface BoardSearch {
  source: Source;
  params: Record<string, unknown>;
}

export interface BoardSearches {
  searches: BoardSearch[];
  proxies: string[];
}

export async function boardSearches(
  site: string,
  term: string,
  options: Readonly<Record<string, unknown>>,
): Promise<BoardSearches> {
  const names = [...new Set([site, ...list(options.sites)])];
  const params: Record<string, unknown> = { search_term: term };
  for (const [option, name] of Object.entries(PARAMETERS)) {
    const value = options[option];
    if (value === undefined) continue;
    if (LISTS.has(option)) params[name] = list(value);
    else params[name] = NUMBERS.has(option) && /^-?\d+(\.\d+)?$/.test(String(value)) ? Number(value) : value;
  }
  const proxies = await proxiesFrom(options.proxies);
  const { searches, errors } = checkBoards(names, params);
  errors.push(...proxyErrors(proxies).map(flagged));
  if (proxies.length > TASK_PROXIES_MAX)
    errors.push({ pointer: '--proxies', detail: `at most ${TASK_PROXIES_MAX} can be given` });
  const distinct = new Map(errors.map((error) => [`${error.pointer} ${error.detail}`, error]));
  if (distinct.size > 0)
    throw new AppError('invalid_usage', 'The search is not valid:', { errors: [...distinct.values()] });
  return { searches, proxies };
}

function checkBoards(names: string[], params: Record<string, unknown>) {
  const errors: FieldError[] = [];
  const searches: BoardSearch[] = [];
  for (const name of names) {
    const source = BOARD_SOURCES.find((one) => one.name === name);
    if (!source) {
      const known = BOARD_SOURCES.map((one) => one.name).join(', ');
      errors.push({ pointer: '--sites', detail: `there is no site "${name}"; there are ${known}` });
      continue;
    }
    const checked = source.params.safeParse(params);
    if (checked.success) searches.push({ source, params: checked.data as Record<string, unknown> });
    else errors.push(...issueErrors(checked.error.issues).map(flagged));
  }
  return { searches, errors };
}

/** A person at the terminal knows options, not parameters. */
function flagged({ pointer, detail }: FieldError): FieldError {
  const [name = '', ...rest] = pointer.slice(1).split('/');
  if (name === 'search_term') return { pointer: 'search term', detail };
  const option = Object.entries(PARAMETERS).find(([, parameter]) => parameter === name)?.[0] ?? name;
  const flag = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return { pointer: rest.length === 0 ? flag : `${flag} (entry ${Number(rest[0]) + 1})`, detail };
}

/** Separated by commas or white space, or in a file: `@proxies.txt` keeps passwords out of the list of processes. */
async function proxiesFrom(given: unknown): Promise<string[]> {
  if (typeof given !== 'string') return [];
  if (!given.startsWith('@')) return list(given);
  const path = given.slice(1);
  try {
    return list((await readFile(path, 'utf8')).replace(/#.*$/gm, ''));
  } catch (error) {
    throw new AppError('invalid_usage', `Cannot read ${path} (${(error as NodeJS.ErrnoException).code ?? error}).`, {
      cause: error,
    });
  }
}

const list = (given: unknown): string[] =>
  typeof given === 'string' ? given.split(/[\s,]+/).filter((entry) => entry !== '') : [];
