// Several boards searched at once in this process. What an attempt found is kept when the next one fails: a search that broke off after forty
// postings has forty postings.

import type { Posting } from '../../../model/posting/posting.ts';
import { type ScrapeStatus, scrapeStatus, warningsOf } from '../../../model/run/scrape-run.ts';
import type { ResultMetadata, TaskError } from '../../../model/task/messages.ts';
import type { Source } from '../../../sources/define.ts';
import type { Webs } from '../../../web/web.ts';
import { attemptFor } from '../../compose/attempt.ts';
import type { BoardSearch } from './board-options.ts';
import { scrapeAll } from './scrape-all.ts';

export interface SiteState {
  site: string;
  title: string;
  wanted: number;
  found: number;
  state: 'running' | 'done' | 'failed';
  error: TaskError | null;
  warnings: string[];
  metadata: ResultMetadata | null;
}

export interface BoardRunOptions {
  searches: readonly BoardSearch[];
  proxies: readonly string[];
  webs: Webs;
  maxRetries: number;
  timeoutSeconds: number;
  signal: AbortSignal;
  /** Each posting once, as it comes. */
  onPosting(posting: Posting): void;
}

export interface BoardRun {
  /** Changes while it runs. */
  sites: SiteState[];
  done: Promise<void>;
}

export function runBoards(options: BoardRunOptions): BoardRun {
  const sites = options.searches.map(({ source, params }) => ({
    site: source.name,
    title: source.title,
    wanted: Number(params.results_wanted),
    found: 0,
    state: 'running' as SiteState['state'],
    error: null,
    warnings: [],
    metadata: null,
  }));
  return {
    sites,
    done: Promise.all(sites.map((site, i) => search(options.searches[i]!, site, options))).then(() => {}),
  };
}

async function search({ source, params }: BoardSearch, site: SiteState, options: BoardRunOptions): Promise<void> {
  const seen = new Set<string>();
  const counted: Source = {
    ...source,
    async *scrape(given, web, notes) {
      for await (const item of source.scrape(given, web, notes)) {
        const posting = item as Posting;
        if (!seen.has(posting.job_hash) && site.found < site.wanted) {
          seen.add(posting.job_hash);
          site.found = seen.size;
          options.onPosting(posting);
        }
        yield item;
      }
    },
  };
  await scrapeAll({
    source: counted,
    params: [options.proxies.length > 0 ? { ...params, proxies: options.proxies } : params],
    concurrency: 1,
    maxRetries: options.maxRetries,
    timeoutSeconds: options.timeoutSeconds,
    signal: options.signal,
    webFor: (...of) => options.webs.forAttempt(attemptFor(...of)),
    onOutcome({ error, metadata }) {
      site.state = error ? 'failed' : 'done';
      site.error = error;
      site.metadata = metadata;
      site.warnings = warningsOf(metadata);
    },
  });
  // Interrupted before its turn came: it has not been asked at all.
  if (site.state === 'running') site.state = 'failed';
}

/** In the words of the API. With some postings in hand a person is told what is missing, and not that it failed. */
export function statusOf(sites: readonly SiteState[]): ScrapeStatus {
  const status = scrapeStatus(
    sites.every((site) => site.state === 'failed') ? 'failed' : 'completed',
    sites.map((site) => ({ ...site, state: site.state === 'running' ? 'failed' : site.state, finishedAt: null })),
  );
  const hasSucceeded = sites.some((site) => site.state === 'done' || site.found > 0);
  return status === 'failed' && hasSucceeded ? 'partial' : status;
}
