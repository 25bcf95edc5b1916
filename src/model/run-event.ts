// What is told of a run that has ended. The engine's status says only whether tasks ended well; for searches of job sites the pages decide, as they do
// in the API (scrape-run.ts). Pure: what the store found in, an event out.
import type { Run, RunStatus } from './run.ts';
import { type SiteTask, scrapeMessage, scrapeStatus, siteNames } from './scrape-run.ts';

export interface EndedRun extends Omit<Run, 'status' | 'updatedAt' | 'finishedAt'> {
  status: Exclude<RunStatus, 'running'>;
  trigger: string;
  finishedAt: Date;
  /** How long what it brought can be read; null: longer than any delivery is tried. */
  keepSeconds: number | null;
  /** For searches of job sites. */
  sites: SiteTask[] | null;
}

/** One vocabulary for all kinds. `partial`: some of it failed. */
type EventStatus = 'completed' | 'partial' | 'failed' | 'cancelled';

export const RUN_EVENTS = ['run.completed', 'run.failed', 'run.cancelled'] as const;

const TYPE_OF: Record<EventStatus, (typeof RUN_EVENTS)[number]> = {
  completed: 'run.completed',
  partial: 'run.completed',
  failed: 'run.failed',
  cancelled: 'run.cancelled',
};

/** Where what it brought is read. */
const PATH_OF: Record<string, (id: string) => string> = {
  article: (id) => `/jobs/${id}/results`,
  posting: (id) => `/jobs/scrape/${id}`,
  cart: (id) => `/results/${id}`,
  company: (id) => `/sessions?run_id=${id}`,
};

function statusOf({ status, failed, sites }: EndedRun): EventStatus {
  if (sites === null) return status === 'completed' && failed > 0 ? 'partial' : status;
  const words = scrapeStatus(status, sites);
  return words === 'partial' || words === 'failed' || words === 'cancelled' ? words : 'completed';
}

export function runEvent(run: EndedRun): {
  type: (typeof RUN_EVENTS)[number];
  data: Record<string, unknown>;
  expiresAt: Date | null;
} {
  const status = statusOf(run);
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
      path: PATH_OF[run.kind]?.(run.id) ?? null,
    },
  };
}

const MESSAGE_MAX = 2_000;
