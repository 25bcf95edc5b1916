// What a run asked for, as the beginning of another one. Pure.
import type { Schemas } from '../../../client/routes.generated.ts';
import type { RunTask } from '../run/tasks.tsx';

export interface Prefill {
  sites?: string[];
  params?: Record<string, unknown>;
  urls?: string[];
  /** Options of a crawl. */
  crawl?: Record<string, unknown>;
  items?: string[];
  zipcode?: string;
}

const texts = (tasks: readonly RunTask[], name: string): string[] =>
  tasks.flatMap(({ entry }) => (typeof entry[name] === 'string' ? [entry[name]] : []));

export function prefillOf(run: Schemas['RunDetail'], tasks: readonly RunTask[]): Prefill {
  if (run.kind === 'crawl' || run.kind === 'map') return { crawl: run.request };
  if (run.kind === 'article') return { urls: texts(tasks, 'url') };
  if (run.kind === 'posting') {
    const { mode: _, ...params } = run.request;
    return { sites: texts(tasks, 'site'), params };
  }
  const zipcode = run.request.zipcode ?? tasks[0]?.entry.zipcode;
  return { items: texts(tasks, 'item'), zipcode: typeof zipcode === 'string' ? zipcode : '' };
}
