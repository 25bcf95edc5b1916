// Pace shared by every worker through Redis. Each reservation and release is one script, hence atomic; a process whose reservation
// found every place taken stands in line in Redis and is woken by the release that frees one. The only timer is the lease of the oldest
// place, for the case that the process holding it has died.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { AppError } from '../../model/errors.ts';
import {
  BACKOFF,
  comeBackLater,
  type PaceOrder,
  type PaceSlot,
  type PaceStore,
  SLOT_LEASE_MS,
  THROTTLE,
} from './pace.ts';

export interface RedisPaceOptions {
  redis: Redis;
  /** The connection was made for this alone and ends with it. */
  closesRedis?: boolean;
  /** Before every key; `windrow` unless given. */
  prefix?: string;
  /** Called when a release could not be sent; its lease runs out, but it should be logged. */
  onError?: (error: Error) => void;
  random?: () => number;
}

interface Waiter {
  order: PaceOrder;
  answer(result: PaceSlot | Error): void;
}

interface Line {
  waiters: Set<Waiter>;
  isServing: boolean;
  /** A wake came while the line was being served; what it freed may have been missed. */
  isWoken: boolean;
  leaseTimer: NodeJS.Timeout | undefined;
}

const COMMAND_TIMEOUT_MS = 5_000;
const TAKEN = 2;
const REFUSED = 0;

export async function createRedisPace(options: RedisPaceOptions): Promise<PaceStore> {
  const { redis } = options;
  const prefix = options.prefix ?? 'windrow';
  const random = options.random ?? Math.random;
  const onError = options.onError ?? (() => {});
  const processId = randomUUID();
  const channel = `${prefix}:pace:wake:`;
  const reserveScript = script(redis, 'pace-reserve.lua');
  const releaseScript = script(redis, 'pace-release.lua');
  const lines = new Map<string, Line>();
  /** Reservations on their way, by host, and the hosts whose wake came before their answer. */
  const asking = new Map<string, number>();
  const missedWakes = new Set<string>();
  let tokens = 0;

  const keys = (host: string) => ['clock', 'places', 'line'].map((part) => `${prefix}:pace:{${host}}:${part}`);
  const subscriber = redis.duplicate();
  subscriber.on('error', onError);
  subscriber.on('message', (_, host: string) => {
    if (asking.has(host)) missedWakes.add(host);
    void serve(host);
  });
  // A wake published while the subscription was down is lost: look again after every reconnect.
  subscriber.on('ready', () => {
    for (const host of lines.keys()) void serve(host);
  });
  await subscriber.subscribe(channel + processId);

  const ask = async (
    order: PaceOrder,
    token: string,
    queued: number,
    how: 'take' | 'renew',
  ): Promise<[number, number, number]> => {
    const argv = [order.concurrency, order.gapMs, order.maxWaitMs, token, SLOT_LEASE_MS, processId, queued];
    return (await within(
      reserveScript(keys(order.host), [...argv, THROTTLE.floorMs, THROTTLE.slowFactor, how]),
      COMMAND_TIMEOUT_MS,
    )) as [number, number, number];
  };

  const nextToken = () => {
    tokens += 1;
    return `${processId}:${tokens}`;
  };

  /** Tries again when the oldest slot may belong to a crashed process; one timer per host. */
  function watchLease(host: string, line: Line, leaseMs: number): void {
    clearTimeout(line.leaseTimer);
    line.leaseTimer = setTimeout(() => void serve(host), Math.min(leaseMs, SLOT_LEASE_MS));
  }

  /** A line in which nobody stands any more is forgotten, and its timer with it. */
  function dropIfEmpty(host: string, line: Line): void {
    if (line.waiters.size > 0 || line.isServing) return;
    clearTimeout(line.leaseTimer);
    if (lines.get(host) === line) lines.delete(host);
  }

  async function serveOnce(host: string, line: Line): Promise<void> {
    for (const waiter of line.waiters) {
      const token = nextToken();
      const [state, ms, startAt] = await ask(waiter.order, token, 0, 'take');
      if (state === TAKEN) {
        watchLease(host, line, ms);
        return;
      }
      waiter.answer(state === REFUSED ? comeBackLater(host, ms) : { token, waitMs: ms, startAt });
    }
  }

  /** Asks for the waiters of a host in their order until there is no place left; one at a time, or the order would be lost. */
  async function serve(host: string): Promise<void> {
    const line = lines.get(host);
    if (line === undefined) return;
    line.isWoken = true;
    if (line.isServing) return;
    line.isServing = true;
    try {
      while (line.isWoken) {
        line.isWoken = false;
        await serveOnce(host, line);
      }
    } catch (error) {
      for (const waiter of line.waiters) waiter.answer(error as Error);
    } finally {
      line.isServing = false;
      dropIfEmpty(host, line);
    }
  }

  const standInLine = (order: PaceOrder, leaseMs: number): Promise<PaceSlot> =>
    new Promise((resolve, reject) => {
      const line: Line = lines.get(order.host) ?? {
        waiters: new Set(),
        isServing: false,
        isWoken: false,
        leaseTimer: undefined,
      };
      lines.set(order.host, line);
      let isSettled = false;
      const answer = (result: PaceSlot | Error) => {
        // Left between the script and its answer: the place must not stay taken for a whole lease.
        if (isSettled && !(result instanceof Error)) release(order.host, result, { kind: 'failed', latencyMs: 0 });
        if (isSettled) return;
        isSettled = true;
        line.waiters.delete(waiter);
        dropIfEmpty(order.host, line);
        clearTimeout(timer);
        order.signal.removeEventListener('abort', onAbort);
        if (result instanceof Error) reject(result);
        else resolve(result);
      };
      const waiter: Waiter = { order, answer };
      const onAbort = () => answer(new AppError('cancelled'));
      const timer = setTimeout(() => answer(comeBackLater(order.host, order.maxWaitMs)), order.maxWaitMs);
      order.signal.addEventListener('abort', onAbort, { once: true });
      line.waiters.add(waiter);
      // The wake may have overtaken the answer that put us in line, on the other connection.
      if (missedWakes.delete(order.host)) void serve(order.host);
      else watchLease(order.host, line, leaseMs);
    });

  const release: PaceStore['release'] = (host, place, outcome) => {
    const facts = [
      place.token,
      place.startAt,
      outcome.kind,
      Math.round(outcome.latencyMs),
      outcome.retryAfterMs ?? 0,
      random(),
    ];
    const numbers = [BACKOFF.firstMs, BACKOFF.maxMs, BACKOFF.jitter, THROTTLE.smoothing, THROTTLE.driftPerAnswer];
    releaseScript(keys(host), [...facts, host, channel, ...numbers]).catch(onError);
  };

  return {
    async reserve(order) {
      const queued = lines.get(order.host)?.waiters.size ?? 0;
      const token = nextToken();
      asking.set(order.host, (asking.get(order.host) ?? 0) + 1);
      try {
        const [state, ms, startAt] = await ask(order, token, queued, 'take');
        if (state === REFUSED) throw comeBackLater(order.host, ms);
        // Not awaited here: standing in line is no longer asking.
        return state === TAKEN ? standInLine(order, ms) : { token, waitMs: ms, startAt };
      } finally {
        const left = (asking.get(order.host) ?? 1) - 1;
        if (left > 0) asking.set(order.host, left);
        else {
          asking.delete(order.host);
          missedWakes.delete(order.host);
        }
      }
    },
    async renew(order, place) {
      const [, ms, startAt] = await ask(order, place.token, 0, 'renew');
      return ms === 0 ? { ...place, waitMs: 0 } : { token: place.token, waitMs: ms, startAt };
    },
    release,
    async close() {
      for (const line of lines.values()) {
        clearTimeout(line.leaseTimer);
        for (const waiter of line.waiters) waiter.answer(new AppError('cancelled'));
      }
      lines.clear();
      subscriber.disconnect();
      if (options.closesRedis) redis.disconnect();
    },
  };
}

type Script = (keys: string[], argv: (string | number)[]) => Promise<unknown>;

/** EVALSHA, and EVAL when the server does not know the script yet (first call, restart, SCRIPT FLUSH). */
function script(redis: Redis, file: string): Script {
  const body = readFileSync(new URL(`./${file}`, import.meta.url), 'utf8');
  let sha: Promise<string> | null = null;
  return async (keys, argv) => {
    sha ??= redis.script('LOAD', body) as Promise<string>;
    try {
      return await redis.evalsha(await sha, keys.length, ...keys, ...argv);
    } catch (error) {
      sha = null;
      if (!(error instanceof Error) || !error.message.includes('NOSCRIPT')) throw error;
      return redis.eval(body, keys.length, ...keys, ...argv);
    }
  };
}

async function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AppError('unavailable', 'the shared rate limit cannot be read: Redis does not answer')),
      limitMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
