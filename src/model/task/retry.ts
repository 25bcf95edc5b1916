// What happens after an attempt went wrong: the one place that decides it, pure, so that every rule can be read and tested.
import type { Band } from './band.ts';
import type { TaskError } from './messages.ts';

export interface RetryPolicy {
  baseMs: number;
  maxMs: number;
  /** Being throttled costs no attempt; this many times in a row it stops being "later". */
  maxWaits: number;
  /** Times a task may be lost with its worker before it is given up, if nobody ever says whether it had started. */
  maxCrashes: number;
  /** The first wait of a company's scrape, which doubles and is not jittered. */
  companyMs: number;
}

export const RETRY_POLICY: RetryPolicy = {
  baseMs: 1_000,
  maxMs: 300_000,
  maxWaits: 30,
  maxCrashes: 10,
  companyMs: 300_000,
};

/** `company`: 5, 10, 20 minutes. A career page that is down is down for a while, and nobody waits for it this minute. */
export type Backoff = 'usual' | 'company';

/** What a task brings to the decision: how often it may be tried again, and after how long. */
export interface RetryRule {
  maxRetries: number;
  backoff: Backoff;
}

/** A site that asks for more is asked again all the same: a run always ends. */
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/** What is known of a task's past when an attempt ends. */
export interface Past {
  band: Band;
  failures: number;
  crashes: number;
  waits: number;
}

export type Next = ({ retry: true; delayMs: number } & Past) | { retry: false };

const NEVER = new Set(['not_found', 'invalid_params', 'robots', 'cancelled']);

/** Full jitter: anywhere between nothing and the exponential step, so that a thousand tasks failing at once come back spread out. */
export function backoffMs(step: number, policy: RetryPolicy, random: () => number): number {
  return Math.round(random() * Math.min(policy.maxMs, policy.baseMs * 2 ** step));
}

/** The task was not really tried: the site wants more time, or the worker that took it has not the code for it and another may. */
const costsNoAttempt = ({ category, code }: TaskError): boolean =>
  category === 'rate_limited' || code === 'unknown_source';

export function afterFailure(
  past: Past,
  error: TaskError,
  options: RetryRule & { policy: RetryPolicy; random: () => number },
): Next {
  const { policy, random } = options;
  const retryAfterMs = Math.min((error.retry_after ?? 0) * 1_000, MAX_RETRY_AFTER_MS);
  if (costsNoAttempt(error) && past.waits < policy.maxWaits) {
    const delayMs = Math.max(retryAfterMs, policy.baseMs, backoffMs(past.waits, policy, random));
    return { ...past, retry: true, delayMs, waits: past.waits + 1 };
  }
  if (NEVER.has(error.category) || !error.retryable || past.failures >= options.maxRetries) return { retry: false };
  const waitMs =
    options.backoff === 'company' ? policy.companyMs * 2 ** past.failures : backoffMs(past.failures, policy, random);
  const delayMs = Math.max(retryAfterMs, waitMs, 1);
  // A retried task goes to the high band: somebody has waited for it once already.
  return { ...past, retry: true, delayMs, failures: past.failures + 1, band: 'high' };
}

/** A worker may die for any reason, and then all its tasks are lost with it. One that was lost twice runs alone from then on. */
const SUSPECT_AFTER = 2;

export const isSuspect = (crashes: number): boolean => crashes >= SUSPECT_AFTER;

/**
 * After the lease ran out. A suspect that had started ran alone, so it is what took its worker down, and is given up. `started` is null if the worker
 * died before it said a word: that counts too, since a task may take it down at once.
 */
export function afterLoss(past: Past, options: { started: boolean | null; policy: RetryPolicy }): Next {
  const { started, policy } = options;
  if (started === false) return { ...past, retry: true, delayMs: 0 };
  if (started && isSuspect(past.crashes)) return { retry: false };
  if (past.crashes >= policy.maxCrashes) return { retry: false };
  return { ...past, retry: true, delayMs: 0, crashes: past.crashes + 1 };
}
