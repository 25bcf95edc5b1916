// Runs of all kinds in one vocabulary, where they stand beside each other: in a list, and in what is told of their ends. The engine's status says only
// whether tasks ended well; for searches of job sites the pages decide, as they do in the API (scrape-run.ts). Pure.
import type { Run } from './run.ts';
import { type SiteTask, scrapeStatus } from './scrape-run.ts';

export const RUN_KINDS = ['article', 'posting', 'company', 'cart', 'crawl', 'map'] as const;

/** `partial`: some of it failed. */
export const RUN_LABELS = ['running', 'completed', 'partial', 'failed', 'cancelled'] as const;
export type RunLabel = (typeof RUN_LABELS)[number];

/** `sites`: of a search of job sites. */
export function runLabel({ status, failed }: Pick<Run, 'status' | 'failed'>, sites: SiteTask[] | null): RunLabel {
  if (status === 'running' || status === 'cancelled') return status;
  if (sites === null) return status === 'completed' && failed > 0 ? 'partial' : status;
  const word = scrapeStatus(status, sites);
  return word === 'partial' || word === 'failed' ? word : 'completed';
}

const PATHS: Record<string, (id: string) => string> = {
  article: (id) => `/jobs/${id}/results`,
  posting: (id) => `/jobs/scrape/${id}`,
  cart: (id) => `/results/${id}`,
  crawl: (id) => `/crawl/${id}`,
  map: (id) => `/map/${id}`,
  company: (id) => `/sessions?run_id=${id}`,
};

/** Path of its results. */
export const runPath = ({ kind, id }: Pick<Run, 'kind' | 'id'>): string | null => PATHS[kind]?.(id) ?? null;
