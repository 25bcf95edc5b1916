// Rate limit per API key, or per client address without keys. With Redis it is one limit for all API processes, of a machine or of the fleet. While Redis is
// away each process counts for itself: a limit must not refuse everybody because something else is down.
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../../model/errors.ts';

const WINDOW_SECONDS = 60;

export interface RateLimit {
  /** Resolves with the headers to send, if any; rejects with `too_many_requests`. */
  take(who: string): Promise<Record<string, string> | null>;
}

/** Where all API processes count together. */
export interface SharedCounts {
  redis: Redis;
  /** Start of the keys. */
  prefix: string;
}

/** Null when there is no limit. */
export function createRateLimit(perMinute: number, shared: SharedCounts | null = null): RateLimit | null {
  if (perMinute === 0) return null;
  const rule = { points: perMinute, duration: WINDOW_SECONDS };
  const alone = new RateLimiterMemory(rule);
  const limiter = shared
    ? new RateLimiterRedis({
        ...rule,
        storeClient: shared.redis,
        keyPrefix: `${shared.prefix}:api-rate`,
        rejectIfRedisNotReady: true,
        insuranceLimiter: alone,
      })
    : alone;
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
