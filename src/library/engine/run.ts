// A run as the library shows it.
import type { Run as RunModel, RunStatus } from '../../model/run/run.ts';
import type { RunKind } from './requests.ts';

/** One accepted request and how far it is. */
export interface Run<K extends RunKind = RunKind> {
  /** Name of the run, the same in the API and on the command line. */
  id: string;
  /** Type of its results. */
  kind: K;
  /** `completed`: at least one task was; `failed`: none was. */
  status: RunStatus;
  /** Pages, sites or items that were asked for. */
  total: number;
  /** How many of these are done. */
  completed: number;
  /** How many of these failed. */
  failed: number;
  /** How many were there already and did not have to be scraped. */
  reused: number;
  /** When it was accepted. */
  createdAt: Date;
  /** When it ended; null while it is running. */
  finishedAt: Date | null;
}

const KINDS: Readonly<Record<string, RunKind>> = { article: 'articles', cart: 'products' };

export const toRun = (run: RunModel): Run => ({
  id: run.id,
  // The results of searches and companies are jobs.
  kind: KINDS[run.kind] ?? 'jobs',
  status: run.status,
  total: run.total,
  completed: run.completed,
  failed: run.failed,
  reused: run.cached,
  createdAt: run.createdAt,
  finishedAt: run.finishedAt,
});
