// Pace within one process. Waiting for a place is a queue per host, whatever the exits, woken by the release before it: nothing polls.
import { AppError } from '../../model/errors.ts';
import {
  book,
  type ExitClock,
  earliestStart,
  expectedStart,
  newClock,
  promise,
  record,
  turnsOf,
  UNUSED_EXIT,
} from './clock.ts';
import { comeBackLater, EXIT_UNUSED_MS, type PaceOrder, type PaceSlot, type PaceStore } from './pace.ts';

interface Waiter {
  order: PaceOrder;
  resolve(place: PaceSlot): void;
  reject(error: Error): void;
}

interface ExitState {
  clock: ExitClock;
  /** Tokens and when each is given up for lost. */
  inFlight: Map<string, number>;
  /** When it was last among the exits that any task may use. */
  offeredAt: number;
}

interface Host {
  exits: Map<string, ExitState>;
  waiting: Set<Waiter>;
}

/** A place is given up for lost after this: longer than any page may take. */
const SLOT_LEASE_MS = 180_000;
/** Hosts remembered; past it those with nothing going on and both clocks in the past are forgotten. */
const MAX_HOSTS = 10_000;
/** The same for the exits of a host: tasks may bring proxies of their own. */
const MAX_EXITS = 1_000;

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
    const host: Host = { exits: new Map(), waiting: new Set() };
    hosts.set(name, host);
    return host;
  };

  const exitOf = (host: Host, name: string): ExitState => {
    const known = host.exits.get(name);
    if (known !== undefined) return known;
    if (host.exits.size >= MAX_EXITS) forgetIdleExits(host, now());
    const exit: ExitState = { clock: newClock(), inFlight: new Map(), offeredAt: Number.NEGATIVE_INFINITY };
    host.exits.set(name, exit);
    return exit;
  };

  const refusal = (host: Host, order: PaceOrder, at: number, startOf: (exit: ExitState) => number): AppError => {
    const exits = order.exits.map((name) => exitOf(host, name));
    const [first] = exits.toSorted(
      (a, b) => Math.max(a.clock.promisedAt, startOf(a)) - Math.max(b.clock.promisedAt, startOf(b)),
    );
    return comeBackLater(order.host, promise(first!.clock, at, startOf(first!), order.gapMs));
  };

  const isFull = (exit: ExitState, order: PaceOrder, at: number): boolean =>
    exit.inFlight.size >= order.concurrency && !dropLost(exit, at);

  /** A place; null while one may come free at an exit whose places are taken; throws when the clocks say it would take too long. */
  const take = (host: Host, order: PaceOrder, isWanted: (exit: string) => boolean): PaceSlot | null => {
    const at = now();
    let best: { name: string; exit: ExitState; start: number } | null = null;
    let mayComeFree = false;
    for (const name of order.exits) {
      const exit = exitOf(host, name);
      if (order.isPrivate !== true) exit.offeredAt = at;
      const start = earliestStart(exit.clock, at);
      if (isWanted(name) || isFull(exit, order, at)) mayComeFree = true;
      else if (best === null || start < best.start) best = { name, exit, start };
    }
    if (best === null || best.start - at > order.maxWaitMs) {
      if (mayComeFree) return null;
      throw refusal(host, order, at, ({ clock }) => earliestStart(clock, at));
    }
    const { name, exit, start } = best;
    book(exit.clock, start, order.gapMs, order.concurrency);
    tokens += 1;
    const token = String(tokens);
    exit.inFlight.set(token, start + SLOT_LEASE_MS);
    return { token, exit: name, waitMs: start - at, startAt: start };
  };

  const queue = (host: Host, order: PaceOrder): Promise<PaceSlot> => {
    const at = now();
    const waiting = Math.ceil((host.waiting.size + 1) / order.exits.length);
    const startOf = ({ clock }: ExitState) => expectedStart(clock, at, waiting, order);
    if (order.exits.every((name) => startOf(exitOf(host, name)) - at > order.maxWaitMs)) {
      return Promise.reject(refusal(host, order, at, startOf));
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
        waiter.reject(refusal(host, order, at, ({ clock }) => earliestStart(clock, at)));
      }, order.maxWaitMs);
      order.signal.addEventListener('abort', onAbort, { once: true });
      host.waiting.add(waiter);
    });
  };

  const wake = (host: Host): void => {
    for (const waiter of host.waiting) {
      try {
        const place = take(host, waiter.order, () => false);
        if (place !== null) waiter.resolve(place);
      } catch (error) {
        waiter.reject(error as Error);
      }
    }
  };

  return {
    async reserve(order) {
      const host = hostOf(order.host);
      // Who came first goes first, even when a place is free at this very moment.
      const { waiting } = host;
      const wanted = waiting.size === 0 ? null : new Set([...waiting].flatMap((waiter) => waiter.order.exits));
      return take(host, order, (exit) => wanted?.has(exit) === true) ?? queue(host, order);
    },
    async renew(order, place) {
      const { clock, inFlight } = exitOf(hostOf(order.host), place.exit);
      const at = now();
      if (clock.backoffUntil <= at) return { ...place, waitMs: 0 };
      const start = earliestStart(clock, at);
      book(clock, start, order.gapMs, order.concurrency);
      inFlight.set(place.token, start + SLOT_LEASE_MS);
      return { ...place, waitMs: start - at, startAt: start };
    },
    release(name, place, outcome) {
      const host = hosts.get(name);
      const exit = host?.exits.get(place.exit);
      if (host === undefined || exit === undefined) return;
      exit.inFlight.delete(place.token);
      record(exit.clock, place.startAt, now(), outcome, random());
      if (host.waiting.size > 0) wake(host);
    },
    async turns(queries, withinMs) {
      const at = now();
      return queries.map(({ host: name, pace }) => {
        const exits = [...(hosts.get(name)?.exits.values() ?? [])];
        const latest = Math.max(...exits.map(({ offeredAt }) => offeredAt));
        const used = exits.filter(({ offeredAt }) => offeredAt > latest - EXIT_UNUSED_MS);
        for (const exit of used) dropLost(exit, at);
        const readings = used.map(({ clock, inFlight }) => ({ ...clock, inFlight: inFlight.size }));
        return turnsOf(readings.length === 0 ? [UNUSED_EXIT] : readings, pace, at, withinMs);
      });
    },
    isAway: () => false,
    async close() {
      for (const host of hosts.values()) {
        for (const waiter of host.waiting) waiter.reject(new AppError('cancelled'));
      }
      hosts.clear();
    },
  };
}

function dropLost({ inFlight }: ExitState, at: number): boolean {
  const before = inFlight.size;
  for (const [token, lostAt] of inFlight) if (lostAt <= at) inFlight.delete(token);
  return inFlight.size < before;
}

const isIdle = ({ inFlight, clock }: ExitState, at: number): boolean =>
  inFlight.size === 0 && earliestStart(clock, at) === at;

function forgetIdleExits(host: Host, at: number): void {
  for (const [name, exit] of host.exits) if (isIdle(exit, at)) host.exits.delete(name);
}

function forgetIdle(hosts: Map<string, Host>, at: number): void {
  for (const [name, host] of hosts) {
    if (host.waiting.size === 0 && [...host.exits.values()].every((exit) => isIdle(exit, at))) hosts.delete(name);
  }
}
