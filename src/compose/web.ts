// The web layer of a worker, from the configuration.
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import type { Pace } from '../web/pace/pace.ts';
import { createWeb, type WebOptions, type Webs } from '../web/web.ts';
import type { Role } from './process/role.ts';

const CLOSE_MS = 5_000;

export async function openWeb({ config, log, life }: Pick<Role, 'config' | 'log' | 'life'>): Promise<Webs> {
  const webs = createWeb({
    ...webOptions(config),
    ...(config.redisUrl
      ? { pace: await sharedPace(config.redisUrl, config.redisPrefix, (error) => log.warn('pace.error', { error })) }
      : {}),
    ...(config.webCache
      ? { cache: { dir: join(resolve(config.home), 'cache'), maxBytes: config.webCacheMaxBytes } }
      : {}),
    ...(config.webArchive
      ? { archive: { dir: join(resolve(config.home), 'archive'), maxBytes: config.webArchiveMaxBytes } }
      : {}),
    ...(config.webSnapshots ? { snapshots: { dir: join(resolve(config.home), 'snapshots') } } : {}),
    ...(config.workerLanes.includes('browser') ? { browser: await browserPool(config) } : {}),
    onProblem: (event, error) => log.warn(event, { error: String(error) }),
  });
  life.own('web', () => webs.close(), CLOSE_MS);
  return webs;
}

/** Options that a single command and a worker have in common. */
export function webOptions(config: Config): WebOptions {
  return {
    timeoutMs: config.scrapeTimeoutSeconds * 1_000,
    maxBytes: config.webMaxBytes,
    robots: config.webRobots,
    ...(config.webHostMap ? { hostMap: config.webHostMap.join(',') } : {}),
    ...(config.webUserAgent ? { userAgent: config.webUserAgent } : {}),
    ...(config.sourceSettings ? { sourceSettings: new Map(config.sourceSettings.map(splitSetting)) } : {}),
    ...(config.sourcePace ? { paces: new Map(config.sourcePace.map(splitPace)) } : {}),
    ...(config.webProxies ? { proxies: config.webProxies } : {}),
    guard: {
      allow: [...(config.webAllowPrivate ?? [])],
      ports: (config.webPorts ?? []).map(Number),
      deny: ownAddresses(config),
    },
  };
}

/** Addresses of our own servers: never scraped, whatever the allow list says. */
function ownAddresses(config: Config): string[] {
  const urls = [config.databaseUrl, config.redisUrl].filter((url) => url !== undefined).map((url) => new URL(url));
  return urls.flatMap(({ hostname, port, protocol }) =>
    isIP(hostname.replace(/^\[|\]$/g, ''))
      ? [`${hostname}:${port || (protocol.startsWith('redis') ? 6379 : 5432)}`]
      : [],
  );
}

/** `indeed.app_key=value`: the value may hold `=` itself. */
function splitSetting(entry: string): [string, string] {
  const at = entry.indexOf('=');
  return [entry.slice(0, at), entry.slice(at + 1)];
}

/** `linkedin=4/250` */
function splitPace(entry: string): [string, Pace] {
  const [source = '', concurrency, delayMs] = entry.split(/[=/]/);
  return [source, { concurrency: Number(concurrency), delayMs: Number(delayMs) }];
}

/** With Redis all workers share the rate limit of a host. */
async function sharedPace(url: string, prefix: string, onError: (error: Error) => void) {
  const [{ Redis }, { createRedisPace }] = await Promise.all([import('ioredis'), import('../web/pace/redis.ts')]);
  const redis = new Redis(url, { commandTimeout: 5_000, maxRetriesPerRequest: 1 });
  redis.on('error', onError);
  return createRedisPace({ redis, prefix, onError, closesRedis: true });
}

/** Loaded only if pages may need it. The browser itself starts with the first page. */
async function browserPool(config: Config) {
  const { createBrowserPool } = await import('../web/browser/pool.ts');
  return createBrowserPool({
    ...(config.chromiumPath ? { executablePath: config.chromiumPath } : {}),
    ...(config.browserDriver ? { driver: config.browserDriver } : {}),
  });
}
