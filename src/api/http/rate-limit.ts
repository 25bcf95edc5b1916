// Rate limits: of each API key, and of each client address for requests without one or with a wrong one. With Redis it is one limit for all API processes, of a
// machine or of the fleet. While Redis is away each process counts for itself: a limit must not refuse everybody because something else is down.
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../../model/errors.ts';

const WINDOW_SECONDS = 60;
/** The counter refuses nobody: keys have limits of their own, so what was counted is compared here. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Requests a minute; 0: no limit. */
export interface RateLimits {
  perKey: number;
  perAddress: number;
}

/** What counts together. */
export type Counted = { keyId: string; perMinute: number | null } | { address: string };

export interface RateLimit {
  /** Null where there is no limit. Resolves with the headers to send; rejects with `too_many_requests`. */
  take(who: Counted): Promise<Record<string, string>> | null;
}

/** Where all API processes count together. */
export interface SharedCounts {
  redis: Redis;
  /** Start of the keys. */
  prefix: string;
}

export function createRateLimit(limits: RateLimits, shared: SharedCounts | null = null): RateLimit {
  const rule = { points: UNLIMITED, duration: WINDOW_SECONDS };
  const alone = new RateLimiterMemory(rule);
  const counter = shared
    ? new RateLimiterRedis({
        ...rule,
        storeClient: shared.redis,
        keyPrefix: `${shared.prefix}:api-rate`,
        rejectIfRedisNotReady: true,
        insuranceLimiter: alone,
      })
    : alone;

  return {
    take(who) {
      const isKey = 'keyId' in who;
      const limit = isKey ? (who.perMinute ?? limits.perKey) : limits.perAddress;
      if (limit === 0) return null;
      return counter
        .consume(isKey ? `key:${who.keyId}` : `address:${who.address}`)
        .then((state) => judge(state, limit, isKey ? 'key' : 'address'));
    },
  };
}

/** `RateLimit` and `RateLimit-Policy` as in the IETF draft; `Retry-After` is added to every 429. */
function judge(state: RateLimiterRes, limit: number, policy: string): Record<string, string> {
  const left = Math.max(0, limit - state.consumedPoints);
  const headers = {
    'ratelimit-policy': `"${policy}";q=${limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"${policy}";r=${left};t=${Math.ceil(state.msBeforeNext / 1_000)}`,
  };
  if (state.consumedPoints <= limit) return headers;
  throw new AppError(
    'too_many_requests',
    `Rate limit exceeded: ${limit} requests per minute for this ${policy}. Wait for the time in Retry-After.`,
    { retryAfterMs: state.msBeforeNext, details: headers },
  );
}
