// When a request is sent again. What a reader would get wrong: 429 and 503 mean that nothing was accepted, so that any request may be repeated; a connection that
// broke says nothing, so that only a request which does its work once may be.
import type { ApiError } from './errors.ts';

export interface RetryPolicy {
  /** How often a request is sent again. 0: never. */
  retries: number;
  /** A longer wait than this is the caller's business: the error is thrown, with `retryAfter`. */
  longestWaitMs: number;
}

export const DEFAULT_POLICY: RetryPolicy = { retries: 4, longestWaitMs: 60_000 };

const FIRST_MS = 500;
const REFUSED = new Set([429, 503]);
/** Of a server or of what stands in front of it. */
const BROKEN = new Set([0, 502, 504]);

export interface Attempt {
  /** Attempts that failed, this one included. */
  failed: number;
  /** Whether a second request of the kind does no second work. */
  isRepeatable: boolean;
}

/** Doubling, with jitter, so that a thousand clients do not come back in one moment. */
export const backoffMs = (failed: number, random: () => number = Math.random): number =>
  FIRST_MS * 2 ** Math.min(failed - 1, 6) * (0.5 + random() / 2);

/** Milliseconds until the next attempt; null: there is none. */
export function waitBeforeRetry(
  error: Pick<ApiError, 'status' | 'retryAfter'>,
  { failed, isRepeatable }: Attempt,
  policy: RetryPolicy,
  random?: () => number,
): number | null {
  if (failed > policy.retries) return null;
  const mayRepeat = REFUSED.has(error.status) || (isRepeatable && BROKEN.has(error.status));
  if (!mayRepeat) return null;
  const waitMs = Math.max((error.retryAfter ?? 0) * 1_000, backoffMs(failed, random));
  return waitMs > policy.longestWaitMs ? null : waitMs;
}
