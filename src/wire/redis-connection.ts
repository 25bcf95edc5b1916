// Every connection to Redis is made here, so that each notices within seconds that nobody answers any more, and is made again: TCP alone would take a quarter
// of an hour. While there is no connection a call fails at once.
import { readFileSync } from 'node:fs';
import { Redis, type RedisOptions } from 'ioredis';
import { AppError } from '../model/errors.ts';
import { parseRedisUrl, REDIS_URL_SHAPE, type RedisUrl } from '../model/server/redis-url.ts';

export interface ConnectOptions extends RedisOptions {
  /** How long Redis may take to accept a connection; a call has a limit of its own (`commandTimeout`). */
  patienceMs?: number;
  onError(error: Error): void;
}

export const PATIENCE_MS = 1_000;
/** Times the patience: what a client and a server tell each other first. */
const HANDSHAKE = 3;
const ASK_EVERY_MS = 2_000;

export function connectRedis(url: string, { patienceMs = PATIENCE_MS, onError, ...extra }: ConnectOptions): Redis {
  const redis = new Redis({ ...serverOptions(url), ...connectionOptions(patienceMs), ...extra });
  redis.on('error', onError);
  // A server that accepts and then says nothing would be waited for without end.
  redis.on('connect', () => {
    const late = setTimeout(() => redis.disconnect(true), HANDSHAKE * patienceMs).unref();
    const inTime = (): void => {
      clearTimeout(late);
      redis.off('ready', inTime).off('close', inTime);
    };
    redis.on('ready', inTime).on('close', inTime);
  });
  // One that is not used would be found dead only when it is, one after the other.
  const asking = setInterval(() => redis.status === 'ready' && redis.ping().catch(() => {}), ASK_EVERY_MS).unref();
  redis.once('end', () => clearInterval(asking));
  return redis;
}

/** Where the URL says that it is. */
export function serverOptions(url: string): RedisOptions {
  const parsed = parseRedisUrl(url);
  if (!parsed) throw new AppError('invalid_config', `REDIS_URL has to be ${REDIS_URL_SHAPE}.`);
  const { hosts, master, username, password, db, params } = parsed;
  const tls = parsed.isTls ? tlsOptions(params) : null;
  const login = { ...(username ? { username } : {}), ...(password ? { password } : {}), db };
  if (master === null) return { ...hosts[0]!, ...login, ...(tls ? { tls } : {}) };
  return {
    sentinels: hosts,
    name: master,
    ...login,
    ...(params.sentinel_username ? { sentinelUsername: params.sentinel_username } : {}),
    ...(params.sentinel_password ? { sentinelPassword: params.sentinel_password } : {}),
    ...(tls ? { tls, sentinelTLS: tls, enableTLSForSentinelMode: true } : {}),
    // What was the server may be a replica by now.
    reconnectOnError: (error) => error.message.includes('READONLY'),
  };
}

function tlsOptions({ ca_file, cert_file, key_file }: RedisUrl['params']): NonNullable<RedisOptions['tls']> {
  const read = (path: string): Buffer => {
    try {
      return readFileSync(path);
    } catch (error) {
      throw new AppError(
        'invalid_config',
        `REDIS_URL names ${path}, which cannot be read: ${(error as Error).message}`,
      );
    }
  };
  return {
    ...(ca_file ? { ca: read(ca_file) } : {}),
    ...(cert_file ? { cert: read(cert_file) } : {}),
    ...(key_file ? { key: read(key_file) } : {}),
  };
}

/** Fails at once while disconnected, and reconnects within two seconds after Redis is back. */
export const connectionOptions = (patienceMs: number): RedisOptions => ({
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  connectTimeout: patienceMs,
  // A connection without answers is replaced.
  socketTimeout: 4 * patienceMs,
  // Closing would wait for such a connection.
  disconnectTimeout: 1_000,
  retryStrategy: retryAfter,
  sentinelRetryStrategy: retryAfter,
  sentinelCommandTimeout: patienceMs,
});

const retryAfter = (times: number): number => Math.min(50 * 2 ** Math.min(times, 5), 1_000) + Math.random() * 500;

/** Commands on a connection that is not ready would fail; waits for it, but no longer than the connect timeout. */
export function firstReady(redis: Redis, patienceMs = PATIENCE_MS): Promise<Redis> {
  if (redis.status === 'ready') return Promise.resolve(redis);
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      redis.off('ready', done);
      resolve(redis);
    };
    const timer = setTimeout(done, patienceMs);
    redis.once('ready', done);
  });
}

/** At most one line a second, however fast a broken connection fails. */
export function oncePerSecond(log: (error: Error) => void): (error: Error) => void {
  let last = 0;
  return (error) => {
    if (Date.now() - last < 1_000) return;
    last = Date.now();
    log(error);
  };
}
