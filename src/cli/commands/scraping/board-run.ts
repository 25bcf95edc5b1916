// Several boards searched at once, as the command line shows them: how far each is, how it ended, and how the whole counts.

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

/** A site without an outcome goes on, or was interrupted before its turn came. */
export const siteStates = (sites: readonly SiteProgress[], outcomes: ReadonlyMap<string, Outcome>): SiteState[] =>
  sites.map(({ site, found, wanted }) => {
    const { error = null, metadata = null } = outcomes.get(site) ?? {};
    const state = error ? 'failed' : outcomes.has(site) ? 'done' : 'running';
    return { site, found, wanted: wanted ?? 0, state, error, metadata, warnings: warningsOf(metadata) };
  });

/** In the words of the API. With some postings in hand a person is told what is missing, and not that it failed. */
export function statusOf(sites: readonly SiteState[]): ScrapeStatus {
  const status = scrapeStatus(
    sites.every((site) => site.state === 'failed') ? 'failed' : 'completed',
    sites.map(({ error, ...site }) => ({ ...site, error: error && toTaskError(error), finishedAt: null })),
  );
  const hasSucceeded = sites.some((site) => site.state === 'done' || site.found > 0);
  return status === 'failed' && hasSucceeded ? 'partial' : status;
}
