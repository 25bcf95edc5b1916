// The web layer of a worker, from the configuration.
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { parseRedisUrl } from '../model/server/redis-url.ts';
import { rarely } from '../observe/rarely.ts';
import type { BrowserCounts } from '../web/browser/browser.ts';
import { findBrowser } from '../web/browser/find-browser.ts';
import { parseTiers } from '../web/identity/proxy.ts';
import type { Pace, PaceStore } from '../web/pace/pace.ts';
import { createWeb, type WebOptions, type Webs } from '../web/web.ts';
import type { Role } from './process/role.ts';

const CLOSE_MS = 5_000;
/** Tasks are handed out a second before their turn (orchestrator/dispatch/pace.ts), and pauses vary. */
const FIRST_PACE_WAIT_MS = 2_000;

export interface WebMetrics {
  paceWaited(seconds: number): void;
  readBrowser(read: () => BrowserCounts): void;
}

export async function openWeb(
  role: Pick<Role, 'config' | 'log' | 'life' | 'trace'>,
  pace: PaceStore,
  metrics?: WebMetrics,
): Promise<Webs> {
  const { config, log, life, trace } = role;
  const browser =
    config.workerLanes.includes('browser') && (await hasBrowser(config)) ? await browserPool(config) : null;
  if (browser) metrics?.readBrowser(() => browser.counts());
  const webs = createWeb({
    ...webOptions(config),
    pace,
    firstPaceWaitMs: FIRST_PACE_WAIT_MS,
    ...(trace && { trace }),
    ...(metrics && { onPaceWaited: metrics.paceWaited }),
    ...(config.webCache
      ? { cache: { dir: join(resolve(config.home), 'cache'), maxBytes: config.webCacheMaxBytes } }
      : {}),
    ...(config.webArchive
      ? { archive: { dir: join(resolve(config.home), 'archive'), maxBytes: config.webArchiveMaxBytes } }
      : {}),
    ...(browser && { browser }),
    onProblem: rarely((event, error, before) => log.warn(event, { error: String(error), ...before })),
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
    directExit: config.webDirectExit,
    guard: {
      allow: [...(config.webAllowPrivate ?? [])],
      ports: (config.webPorts ?? []).map(Number),
      deny: ownAddresses(config),
    },
  };
}

/** Exits that a site is asked through as long as it blocks none: the proxies of the first tier, or the own address. */
export const exitsOf = (config: Config): number => parseTiers(config.webProxies ?? '')[0]?.length ?? 1;

/** Addresses of our own servers: never scraped, whatever the allow list says. */
function ownAddresses(config: Config): string[] {
  const database = config.databaseUrl ? new URL(config.databaseUrl) : null;
  const servers = [
    ...(database ? [{ host: database.hostname.replace(/^\[|\]$/g, ''), port: Number(database.port || 5432) }] : []),
    ...(config.redisUrl ? (parseRedisUrl(config.redisUrl)?.hosts ?? []) : []),
  ];
  return servers.flatMap(({ host, port }) => {
    const family = isIP(host);
    return family === 0 ? [] : [`${family === 6 ? `[${host}]` : host}:${port}`];
  });
}

/** `indeed.app_key=value`: the value may hold `=` itself. */
export function splitSetting(entry: string): [string, string] {
  const at = entry.indexOf('=');
  return [entry.slice(0, at), entry.slice(at + 1)];
}

/** `linkedin=4/250` */
function splitPace(entry: string): [string, Pace] {
  const [source = '', concurrency, delayMs] = entry.split(/[=/]/);
  return [source, { concurrency: Number(concurrency), delayMs: Number(delayMs) }];
}

/** Whether pages can be opened in a browser here. */
export const hasBrowser = async ({ chromiumPath, browserDriver }: Config): Promise<boolean> =>
  (await findBrowser({ executablePath: chromiumPath, driver: browserDriver })) !== null;

/** Loaded only if pages may need it. The browser itself starts with the first page. */
async function browserPool(config: Config) {
  const { createBrowserPool } = await import('../web/browser/pool.ts');
  return createBrowserPool({
    ...(config.chromiumPath ? { executablePath: config.chromiumPath } : {}),
    ...(config.browserDriver ? { driver: config.browserDriver } : {}),
  });
}
