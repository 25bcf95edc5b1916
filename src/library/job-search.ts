// A search of job boards as options, the same for the library and the command line, and the tasks it becomes: checked by the schemas of the sources
// themselves, all at once.
import type { FieldError } from '../model/errors.ts';
import type { Item } from '../model/item/item.ts';
import type { Posting } from '../model/posting/posting.ts';
import { issueErrors } from '../model/zod-messages.ts';
import { BOARD_SOURCES } from '../sources/boards/index.ts';
import type { Source } from '../sources/define.ts';
import { findSite, isProblem } from './options/sites.ts';
import type { Task } from './run/run-task.ts';
import { SEARCH_PARAMETERS } from './search-parameters.ts';

export type SearchOption = keyof typeof SEARCH_PARAMETERS;

export function searchParams(options: Readonly<Partial<Record<SearchOption, unknown>>>): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const [option, parameter] of Object.entries(SEARCH_PARAMETERS)) {
    const value = options[option as SearchOption];
    if (value !== undefined) params[parameter] = value;
  }
  return params;
}

/** One task a site. Errors point at options: `/results`, `/sites/0`. */
export function searchTasks(
  sites: readonly (string | Source)[],
  params: Record<string, unknown>,
  boards: readonly Source[] = BOARD_SOURCES,
): { tasks: Task[]; errors: FieldError[] } {
  const tasks: Task[] = [];
  const errors: FieldError[] = [];
  for (const [index, site] of sites.entries()) {
    const source = findSite(site, boards, `/sites/${index}`);
    if (isProblem(source)) {
      errors.push(source);
      continue;
    }
    if (tasks.some((task) => task.source.name === source.name)) continue;
    const checked = source.params.safeParse(params);
    if (!checked.success) {
      errors.push(...issueErrors(checked.error.issues).map(asOption));
      continue;
    }
    const { results_wanted: wanted } = checked.data as { results_wanted?: number };
    tasks.push({
      source,
      params: checked.data as Record<string, unknown>,
      target: typeof params.search_term === 'string' ? params.search_term : null,
      wanted: wanted ?? null,
      keyOf: postingKey,
    });
  }
  return { tasks, errors };
}

export const postingKey = (item: Item): string => (item as Posting).job_hash;

/** Who asks knows options, not parameters. */
function asOption({ pointer, detail }: FieldError): FieldError {
  const [name = '', ...rest] = pointer.slice(1).split('/');
  const option = Object.entries(SEARCH_PARAMETERS).find(([, parameter]) => parameter === name)?.[0] ?? name;
  return { pointer: ['', option, ...rest].join('/'), detail };
}
