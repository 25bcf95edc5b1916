// Turns command-line options of a search into tasks, checked by the schemas of the sources, with all errors at once.
import { readFile } from 'node:fs/promises';
import { SEARCH_PARAMETERS, searchParams, searchTasks } from '../../../library/job-search.ts';
import type { Task } from '../../../library/run/run-task.ts';
import { AppError, type FieldError } from '../../../model/errors.ts';
import { proxyErrors, TASK_PROXIES_MAX } from '../../../model/task/task-proxies.ts';
import type { Source } from '../../../sources/define.ts';

/** Options with numbers; other text is passed on unchanged, so that the schema reports it. */
const NUMBERS = new Set(['results', 'hoursOld', 'distance', 'offset']);
const LISTS = new Set(['companyIds']);

export async function boardTasks(
  site: string,
  term: string,
  options: Readonly<Record<string, unknown>>,
  boards: readonly Source[],
): Promise<Task[]> {
  const given: Record<string, unknown> = { searchTerm: term };
  for (const option of Object.keys(SEARCH_PARAMETERS)) {
    const value = options[option];
    if (value === undefined) continue;
    if (LISTS.has(option)) given[option] = list(value);
    else given[option] = NUMBERS.has(option) && /^-?\d+(\.\d+)?$/.test(String(value)) ? Number(value) : value;
  }
  const proxies = await proxiesFrom(options.proxies);
  const { tasks, errors } = searchTasks([site, ...list(options.sites)], searchParams(given), boards);
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
