// The webhook event of a run that has ended. Pure: rows in, an event out.
import type { Run, RunStatus } from './run.ts';
import { type RunLabel, runLabel, runPath } from './run-labels.ts';
import { type SiteTask, scrapeMessage, siteNames } from './scrape-run.ts';

export interface EndedRun extends Omit<Run, 'status' | 'updatedAt' | 'finishedAt'> {
  status: Exclude<RunStatus, 'running'>;
  trigger: string;
  finishedAt: Date;
  /** How long its results can be read; null: longer than any delivery is tried. */
  keepSeconds: number | null;
  /** For searches of job sites. */
  sites: SiteTask[] | null;
}

export const RUN_EVENTS = ['run.completed', 'run.failed', 'run.cancelled'] as const;

const TYPE_OF: Record<Exclude<RunLabel, 'running'>, (typeof RUN_EVENTS)[number]> = {
  completed: 'run.completed',
  partial: 'run.completed',
  failed: 'run.failed',
  cancelled: 'run.cancelled',
};

export function runEvent(run: EndedRun): {
  type: (typeof RUN_EVENTS)[number];
  data: Record<string, unknown>;
  expiresAt: Date | null;
} {
  const status = runLabel(run, run.sites) as keyof typeof TYPE_OF;
  const expiresAt = run.keepSeconds === null ? null : new Date(run.finishedAt.getTime() + run.keepSeconds * 1_000);
  return {
    type: TYPE_OF[status],
    expiresAt,
    data: {
      run_id: run.id,
      kind: run.kind,
      trigger: run.trigger,
      status,
      total: run.total,
      cached: run.cached,
      completed: run.completed,
      failed: run.failed,
      ...(run.sites && {
        site_name: siteNames(run.sites),
        jobs_found: run.sites.reduce((sum, site) => sum + site.found, 0),
        message: scrapeMessage(run.sites)?.slice(0, MESSAGE_MAX) ?? null,
      }),
      created_at: run.createdAt.toISOString(),
      finished_at: run.finishedAt.toISOString(),
      expires_at: expiresAt?.toISOString() ?? null,
      request_id: run.requestId,
      path: runPath(run),
    },
  };
}

const MESSAGE_MAX = 2_000;
