// Rate limit per API key, or per client address without keys. Counted in this process: with several API processes each has its own count, so that the
// limit needs no network and works while everything else is down.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../../model/errors.ts';

const WINDOW_SECONDS = 60;

export interface RateLimit {
  /** Resolves with the headers to send, if any; rejects with `too_many_requests`. */
  take(who: string): Promise<Record<string, string> | null>;
}

/** Null when there is no limit. */
export function createRateLimit(perMinute: number): RateLimit | null {
  if (perMinute === 0) return null;
  const limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
  const policy = `"default";q=${perMinute};w=${WINDOW_SECONDS}`;
  const headers = (state: RateLimiterRes) => ({
    'ratelimit-policy': policy,
    ratelimit: `"default";r=${state.remainingPoints};t=${Math.ceil(state.msBeforeNext / 1_000)}`,
  });
  return {
    take: (who) =>
      limiter.consume(who).then(
        // While most of the quota is left nobody needs these headers, and they cost bytes on every response.
        (state) => (state.remainingPoints * 2 < perMinute ? headers(state) : null),
        (state: unknown) => {
          if (!(state instanceof RateLimiterRes)) throw state;
          throw new AppError(
            'too_many_requests',
            `Rate limit exceeded: ${perMinute} requests per minute. Wait for the time in Retry-After.`,
            {
              retryAfterMs: state.msBeforeNext,
              details: headers(state),
            },
          );
        },
      ),
  };
}
