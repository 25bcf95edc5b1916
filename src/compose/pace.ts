// The pace of sites that the configuration asks for: with Redis agreed on by all workers, without it by all roles of this process.
import type { Config } from '../config.ts';
import type { PaceOfSites } from '../orchestrator/dispatch/pace.ts';
import type { SourceRegistry } from '../source-modules/registry.ts';
import type { Source } from '../sources/define.ts';
import type { PaceReader, PaceStore } from '../web/pace/pace.ts';
import type { Role } from './process/role.ts';
import { webOptions } from './web.ts';

export async function openPace({ config, log, life }: Pick<Role, 'config' | 'log' | 'life'>): Promise<PaceStore> {
  const pace = await (config.redisUrl ? sharedPace(config.redisUrl, config.redisPrefix, log) : ownPace());
  life.own('pace', () => pace.close());
  return pace;
}

/** As long as a call of the wire takes at most: somebody waits for the answer. */
const READ_MS = 1_000;
/** A call that takes longer is made again; it must not be long, or much would be done late by a Redis that was frozen. */
const RESERVE_MS = 2_000;

/** For roles that only ask when turns are due. Unlike workers they start while Redis is away. */
export async function openPaceReader({
  config,
  log,
  life,
}: Pick<Role, 'config' | 'log' | 'life'>): Promise<PaceReader> {
  if (!config.redisUrl) return ownPace();
  const [{ redis }, { createRedisPaceReader }] = await Promise.all([
    connected(config.redisUrl, READ_MS, log),
    import('../web/pace/redis.ts'),
  ]);
  life.own('pace', async () => redis.disconnect());
  return createRedisPaceReader({ redis, prefix: config.redisPrefix });
}

async function sharedPace(url: string, prefix: string, log: Role['log']): Promise<PaceStore> {
  const [{ redis, onError }, { createRedisPace }] = await Promise.all([
    connected(url, RESERVE_MS, log),
    import('../web/pace/redis.ts'),
  ]);
  return createRedisPace({ redis, prefix, onError, closesRedis: true });
}

/** Whether Redis is there or not: a process starts without it. */
async function connected(url: string, commandTimeout: number, log: Role['log']) {
  const { connectRedis, firstReady, oncePerSecond } = await import('../wire/redis-connection.ts');
  const onError = oncePerSecond(({ message }) => log.warn('pace.error', { error: message }));
  return { redis: await firstReady(connectRedis(url, { commandTimeout, onError })), onError };
}

async function ownPace(): Promise<PaceStore> {
  const { createMemoryPace } = await import('../web/pace/memory.ts');
  return createMemoryPace();
}

/** What dispatch has to know of the pace of sites. */
export function paceOfSites(config: Config, registry: SourceRegistry, reader: PaceReader): PaceOfSites {
  const given = webOptions(config).paces;
  return {
    of(name) {
      const source = registry.get(name);
      return source ? { pace: given?.get(name) ?? source.pace, host: onlyHost(source) } : null;
    },
    turns: (queries, withinMs) => reader.turns(queries, withinMs),
  };
}

/** The host that a task asks first; null where it cannot be told, or the task brings proxies of its own, which nobody else is paced by. */
export function hostOf(registry: SourceRegistry): (source: string, params: Record<string, unknown>) => string | null {
  return (name, params) => {
    const source = registry.get(name);
    if (!source || params.proxy || params.proxies) return null;
    return onlyHost(source) ?? hostIn(source, params);
  };
}

const onlyHost = ({ hosts: [first] }: Source): string | null =>
  first === undefined || first.startsWith('*') ? null : first;

/** Of a source with as many hosts as there are companies, shops or pages. */
function hostIn({ hosts: [first] }: Source, { url, host, shop, company }: Record<string, unknown>): string | null {
  if (typeof url === 'string') return URL.canParse(url) ? new URL(url).hostname : null;
  const named = host ?? shop;
  if (typeof named === 'string') return named.toLowerCase();
  return typeof company === 'string' && first !== undefined ? `${company}${first.slice(1)}`.toLowerCase() : null;
}
