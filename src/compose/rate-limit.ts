// The counts of the API's rate limit, shared with all API processes where there is Redis.
import type { SharedCounts } from '../api/http/rate-limit.ts';
import type { Role } from './process/role.ts';

/** A request waits no longer than this for Redis. */
const PATIENCE_MS = 500;

/** Null without Redis: then there is one API process only. */
export async function sharedRateCounts({ config, life }: Pick<Role, 'config' | 'life'>): Promise<SharedCounts | null> {
  if (!config.redisUrl) return null;
  const { connectRedis } = await import('../wire/redis-connection.ts');
  const redis = connectRedis(config.redisUrl, {
    commandTimeout: PATIENCE_MS,
    patienceMs: PATIENCE_MS,
    maxRetriesPerRequest: 0,
    // The wire, which uses the same Redis, says so in the log.
    onError() {},
  });
  life.own('rate limit', async () => redis.disconnect());
  return { redis, prefix: config.redisPrefix };
}
