// A run over job sites, as its asker sees it. The engine knows only whether tasks ended well; whether the run is a success, partial or failed
// follows from how many pages could be read. Pure: what the store found in, words of the contract out.
import type { ResultMetadata, TaskError } from '../task/messages.ts';
import type { RunStatus } from './run.ts';
import type { Waiting } from './why-waits.ts';

export const SCRAPE_STATUSES = ['queued', 'running', 'succeeded', 'partial', 'failed', 'cancelled'] as const;
export type ScrapeStatus = (typeof SCRAPE_STATUSES)[number];

/** What attempts that were tried again had asked of the web, together. */
export type EarlierAttempts = Pick<
  ResultMetadata,
  'proxy_used' | 'requests_made' | 'rate_limited' | 'captcha_encountered'
>;

/** One site of a run. */
export interface SiteTask {
  site: string;
  /** `paused`: it waits because its source was paused. */
  state: 'waiting' | 'paused' | 'running' | 'done' | 'failed' | 'cancelled';
  /** Postings stored so far. */
  found: number;
  error: TaskError | null;
  metadata: ResultMetadata | null;
  /** Of attempts before the last one. */
  earlier?: EarlierAttempts | null;
  finishedAt: Date | null;
  /** Waiting after an attempt: until when. */
  retryAt?: Date | null;
}

/** Up to this share of unreadable pages a run is partial; above it, failed. */
const PARTIAL_SHARE = 0.3;

export interface PageCount {
  requested: number;
  completed: number;
  errors: number;
}

export function pagesOf(sites: SiteTask[]): PageCount {
  let requested = 0;
  let completed = 0;
  for (const { state, metadata } of sites) {
    // A site that failed before its first page has still asked for one.
    requested += Math.max(metadata?.pages_requested ?? 0, state === 'failed' ? 1 : 0);
    completed += metadata?.pages_completed ?? 0;
  }
  return { requested, completed: Math.min(completed, requested), errors: Math.max(0, requested - completed) };
}

export function scrapeStatus(run: RunStatus, sites: SiteTask[]): ScrapeStatus {
  if (run === 'cancelled') return 'cancelled';
  if (run === 'running')
    return sites.every(({ state, retryAt }) => (state === 'waiting' || state === 'paused') && !retryAt)
      ? 'queued'
      : 'running';
  const { requested, errors } = pagesOf(sites);
  const failed = sites.filter((site) => site.state === 'failed');
  if (failed.length === 0 && errors === 0) return 'succeeded';
  const stoppedEarly = failed.some((site) => site.found > 0);
  const share = requested === 0 ? 1 : errors / requested;
  if (failed.length === sites.length && !stoppedEarly) return 'failed';
  return share <= PARTIAL_SHARE || stoppedEarly ? 'partial' : 'failed';
}

/** Each once: a round of companies asks the same site for many of them. */
export const siteNames = (sites: SiteTask[]): string[] => [...new Set(sites.map((site) => site.site))];

/** Warnings about the result: notes of the site, missing pages, rows that could not be read. */
export function warningsOf(metadata: ResultMetadata | null): string[] {
  const { warnings = [], incomplete = [], skipped = [] } = metadata ?? {};
  const rows = `${skipped.length} ${skipped.length === 1 ? 'row' : 'rows'} could not be read completely`;
  return [
    ...warnings,
    ...incomplete,
    ...(skipped.length === 0 ? [] : [`${rows}. First reason: ${skipped[0]!.reason}`]),
  ];
}

const SENTENCES_MAX = 20;
/** `running` too: what is on its way to a worker may still wait for one. */
const IS_UNDER_WAY: ReadonlySet<SiteTask['state']> = new Set(['waiting', 'paused', 'running']);

/**
 * What went wrong, a sentence a site, with what the sites said themselves; the same of many is said once, with how many. `stuck`: why the tasks of a site
 * do not go to a worker.
 */
export function scrapeMessage(
  sites: SiteTask[],
  stuck: ReadonlyMap<string, Pick<Waiting, 'message'>> = new Map(),
): string | null {
  const said = sites.flatMap((site) => [
    ...(IS_UNDER_WAY.has(site.state) && stuck.has(site.site)
      ? // A person's reason for a pause may be a whole sentence.
        [`${stuck.get(site.site)!.message.replace(/\.$/, '')}, so its task waits`]
      : []),
    ...(site.state === 'waiting' && site.retryAt
      ? [`${site.site} failed and will be retried at ${site.retryAt.toISOString()}`]
      : []),
    ...(site.error ? [`${site.site}: ${site.error.message}`] : []),
    ...warningsOf(site.metadata).map((warning) => `${site.site}: ${warning}`),
  ]);
  const times = new Map<string, number>();
  for (const sentence of said) times.set(sentence, (times.get(sentence) ?? 0) + 1);
  const sentences = [...times].map(([sentence, count]) => (count === 1 ? sentence : `${sentence} (${count} times)`));
  if (sentences.length === 0) return null;
  const more = sentences.length - SENTENCES_MAX;
  return [...sentences.slice(0, SENTENCES_MAX), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
