// The pace of sites that the configuration asks for: with Redis agreed on by all workers, without it by all roles of this process.
import type { PaceStore } from '../web/pace/pace.ts';
import type { Role } from './process/role.ts';

export async function openPace({ config, log, life }: Pick<Role, 'config' | 'log' | 'life'>): Promise<PaceStore> {
  const pace = await (config.redisUrl
    ? sharedPace(config.redisUrl, config.redisPrefix, (error) => log.warn('pace.error', { error }))
    : ownPace());
  life.own('pace', () => pace.close());
  return pace;
}

async function sharedPace(url: string, prefix: string, onError: (error: Error) => void): Promise<PaceStore> {
  const [{ Redis }, { createRedisPace }] = await Promise.all([import('ioredis'), import('../web/pace/redis.ts')]);
  const redis = new Redis(url, { commandTimeout: 5_000, maxRetriesPerRequest: 1 });
  redis.on('error', onError);
  return createRedisPace({ redis, prefix, onError, closesRedis: true });
}

async function ownPace(): Promise<PaceStore> {
  const { createMemoryPace } = await import('../web/pace/memory.ts');
  return createMemoryPace();
}
