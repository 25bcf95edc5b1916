// Job searches in the API. Pure: rows in, JSON out.
import type { Run } from '../../model/run/run.ts';
import {
  pagesOf,
  type SiteTask,
  scrapeMessage,
  scrapeStatus,
  siteNames,
  warningsOf,
} from '../../model/run/scrape-run.ts';
import type { Waiting } from '../../model/run/why-waits.ts';
import type { SourceStats } from '../../store/sources/source-stats.ts';

export const taskIdOf = (runId: string): string => `run_${runId.slice(runId.indexOf('_') + 1)}`;

export function scrapeHead(
  run: Run,
  sites: SiteTask[],
  mode: 'async' | 'sync',
  stuck: ReadonlyMap<string, Waiting> = new Map(),
) {
  const pages = pagesOf(sites);
  const names = siteNames(sites);
  return {
    run_id: run.id,
    task_id: taskIdOf(run.id),
    site_name: names.length === 1 ? names[0]! : names,
    trigger: run.id.startsWith('sched_') ? ('schedule' as const) : ('manual' as const),
    status: scrapeStatus(run.status, sites),
    execution_mode: mode,
    started_at: run.createdAt.toISOString(),
    finished_at: run.finishedAt?.toISOString() ?? null,
    requested_pages: pages.requested,
    completed_pages: pages.completed,
    errors_count: pages.errors,
    message: scrapeMessage(sites, stuck),
    jobs_found: sites.reduce((sum, site) => sum + site.found, 0),
    sites: sites.map(({ site, state, found, error }) => ({
      site_name: site,
      status: state,
      jobs_found: found,
      error: error?.message ?? null,
    })),
    metadata: metadataOf(sites),
  };
}

function metadataOf(sites: SiteTask[]) {
  const ended = sites.flatMap((site) => site.metadata ?? []);
  const all = [...ended, ...sites.flatMap((site) => site.earlier ?? [])];
  return {
    proxy_used: all.find((one) => one.proxy_used !== null)?.proxy_used ?? null,
    requests_made: all.reduce((sum, one) => sum + one.requests_made, 0),
    rate_limited: all.some((one) => one.rate_limited),
    captcha_encountered: all.some((one) => one.captcha_encountered),
    rows_skipped: ended.reduce((sum, one) => sum + (one.skipped?.length ?? 0), 0),
    warnings: ended.flatMap(warningsOf),
  };
}

export function healthOf(stats: SourceStats | undefined) {
  const done = stats?.done ?? 0;
  const failed = stats?.failed ?? 0;
  const share = failed / Math.max(1, done + failed);
  const state = done + failed === 0 ? 'unknown' : share > 0.5 ? 'failing' : share > 0.1 ? 'degraded' : 'ok';
  return { state, done_last_hour: done, failed_last_hour: failed };
}
