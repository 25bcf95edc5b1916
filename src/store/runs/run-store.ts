// Interfaces of the store for runs.
import type { Pool } from 'pg';
import type { Run } from '../../model/run/run.ts';
import type { SiteTask } from '../../model/run/scrape-run.ts';
import type { LiveTasks } from '../../model/run/why-waits.ts';
import { bindAll } from '../postgres/bind.ts';
import { type Cancelled, cancelRun } from '../queue/cancel.ts';
import { writeOutRun } from '../submissions/spool.ts';
import { type ArticleEntry, articleEntries, type EntryPage } from './article-entries.ts';
import { getListedRun, type ListedRun, listAllRuns, type RunListQuery } from './run-list.ts';
import { type RunEntry, type RunEntryQuery, runEntries, runOptions } from './run-tasks.ts';
import { liveTasks } from './run-waits.ts';
import { type RunYield, runYields } from './run-yields.ts';
import { getRun, listRuns, type RunPage, type RunPageQuery } from './runs.ts';
import { type PostingEntry, runPostings, scrapeMode, siteTasks } from './scrape-runs.ts';

/** Runs and where they stand. Nothing here that reads writes: of a burst that is still in the spool, a run is found by its id, and lists do not have it yet. */
export interface RunStore {
  /** Null when there is no such run. */
  getRun(id: string): Promise<Run | null>;
  /** Runs of one kind, newest first, and how many there are. */
  listRuns(options: RunPageQuery): Promise<RunPage>;
  /** Runs of all kinds, newest first. A page of a rare status may be shorter than `limit` and still have a cursor. */
  listAllRuns(options: RunListQuery): Promise<{ runs: ListedRun[]; nextCursor: string | null }>;
  /** One of them; null when there is no such run. */
  getListedRun(id: string): Promise<ListedRun | null>;
  /** What it was asked with; null when there is no such run. */
  runOptions(runId: string): Promise<Record<string, unknown> | null>;
  /** Its entries after a position, with their tasks. */
  runEntries(options: RunEntryQuery): Promise<RunEntry[]>;
  /** Its tasks that have not ended, the first of each source and state: why it waits follows from them. */
  liveTasks(runId: string): Promise<LiveTasks[]>;
  /** Rejects with `unknown_id` (also where it is somebody else's), or with `not_cancellable` when it has ended; cancelled once more, it stays cancelled. */
  cancelRun(id: string, sees?: string | null): Promise<Cancelled>;
}

/** What runs over job sites and companies brought. */
export interface RunYieldStore {
  runYields(runIds: string[]): Promise<Map<string, RunYield>>;
}

/** Results of runs, by kind. */
export interface RunResultStore {
  /** Settled entries of a run after position `after`, in the order they were submitted. */
  articleEntries(options: EntryPage): Promise<ArticleEntry[]>;
  /** In the order the sites were asked for. */
  siteTasks(runId: string): Promise<SiteTask[]>;
  /** `sync` if its caller waited for it. */
  scrapeMode(runId: string): Promise<'async' | 'sync'>;
  /** Postings of a run after a place, in the order of its sites; a place is the site and the position within it. */
  runPostings(options: { runId: string; after: [site: number, pos: number]; limit: number }): Promise<PostingEntry[]>;
}

export const runStore = (pool: Pool): RunStore & RunYieldStore & RunResultStore =>
  bindAll(pool, {
    getRun,
    listRuns,
    listAllRuns,
    getListedRun,
    liveTasks,
    runYields,
    runEntries,
    runOptions,
    articleEntries,
    siteTasks,
    scrapeMode,
    runPostings,
    async cancelRun(pool: Pool, id: string, sees: string | null = null) {
      await writeOutRun(pool, id);
      return cancelRun(pool, id, sees);
    },
  });
