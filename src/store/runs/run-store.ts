// Interfaces of the store for runs.
import type { Pool } from 'pg';
import type { Run } from '../../model/run/run.ts';
import type { SiteTask } from '../../model/run/scrape-run.ts';
import { bindAll } from '../postgres/bind.ts';
import { type Cancelled, cancelRun } from '../queue/cancel.ts';
import type { ReadThroughSpool } from '../submissions/read-through-spool.ts';
import { type ListedRun, listAllRuns, type RunListQuery } from './run-list.ts';
import { type ArticleEntry, articleEntries, getRun, listRuns, type RunPage, type RunPageQuery } from './runs.ts';
import { type PostingEntry, runPostings, scrapeMode, siteTasks } from './scrape-runs.ts';

/** Runs and where they stand. What is still in the spool is a run like any other. */
export interface RunStore {
  /** Null when there is no such run. */
  getRun(id: string): Promise<Run | null>;
  /** Runs of one kind, newest first, and how many there are. */
  listRuns(options: RunPageQuery): Promise<RunPage>;
  /** Runs of all kinds, newest first. A page of a rare status may be shorter than `limit` and still have a cursor. */
  listAllRuns(options: RunListQuery): Promise<{ runs: ListedRun[]; nextCursor: string | null }>;
  /** Rejects with `unknown_id`, or with `not_cancellable` when it has ended; cancelled once more, it stays cancelled. */
  cancelRun(id: string): Promise<Cancelled>;
}

/** Results of runs, by kind. */
export interface RunResultStore {
  /** Settled entries of a run after position `after`, in the order they were submitted. */
  articleEntries(options: { runId: string; after: number; limit: number }): Promise<ArticleEntry[]>;
  /** In the order the sites were asked for. */
  siteTasks(runId: string): Promise<SiteTask[]>;
  /** `sync` if its caller waited for it. */
  scrapeMode(runId: string): Promise<'async' | 'sync'>;
  /** Postings of a run after a place, in the order of its sites; a place is the site and the position within it. */
  runPostings(options: { runId: string; after: [site: number, pos: number]; limit: number }): Promise<PostingEntry[]>;
}

export function runStore(pool: Pool, spooled: ReadThroughSpool): RunStore & RunResultStore {
  const findRun = (id: string): Promise<Run | null> => spooled.find(() => getRun(pool, id));
  return {
    ...bindAll(pool, { articleEntries, siteTasks, scrapeMode, runPostings }),
    getRun: findRun,
    listRuns: (options) => spooled.all(() => listRuns(pool, options)),
    listAllRuns: (options) => spooled.all(() => listAllRuns(pool, options)),
    async cancelRun(id) {
      await findRun(id);
      return cancelRun(pool, id);
    },
  };
}
