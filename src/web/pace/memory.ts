// Pace within one process. Waiting for a place is a queue per host, woken by the release before it: nothing polls.
import { AppError } from '../../model/errors.ts';
import { book, earliestStart, type HostClock, newClock, promise, record } from './clock.ts';
import { comeBackLater, type PaceOrder, type PaceSlot, type PaceStore, SLOT_LEASE_MS } from './pace.ts';

interface Waiter {
  order: PaceOrder;
  resolve(place: PaceSlot): void;
  reject(error: Error): void;
}

interface Host {
  clock: HostClock;
  /** Tokens and when each is given up for lost. */
  inFlight: Map<string, number>;
  waiting: Set<Waiter>;
}

/** Hosts remembered; past it those with nothing going on and both clocks in the past are forgotten. */
const MAX_HOSTS = 10_000;

export interface MemoryPaceOptions {
  now?: () => number;
  random?: () => number;
}

export function createMemoryPace(options: MemoryPaceOptions = {}): PaceStore {
  const now = options.now ?? (() => performance.now());
  const random = options.random ?? Math.random;
  const hosts = new Map<string, Host>();
  let tokens = 0;

  const hostOf = (name: string): Host => {
    const known = hosts.get(name);
    if (known !== undefined) return known;
    if (hosts.size >= MAX_HOSTS) forgetIdle(hosts, now());
    const host: Host = { clock: newClock(), inFlight: new Map(), waiting: new Set() };
    hosts.set(name, host);
    return host;
  };

  /** A place if one is free; null when all are taken; throws when the clocks say it would take too long. */
  const take = (host: Host, order: PaceOrder): PaceSlot | null => {
    const at = now();
    if (host.inFlight.size >= order.concurrency && !dropLost(host, at)) return null;
    const start = earliestStart(host.clock, at);
    if (start - at > order.maxWaitMs) throw comeBackLater(order.host, promise(host.clock, at, start, order.gapMs));
    book(host.clock, start, order.gapMs, order.concurrency);
    tokens += 1;
    const token = String(tokens);
    host.inFlight.set(token, start + SLOT_LEASE_MS);
    return { token, waitMs: start - at, startAt: start };
  };

  const queue = (host: Host, order: PaceOrder): Promise<PaceSlot> => {
    const at = now();
    const expectedMs = (host.clock.latencyMs * (host.waiting.size + 1)) / order.concurrency;
    if (expectedMs > order.maxWaitMs) {
      return Promise.reject(comeBackLater(order.host, promise(host.clock, at, at + expectedMs, order.gapMs)));
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        host.waiting.delete(waiter);
        clearTimeout(timer);
        order.signal.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        order,
        resolve: (place) => {
          leave();
          resolve(place);
        },
        reject: (error) => {
          leave();
          reject(error);
        },
      };
      const onAbort = () => waiter.reject(new AppError('cancelled'));
      const timer = setTimeout(() => {
        const at = now();
        waiter.reject(comeBackLater(order.host, promise(host.clock, at, earliestStart(host.clock, at), order.gapMs)));
      }, order.maxWaitMs);
      order.signal.addEventListener('abort', onAbort, { once: true });
      host.waiting.add(waiter);
    });
  };

  const wake = (host: Host): void => {
    for (const waiter of host.waiting) {
      try {
        const place = take(host, waiter.order);
        if (place === null) return;
        waiter.resolve(place);
      } catch (error) {
        waiter.reject(error as Error);
      }
    }
  };

  return {
    async reserve(order) {
      const host = hostOf(order.host);
      // Who came first goes first, even when a place is free at this very moment.
      return (host.waiting.size === 0 ? take(host, order) : null) ?? queue(host, order);
    },
    async renew(order, place) {
      const host = hostOf(order.host);
      const at = now();
      if (host.clock.backoffUntil <= at) return { ...place, waitMs: 0 };
      const start = earliestStart(host.clock, at);
      book(host.clock, start, order.gapMs, order.concurrency);
      host.inFlight.set(place.token, start + SLOT_LEASE_MS);
      return { token: place.token, waitMs: start - at, startAt: start };
    },
    release(name, place, outcome) {
      const host = hosts.get(name);
      if (host === undefined) return;
      host.inFlight.delete(place.token);
      record(host.clock, place.startAt, now(), outcome, random());
      if (host.waiting.size > 0) wake(host);
    },
    async close() {
      for (const host of hosts.values()) {
        for (const waiter of host.waiting) waiter.reject(new AppError('cancelled'));
      }
      hosts.clear();
    },
  };
}

function dropLost(host: Host, at: number): boolean {
  const before = host.inFlight.size;
  for (const [token, lostAt] of host.inFlight) if (lostAt <= at) host.inFlight.delete(token);
  return host.inFlight.size < before;
}

function forgetIdle(hosts: Map<string, Host>, at: number): void {
  for (const [name, { inFlight, waiting, clock }] of hosts) {
    if (inFlight.size === 0 && waiting.size === 0 && earliestStart(clock, at) === at) hosts.delete(name);
  }
}
