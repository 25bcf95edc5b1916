// How long a task waits before it is tried again, by what went wrong: one row a kind. RETRY_WAITS changes rows, docs/operations.md shows them.
// What a reader would get wrong: the number of waits is not the number of tries. That is MAX_RETRY_ATTEMPTS; the last wait repeats. Only kinds that
// cost no attempt have a number of their own (`most`).
import type { ErrorCategory } from '../errors.ts';
import type { TaskError } from './messages.ts';
import { isOutage } from './outage.ts';

interface Row {
  waitsMs: readonly number[];
  /** Waits exactly as long; otherwise up to half as long again, so that a thousand tasks that failed at once do not come back at once. */
  isExact?: boolean;
  /** Costs no attempt, this many times. */
  most?: number;
  about: string;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A site that is away is away for minutes. */
const AWAY = [15 * SECOND, MINUTE, 4 * MINUTE];
const ODD = [MINUTE, 5 * MINUTE, 15 * MINUTE];

export const RETRY_ROWS = {
  timeout: { waitsMs: AWAY, about: 'the page or the attempt took too long' },
  network: { waitsMs: AWAY, about: 'no connection, DNS, TLS, a dead proxy' },
  http_5xx: { waitsMs: AWAY, about: 'the site answered 5xx' },
  retry_after: { waitsMs: [SECOND], most: 5, about: '429 with Retry-After: as long as the site says, up to an hour' },
  rate_limited: {
    waitsMs: [30 * SECOND, MINUTE, 2 * MINUTE, 4 * MINUTE, 8 * MINUTE],
    most: 5,
    about: '429 without Retry-After',
  },
  paced: {
    waitsMs: [SECOND],
    most: Number.POSITIVE_INFINITY,
    about: 'our own rate limit for the site has no turn yet: until there is one',
  },
  unavailable: {
    waitsMs: [SECOND],
    most: Number.POSITIVE_INFINITY,
    about: 'Redis did not answer the worker: the task goes on when it does',
  },
  blocked: { waitsMs: [2 * MINUTE, 5 * MINUTE, 15 * MINUTE], about: 'the site blocked the request' },
  captcha: { waitsMs: [5 * MINUTE, 15 * MINUTE, 30 * MINUTE], about: 'the site asked for a CAPTCHA' },
  login: { waitsMs: [10 * MINUTE, 30 * MINUTE], about: 'the site asked for a login' },
  layout_changed: { waitsMs: ODD, about: 'the page could not be read; not tried again unless its source says so' },
  http_4xx: { waitsMs: ODD, about: 'the site answered 4xx; not tried again unless its source says so' },
  internal: {
    waitsMs: [5 * SECOND, 30 * SECOND, 2 * MINUTE],
    about: 'an error of our own, or a report that cannot be read',
  },
  unknown_source: {
    waitsMs: [1, 2, 4, 8, 16, 32, 60, 120, 300].map((seconds) => seconds * SECOND),
    most: 30,
    about: 'the worker does not have the source: another may',
  },
  company: {
    waitsMs: [5 * MINUTE, 10 * MINUTE, 20 * MINUTE],
    isExact: true,
    about: 'the scrape of a company, whatever went wrong, unless it costs no attempt',
  },
} as const satisfies Record<string, Row>;

export type RetryKind = keyof typeof RETRY_ROWS;
export const RETRY_KINDS = Object.keys(RETRY_ROWS) as RetryKind[];

export type RetryWaits = Readonly<Record<RetryKind, readonly number[]>>;

export const RETRY_WAITS = Object.fromEntries(
  RETRY_KINDS.map((kind) => [kind, RETRY_ROWS[kind].waitsMs]),
) as unknown as RetryWaits;

/** Not tried again, whatever a worker says. */
const NEVER: ReadonlySet<string> = new Set<ErrorCategory>(['not_found', 'invalid_params', 'robots', 'cancelled']);

/** The row of an error; null: it is not tried again. */
export function kindOf({ category, code, retry_after: retryAfter }: TaskError): RetryKind | null {
  if (code === 'paced' || code === 'login' || code === 'unknown_source') return code;
  if (isOutage({ category, code })) return 'unavailable';
  if (NEVER.has(category)) return null;
  if (category === 'rate_limited') return retryAfter == null ? 'rate_limited' : 'retry_after';
  return Object.hasOwn(RETRY_ROWS, category) ? (category as RetryKind) : 'internal';
}

export const rowOf = (kind: RetryKind): Row => RETRY_ROWS[kind];

/** The wait before the nth retry, from 0. */
export function waitMs(waits: RetryWaits, kind: RetryKind, nth: number, random: () => number): number {
  const row = waits[kind];
  const wait = row[Math.min(nth, row.length - 1)] ?? 0;
  return Math.round(rowOf(kind).isExact ? wait : wait * (1 + random() / 2));
}

const UNITS = { ms: 1, s: SECOND, m: MINUTE, h: 60 * MINUTE } as const;
const WAIT = /^(\d{1,6})(ms|s|m|h)$/;
const ENTRY = new RegExp(`^(all|${RETRY_KINDS.join('|')})=(\\d{1,6}(?:ms|s|m|h)(?:/\\d{1,6}(?:ms|s|m|h))*)$`);

/** `timeout=15s/1m/4m`, or `all=1s` for every kind. */
export const isRetryWait = (entry: string): boolean => ENTRY.test(entry);

/** Later entries win. */
export function retryWaits(entries: readonly string[]): RetryWaits {
  const waits: Record<RetryKind, readonly number[]> = { ...RETRY_WAITS };
  for (const entry of entries) {
    const [, kind = '', list = ''] = ENTRY.exec(entry) ?? [];
    const row = list.split('/').map(readWait);
    for (const one of kind === 'all' ? RETRY_KINDS : [kind as RetryKind]) waits[one] = row;
  }
  return waits;
}

function readWait(text: string): number {
  const [, number, unit] = WAIT.exec(text) ?? [];
  return Number(number) * UNITS[unit as keyof typeof UNITS];
}

/** `15 s`, `4 min`. */
export const showWait = (ms: number): string => (ms >= MINUTE ? `${ms / MINUTE} min` : `${ms / SECOND} s`);
