// The options of a search, and tasks or a request made of them. Tasks are checked by the schemas of the sources, with all errors at once.
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { searchParams, searchTasks } from '../../../library/job-search.ts';
import type { Task } from '../../../library/run/run-task.ts';
import { SEARCH_PARAMETERS } from '../../../library/search-parameters.ts';
import { AppError, type FieldError } from '../../../model/errors.ts';
import { proxyErrors, TASK_PROXIES_MAX } from '../../../model/task/task-proxies.ts';
import { BOARD_JOB_TYPES } from '../../../sources/boards/params.ts';
import type { Source } from '../../../sources/define.ts';

/** Options with numbers; other text is passed on unchanged, so that the schema reports it. */
const NUMBERS = new Set(['results', 'hoursOld', 'distance', 'offset']);
const LISTS = new Set(['companyIds']);

export const withSearchOptions = (made: Command): Command =>
  made
    .option('--location <place>', 'city, region or country')
    .option('--results <n>', 'maximum number of postings from each site (default 15)')
    .option('--remote', 'only remote jobs')
    .option('--job-type <type>', BOARD_JOB_TYPES.join(', '))
    .option('--hours-old <n>', 'maximum age of postings in hours')
    .option('--country <name>', 'country, for sites with several')
    .option('--distance <miles>', 'maximum distance from the location')
    .option('--offset <n>', 'skip this many postings')
    .option('--easy-apply', 'only postings with an application form on the site')
    .option('--company-ids <ids>', 'LinkedIn company ids, separated by commas')
    .option('--description', 'fetch full descriptions, if that needs one more request per posting')
    .option('--description-format <format>', 'markdown, html or plain')
    .option('--annual-salary', 'convert all salaries to annual salaries')
    .option(
      '--proxies <list>',
      'proxies to rotate, separated by commas, or @file (keeps passwords off the command line)',
    );

/** Option → parameter of a search, in the API and of a source. Flags are named by the errors of a server too. */
export function searchParameters(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const option of Object.keys(SEARCH_PARAMETERS)) {
    const value = options[option];
    if (value === undefined) continue;
    if (LISTS.has(option)) given[option] = list(value);
    else given[option] = NUMBERS.has(option) && /^-?\d+(\.\d+)?$/.test(String(value)) ? Number(value) : value;
  }
  return searchParams(given);
}

export async function boardTasks(
  site: string,
  term: string,
  options: Readonly<Record<string, unknown>>,
  boards: readonly Source[],
): Promise<Task[]> {
  const params = searchParameters({ ...options, searchTerm: term });
  const proxies = await proxiesFrom(options.proxies);
  const { tasks, errors } = searchTasks([site, ...list(options.sites)], params, boards);
  errors.push(...proxyErrors(proxies));
  if (proxies.length > TASK_PROXIES_MAX)
    errors.push({ pointer: '/proxies', detail: `may have at most ${TASK_PROXIES_MAX} entries` });
  const distinct = new Map(errors.map(flagged).map((error) => [`${error.pointer} ${error.detail}`, error]));
  if (distinct.size > 0)
    throw new AppError('invalid_usage', 'The search is not valid:', { errors: [...distinct.values()] });
  if (proxies.length === 0) return tasks;
  return tasks.map((task) => ({ ...task, params: { ...task.params, proxies } }));
}

/** Errors name the flag, not the field. */
function flagged({ pointer, detail }: FieldError): FieldError {
  const [option = '', ...rest] = pointer.slice(1).split('/');
  if (option === 'searchTerm') return { pointer: 'search term', detail };
  const flag = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  // The first of the sites is the command itself.
  if (rest.length === 0 || option === 'sites') return { pointer: flag, detail };
  return { pointer: `${flag} (entry ${Number(rest[0]) + 1})`, detail };
}

/** Separated by commas or white space, or in a file: `@proxies.txt` keeps passwords out of the list of processes. */
export async function proxiesFrom(given: unknown): Promise<string[]> {
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

export const list = (given: unknown): string[] =>
  typeof given === 'string' ? given.split(/[\s,]+/).filter((entry) => entry !== '') : [];
