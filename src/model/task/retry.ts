// What happens after an attempt went wrong: the one place that decides it, pure, so that every rule can be read and tested.
import type { Band } from './band.ts';
import type { TaskError } from './messages.ts';
import { kindOf, RETRY_WAITS, type RetryKind, type RetryWaits, rowOf, waitMs } from './retry-table.ts';

export interface RetryPolicy {
  waits: RetryWaits;
  /** Times a task may be lost with its worker before it is given up, if nobody ever says whether it had started. */
  maxCrashes: number;
}

export const RETRY_POLICY: RetryPolicy = { waits: RETRY_WAITS, maxCrashes: 10 };

/** `company` has a row of its own. A career page that is down is down for a while, and nobody waits for it this minute. */
export type Backoff = 'usual' | 'company';

/** What a task brings to the decision: how often it may be tried again, and after how long. */
export interface RetryRule {
  maxRetries: number;
  backoff: Backoff;
}

/** A site that asks for more is not asked earlier (its pace sees to that), but the task is looked at again: a run always ends. */
const MAX_RETRY_AFTER_MS = 3_600_000;
/** A turn further away than this is not waited for while the source is given up. */
const LONG_TURN_MS = 60_000;

/** What is known of a task's past when an attempt ends. */
export interface Past {
  band: Band;
  failures: number;
  crashes: number;
  waits: number;
}

export type Next = ({ retry: true; delayMs: number } & Past) | { retry: false };

export interface FailureOptions extends RetryRule {
  policy: RetryPolicy;
  random: () => number;
  /** The breaker of its source has given up: tasks go once each. */
  isGivenUp?: boolean;
}

export function afterFailure(past: Past, error: TaskError, options: FailureOptions): Next {
  const { policy, random, isGivenUp = false } = options;
  const kind = kindOf(error);
  if (kind === null) return { retry: false };
  const { most } = rowOf(kind);
  const retryAfterMs = Math.min((error.retry_after ?? 0) * 1_000, MAX_RETRY_AFTER_MS);
  const wait = (row: RetryKind, nth: number) => Math.max(retryAfterMs, waitMs(policy.waits, row, nth, random), 1);
  if (most === Number.POSITIVE_INFINITY) {
    const delayMs = wait(kind, 0);
    return kind === 'paced' && isGivenUp && delayMs > LONG_TURN_MS
      ? { retry: false }
      : { ...past, retry: true, delayMs };
  }
  // A worker without the source has not tried; a site that wants more time was asked.
  if (kind !== 'unknown_source' && (options.maxRetries === 0 || isGivenUp)) return { retry: false };
  if (most !== undefined) {
    if (past.waits >= most) return { retry: false };
    return { ...past, retry: true, delayMs: wait(kind, past.waits), waits: past.waits + 1 };
  }
  if (!error.retryable || past.failures >= options.maxRetries) return { retry: false };
  const delayMs = wait(options.backoff === 'company' ? 'company' : kind, past.failures);
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
