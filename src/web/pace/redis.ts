// Pace shared by every worker through Redis. Each reservation and release is one script, hence atomic; a process whose reservation
// found every place taken stands in line in Redis, at each exit that would do, and is woken by the release that frees one. A place has a short lease that its
// process renews, so that those of a process that died are free again soon.
// What a reader would get wrong: Redis may be away, frozen or cut off, and may do late what was asked of it. So a call is made again with the same token for a
// while, the script refuses what was sent long ago, and a release is sent until it arrives.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { AppError } from '../../model/errors.ts';
import { withOutages } from '../../model/task/outage.ts';
import { isWrongType, type MovedKey, setAside } from '../../model/task/wrong-type.ts';
import { turnsOf, UNUSED_EXIT } from './clock.ts';
import {
  BACKOFF,
  comeBackLater,
  EXIT_UNUSED_MS,
  type PaceOrder,
  type PaceReader,
  type PaceSlot,
  type PaceStore,
  THROTTLE,
} from './pace.ts';
import { createRedisClock, untilAnswered } from './redis-calls.ts';

interface RedisPaceReaderOptions {
  redis: Redis;
  /** Before every key; `windrow` unless given. */
  prefix?: string;
}

export interface RedisPaceOptions extends RedisPaceReaderOptions {
  /** The connection was made for this alone and ends with it. */
  closesRedis?: boolean;
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

/** A place whose process does not renew it for so long is free again. */
const PLACE_LEASE_MS = 20_000;
const KEEP_EVERY_MS = 5_000;
/** How long an attempt keeps its slot while Redis does not answer. After that it goes back to the queue. */
const OUTAGE_WAIT_MS = 15_000;
/** What a page told about its host is worth as much later. */
const RELEASE_WAIT_MS = 180_000;
const REFUSED = 0;
const TAKEN = 2;
const LATE = 3;
/** What Redis does later than this after it was sent is not wanted any more. */
const LATE_MS = 6_000;
const NOTHING_LEARNED = { kind: 'failed', latencyMs: 0 } as const;
/** A call that is not answered for so long says that Redis is away. */
const AWAY_AFTER_MS = 1_000;
/** A subscriber sends nothing by itself, and would not notice that its connection is dead. */
const ASK_EVERY_MS = 2_000;

export async function createRedisPace(options: RedisPaceOptions): Promise<PaceStore> {
  const { redis } = options;
  const prefix = options.prefix ?? 'windrow';
  const random = options.random ?? Math.random;
  const onError = options.onError ?? (() => {});
  const processId = randomUUID();
  const channel = `${prefix}:pace:wake:`;
  const reserveScript = script(redis, 'pace-reserve.lua');
  const releaseScript = script(redis, 'pace-release.lua');
  const keepScript = script(redis, 'pace-keep.lua');
  const clock = createRedisClock();
  const closing = new AbortController();
  /** Places in use, by token, with the key they are under. */
  const held = new Map<string, string>();
  const lines = new Map<string, Line>();
  /** Reservations on their way, by host, and the exits of hosts whose wake came before their answer. */
  const asking = new Map<string, number>();
  const missedWakes = new Map<string, Set<string>>();
  /** When each call was made that has no answer yet, the oldest first. */
  const unanswered = new Map<symbol, number>();
  let tokens = 0;

  const keys = (host: string, exit: string) => PARTS.map(([part]) => `${hostKey(prefix, host)}:${exit}:${part}`);
  const subscriber = redis.duplicate();
  subscriber.on('error', onError);
  subscriber.on('message', (_, message: string) => {
    const [host = '', exit = ''] = message.split(' ');
    if (asking.has(host)) missedWakes.set(host, (missedWakes.get(host) ?? new Set()).add(exit));
    else if (!isWanted(host, exit)) passOn(host, exit);
    void serve(host);
  });
  // A wake published while the subscription was down is lost: look again after every reconnect.
  subscriber.on('ready', async () => {
    await listen();
    for (const host of lines.keys()) void serve(host);
  });
  // While Redis is away a process starts all the same, and listens when it is back.
  const listen = (): Promise<unknown> => subscriber.subscribe(channel + processId).catch(onError);
  await listen();

  const ask = async (
    order: PaceOrder,
    token: string,
    queued: number,
    how: 'take' | 'private' | 'renew' = order.isPrivate === true ? 'private' : 'take',
  ): Promise<{ state: number; ms: number; slot: PaceSlot }> => {
    const { host, exits, signal } = order;
    const argv = [order.concurrency, order.gapMs, order.maxWaitMs, token, PLACE_LEASE_MS, processId, queued];
    const names = [`${hostKey(prefix, host)}:exits`, ...exits.flatMap((exit) => keys(host, exit))];
    const once = async (isAgain: boolean) => {
      const sent = [clock.now(), LATE_MS, isAgain ? 1 : 0];
      const answer = await reserveScript(names, [
        ...argv,
        THROTTLE.floorMs,
        THROTTLE.slowFactor,
        how,
        ...sent,
        ...exits,
      ]).catch((error: unknown) => repaired(host, exits, error));
      const [state, ms, startAt, index, now] = answer as [number, number, number, number, number];
      clock.set(now);
      // Asked in time, so one of the clocks has jumped: it is known again by now.
      if (state === LATE) throw new Error('its clock has changed');
      return { state, ms, slot: { token, exit: exits[index] ?? '', waitMs: ms, startAt } };
    };
    const call = Symbol(token);
    unanswered.set(call, performance.now());
    try {
      const answer = await untilAnswered(once, { signal, limitMs: OUTAGE_WAIT_MS });
      if (answer.state !== REFUSED && answer.state !== TAKEN) held.set(token, keys(host, answer.slot.exit)[1]!);
      return answer;
    } catch (error) {
      // It may have been given a place nevertheless.
      for (const exit of exits) release(host, { token, exit, waitMs: 0, startAt: 0 }, NOTHING_LEARNED);
      throw error;
    } finally {
      unanswered.delete(call);
    }
  };

  const isWanted = (host: string, exit: string): boolean =>
    [...(lines.get(host)?.waiters ?? [])].some(({ order }) => order.exits.includes(exit));

  /** A wake for an exit that nobody here waits for any more belongs to the next process in its line. */
  const passOn = (host: string, exit: string): void => {
    const line = keys(host, exit)[2]!;
    redis
      .zpopmin(line)
      .then(([next]) => (next === undefined ? 0 : redis.publish(channel + next, `${host} ${exit}`)))
      .catch(onError);
  };

  /** Fails as before, and is asked again. */
  const repaired = async (host: string, exits: readonly string[], error: unknown): Promise<never> => {
    if (isWrongType(error))
      for (const moved of await repairHost(redis, prefix, host, exits)) onError(movedError(moved));
    throw error;
  };

  const nextToken = () => {
    tokens += 1;
    return `${processId}:${tokens}`;
  };

  /** Tries again when the oldest slot may belong to a crashed process; one timer per host. */
  function watchLease(host: string, line: Line, leaseMs: number): void {
    clearTimeout(line.leaseTimer);
    line.leaseTimer = setTimeout(() => void serve(host), Math.min(leaseMs, PLACE_LEASE_MS));
  }

  /** A line in which nobody stands any more is forgotten, and its timer with it. */
  function dropIfEmpty(host: string, line: Line): void {
    if (line.waiters.size > 0 || line.isServing) return;
    clearTimeout(line.leaseTimer);
    if (lines.get(host) === line) lines.delete(host);
  }

  async function serveOnce(host: string, line: Line): Promise<void> {
    const full = new Set<string>();
    for (const waiter of line.waiters) {
      const { exits } = waiter.order;
      if (exits.every((exit) => full.has(exit))) continue;
      const asked = await ask(waiter.order, nextToken(), 0).catch((error: unknown) => {
        // Who has left says nothing about the others.
        if (!waiter.order.signal.aborted) throw error;
      });
      if (!asked) continue;
      const { state, ms, slot } = asked;
      if (state === TAKEN) {
        watchLease(host, line, ms);
        for (const exit of exits) full.add(exit);
      } else waiter.answer(state === REFUSED ? comeBackLater(host, ms) : slot);
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
        if (isSettled && !(result instanceof Error)) release(order.host, result, NOTHING_LEARNED);
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
      // Cancelled while the script was on its way.
      if (order.signal.aborted) return onAbort();
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
    held.delete(place.token);
    const send = () => releaseScript(keys(host, place.exit), [...facts, `${host} ${place.exit}`, channel, ...numbers]);
    untilAnswered(send, { signal: closing.signal, limitMs: RELEASE_WAIT_MS }).catch((error: Error) => {
      if (!closing.signal.aborted) onError(error);
    });
  };

  const listening = setInterval(() => subscriber.status === 'ready' && subscriber.ping().catch(onError), ASK_EVERY_MS);
  const keeping = setInterval(() => {
    if (held.size > 0) keepScript([...held.values()], [PLACE_LEASE_MS, ...held.keys()]).catch(onError);
  }, KEEP_EVERY_MS);
  for (const timer of [listening, keeping]) timer.unref();

  return withOutages<PaceStore>('Redis', {
    async reserve(order) {
      const queued = lines.get(order.host)?.waiters.size ?? 0;
      asking.set(order.host, (asking.get(order.host) ?? 0) + 1);
      try {
        const { state, ms, slot } = await ask(order, nextToken(), queued);
        if (state === REFUSED) throw comeBackLater(order.host, ms);
        // Not awaited here: standing in line is no longer asking.
        return state === TAKEN ? standInLine(order, ms) : slot;
      } finally {
        const left = (asking.get(order.host) ?? 1) - 1;
        if (left > 0) asking.set(order.host, left);
        else {
          asking.delete(order.host);
          for (const exit of missedWakes.get(order.host) ?? [])
            if (!isWanted(order.host, exit)) passOn(order.host, exit);
          missedWakes.delete(order.host);
        }
      }
    },
    async renew(order, place) {
      const { ms, slot } = await ask({ ...order, exits: [place.exit] }, place.token, 0, 'renew');
      return ms === 0 ? { ...place, waitMs: 0 } : slot;
    },
    release,
    isAway() {
      const [oldest] = unanswered.values();
      return redis.status !== 'ready' || (oldest !== undefined && performance.now() - oldest > AWAY_AFTER_MS);
    },
    ...createRedisPaceReader(options),
    async close() {
      for (const timer of [listening, keeping]) clearInterval(timer);
      closing.abort();
      for (const line of lines.values()) {
        clearTimeout(line.leaseTimer);
        for (const waiter of line.waiters) waiter.answer(new AppError('cancelled'));
      }
      lines.clear();
      subscriber.disconnect();
      if (options.closesRedis) redis.disconnect();
    },
  });
}

/** What is kept of an exit of a host. */
const PARTS = [
  ['clock', 'hash'],
  ['places', 'zset'],
  ['line', 'zset'],
] as const;

/** What a host has that is no clock, place or line is set aside, and its pace begins anew. */
async function repairHost(redis: Redis, prefix: string, host: string, exits: readonly string[]): Promise<MovedKey[]> {
  const base = hostKey(prefix, host);
  const first = await setAside(redis, [[`${base}:exits`, 'zset']]);
  const known = new Set([...exits, ...(await redis.zrange(`${base}:exits`, '0', '-1'))]);
  const parts = [...known].flatMap((exit) => PARTS.map(([part, type]) => [`${base}:${exit}:${part}`, type] as const));
  return [...first, ...(await setAside(redis, parts))];
}

const movedError = ({ key, to, expected }: MovedKey): Error =>
  new Error(`${key} was no ${expected}: it was renamed to ${to}, and the pace of its host begins anew`);

const hostKey = (prefix: string, host: string) => `${prefix}:pace:{${host}}`;

/** For those who only ask when turns are due. */
export function createRedisPaceReader({ redis, prefix = 'windrow' }: RedisPaceReaderOptions): PaceReader {
  const read = script(redis, 'pace-turns.lua');
  return withOutages<PaceReader>('Redis', {
    async turns(queries, withinMs) {
      if (queries.length === 0) return [];
      const keys = queries.map(({ host }) => `${hostKey(prefix, host)}:exits`);
      const [time, ...answers] = (await read(keys, [EXIT_UNUSED_MS]).catch(async (error: unknown) => {
        if (isWrongType(error)) for (const { host } of queries) await repairHost(redis, prefix, host, []);
        throw error;
      })) as string[][];
      return answers.map((answer, index) => {
        const numbers = answer.map(Number);
        const exits = Array.from({ length: numbers.length / 5 }, (_, exit) => {
          const [nextAt = 0, backoffUntil = 0, latencyMs = 0, gapMs = 0, inFlight = 0] = numbers.slice(5 * exit);
          return { nextAt, backoffUntil, latencyMs, gapMs, inFlight };
        });
        return turnsOf(exits.length === 0 ? [UNUSED_EXIT] : exits, queries[index]!.pace, Number(time?.[0]), withinMs);
      });
    },
  });
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
