// Searches of several boards on the command line: progress and outcome of each, and of all together.

import type { Outcome } from '../../../library/run/run-task.ts';
import type { SiteProgress } from '../../../library/run/scrape.ts';
import type { AppError } from '../../../model/errors.ts';
import { type ScrapeStatus, scrapeStatus, warningsOf } from '../../../model/run/scrape-run.ts';
import type { ResultMetadata } from '../../../model/task/messages.ts';
import { toTaskError } from '../../../worker/attempt.ts';

export interface SiteState extends Pick<SiteProgress, 'site' | 'found' | 'state'> {
  wanted: number;
  error: AppError | null;
  warnings: string[];
  metadata: ResultMetadata | null;
}

/** A site without an outcome is running, or was interrupted before it started. */
export const siteStates = (sites: readonly SiteProgress[], outcomes: ReadonlyMap<string, Outcome>): SiteState[] =>
  sites.map(({ site, found, wanted }) => {
    const { error = null, metadata = null } = outcomes.get(site) ?? {};
    const state = error ? 'failed' : outcomes.has(site) ? 'done' : 'running';
    return { site, found, wanted: wanted ?? 0, state, error, metadata, warnings: warningsOf(metadata) };
  });

/** The status values of the API. With some postings it is `partial` and not `failed`. */
export function statusOf(sites: readonly SiteState[]): ScrapeStatus {
  const status = scrapeStatus(
    sites.every((site) => site.state === 'failed') ? 'failed' : 'completed',
    sites.map(({ error, ...site }) => ({ ...site, error: error && toTaskError(error), finishedAt: null })),
  );
  const hasSucceeded = sites.some((site) => site.state === 'done' || site.found > 0);
  return status === 'failed' && hasSucceeded ? 'partial' : status;
}
