// Where every running cart stands, in memory: read from the store at most twice a second whatever the number of pollers, and less often when that takes long. While it is read again the last
// one is shown. A cart that is not on it has ended, never was, or was accepted a moment ago; only the store knows which.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ahead, type Estimate, estimateWait, type Pace, paceOf } from '../../model/run/waiting.ts';
import { cached } from '../../observe/cached.ts';
import type { Cart, CartAhead } from '../../store/products/carts.ts';
import type { CartStore } from '../../store/products/product-store.ts';
import type { LaneDepth } from '../../store/queue/queue.ts';
import type { QueueStore } from '../../store/queue/queue-store.ts';
import { BURST_BATCH_SIZE } from '../../store/submissions/submit.ts';
import type { Needs } from '../deps.ts';
import { createCartReadings } from './readings.ts';

export type CartBoardDeps = Needs<
  CartStore & Pick<QueueStore, 'queueDepths'>,
  'metrics' | 'workers' | 'resultTtlSeconds' | 'cartSearchesPerSecond'
>;

export interface Place {
  ahead: Ahead;
  estimate: Estimate;
}

export interface Standing extends Place {
  cart: CartAhead;
}

export interface CartBoard {
  /** Null when the cart is not on the board. */
  standing(id: string): Promise<Standing | null>;
  /** How much of a cart is done, for comparing; null when it is not on the board. */
  mark(id: string): Promise<string | null>;
  /** When looking again may show something new: one timer for all who wait. */
  nextLook(): Promise<void>;
  /** What a cart accepted now has ahead of it. */
  behindAll(own: number): Promise<Place>;
  /** Read when it has changed, or when its last reading is a second old and it has ended. */
  read(id: string): Promise<Cart | null>;
  /** Where a cart stands that was accepted now, and for which `made` searches are made. What it is told is a promise, to be held against what came of it. */
  join(id: string, made: number): Place | Promise<Place>;
  /** What a cart was told when it joined here, while it is not on the board. */
  told(id: string): Place | null;
  /** Where one stands that is accepted but not written out yet: thousands who ask would have the store write it out before anything else. */
  arriving(id: string): Promise<Place | null>;
}

interface Snapshot {
  places: Map<string, { cart: CartAhead; ahead: Ahead }>;
  /** Accepted and not written out yet, by their place among themselves. */
  arriving: Map<string, number>;
  all: Ahead & { searches: number };
  pace: Pace;
  /** What was accepted later is not in it. */
  beganMs: number;
}

/** Carts, and the searches that were made for them. */
interface Joined {
  carts: number;
  searches: number;
}

const SNAPSHOT_MS = 500;
/** A look older than this is not shown any more; then callers wait for the next one, or hear that the store is away. */
const STALE_MS = 5_000;
const LIMIT_MS = 5_000;
const PROMISES_MAX = 50_000;
const LOOK_AGAIN_MS = 2_000;
const ERRORS_KEPT = 500;
/** By then a cart is written out. */
const ARRIVAL_MS = 60_000;

export const markOf = (cart: Pick<CartAhead, 'completed' | 'failed'>): string => `${cart.completed}.${cart.failed}`;

export function createCartBoard(deps: CartBoardDeps): CartBoard {
  const { store, metrics } = deps;
  const readingOf = createCartReadings(deps);
  const promises = new Map<string, { atMs: number; place: Place }>();
  /** Carts that joined and no look has counted, with what had joined before each: a crowd comes faster than looks, and each has the others ahead. */
  const since = new Map<string, Joined>();
  let joined: Joined = { carts: 0, searches: 0 };
  /** What had joined before the first of those. */
  let counted: Joined = joined;
  const errors: number[] = [];
  let latest: { snapshot: Snapshot; atMs: number } | undefined;
  let looking: Promise<void> | undefined;

  const ask = cached({
    keepMs: SNAPSHOT_MS,
    // With tens of thousands under way a look is work for both sides.
    share: 0.2,
    limitMs: LIMIT_MS,
    what: 'The store',
    async ask(): Promise<Snapshot> {
      const before = since.size;
      const beganMs = performance.now();
      // The queue is counted in the same moment: held against an older count, a crowd that has just come seems to wait for nothing.
      const [{ carts: running, arriving }, measured, depths, workers] = await Promise.all([
        store.runningCarts(),
        store.cartSpeed(),
        store.queueDepths(),
        // Without the wire the estimate has to do without the slots.
        deps.workers().catch(() => []),
      ]);
      const places: Snapshot['places'] = new Map();
      let items = 0;
      for (const [index, cart] of running.entries()) {
        places.set(cart.id, { cart, ahead: { carts: index, items } });
        items += leftOf(cart);
      }
      const arrivingPlaces = new Map(arriving.ids.map((id, index) => [id, index]));
      await judgePromises((id) => places.has(id) || arrivingPlaces.has(id));
      const known = [...errors, ...overdue(places)];
      const slots = workers.reduce((sum, worker) => sum + worker.slots, 0);
      const mostPerSecond = deps.cartSearchesPerSecond;
      const pace = paceOf({ ...measured, liveTasks: tasksOf(depths), allItems: items, slots, mostPerSecond }, known);
      const all = { carts: running.length + arriving.ids.length, items, searches: arriving.searches };
      const snapshot: Snapshot = { places, arriving: arrivingPlaces, all, pace, beganMs };
      latest = { snapshot, atMs: performance.now() };
      dropCounted(before, snapshot);
      return snapshot;
    },
  });

  /**
   * Those that a look has counted: all that joined before it, and of those that joined while it was under way the ones it found. Answers to a crowd come
   * together, so most of it joins after the look that its first began, and is in it.
   */
  function dropCounted(before: number, { places, arriving }: Snapshot): void {
    let place = 0;
    for (const id of since.keys()) if (place++ < before || places.has(id) || arriving.has(id)) since.delete(id);
    const [first] = since.values();
    counted = first ?? joined;
  }

  /** Not a promise where there is a look to show: a crowd would wait for thousands of them. */
  function look(): Snapshot | Promise<Snapshot> {
    const asked = ask();
    if (!latest || performance.now() - latest.atMs > STALE_MS) return asked;
    // Should it fail, the last look goes stale and the failure is everyone's.
    asked.catch(() => {});
    return latest.snapshot;
  }

  function nextLook(): Promise<void> {
    looking ??= sleep(SNAPSHOT_MS).then(() => {
      looking = undefined;
    });
    return looking;
  }

  /** A cart that has left the board has ended: how far off was the estimate? The store knows when it ended; who looks at the board may come much later. */
  async function judgePromises(isUnderWay: (id: string) => boolean): Promise<void> {
    const now = performance.now();
    const left = [...promises].filter(([id, { atMs }]) => !isUnderWay(id) && now - atMs >= SNAPSHOT_MS * 2);
    if (left.length === 0) return;
    const waits = await store.cartWaits(left.map(([id]) => id));
    for (const [id, { atMs, place }] of left) {
      const waited = waits.get(id);
      // Still arriving, or cancelled.
      if (waited === undefined && now - atMs < ARRIVAL_MS) continue;
      promises.delete(id);
      if (waited === undefined) continue;
      const ratio = waited / place.estimate.seconds;
      metrics.cartWaitRatio.observe(ratio);
      errors.push(ratio);
      if (errors.length > ERRORS_KEPT) errors.shift();
    }
  }

  /** Carts that wait longer than they were told are further off than this already. Without them only the quick ones of a crowd would count at first. */
  function overdue(places: Map<string, unknown>): number[] {
    const now = performance.now();
    const ratios: number[] = [];
    for (const [id, { atMs, place }] of promises) {
      const ratio = (now - atMs) / 1_000 / place.estimate.seconds;
      if (ratio > 1 && places.has(id) && ratios.push(ratio) >= ERRORS_KEPT) break;
    }
    return ratios;
  }

  function promised(id: string, made: number, before: Joined): Place {
    const { places, all, pace } = latest!.snapshot;
    // One that the look has counted as arriving is among the last of all: then this is less than all.
    const ahead = places.get(id)?.ahead ?? {
      carts: Math.max(0, all.carts + before.carts - counted.carts),
      items: all.items,
      searches: Math.max(0, all.searches + before.searches - counted.searches),
    };
    const place = { ahead, estimate: estimateWait({ ...ahead, searches: (ahead.searches ?? 0) + made }, 0, pace) };
    promises.set(id, { atMs: performance.now(), place });
    // The oldest have waited longest to be written out, and are by now.
    if (promises.size > PROMISES_MAX) promises.delete(promises.keys().next().value!);
    return place;
  }

  /** The others ahead of it are known by their number; how many searches that makes, by their share. */
  function placeAmongArriving(index: number, { places, arriving, all, pace }: Snapshot): Place {
    const searches = Math.ceil((all.searches * (index + 1)) / arriving.size);
    const ahead = { carts: places.size + index, items: all.items, searches };
    return { ahead, estimate: estimateWait(ahead, 0, pace) };
  }

  return {
    async standing(id) {
      const { places, pace } = await look();
      const place = places.get(id);
      return place ? { ...place, estimate: estimateWait(place.ahead, leftOf(place.cart), pace) } : null;
    },
    async mark(id) {
      const place = (await look()).places.get(id);
      return place ? markOf(place.cart) : null;
    },
    nextLook,
    async behindAll(own) {
      const { all, pace } = await look();
      return { ahead: all, estimate: estimateWait(all, own, pace) };
    },
    async read(id) {
      const place = (await look()).places.get(id);
      return readingOf(id, place ? markOf(place.cart) : null);
    },
    join(id, made) {
      const before = since.get(id) ?? joined;
      if (before === joined) joined = { carts: joined.carts + 1, searches: joined.searches + made };
      since.set(id, before);
      const looked = look();
      return looked instanceof Promise ? looked.then(() => promised(id, made, before)) : promised(id, made, before);
    },
    told: (id) => promises.get(id)?.place ?? null,
    async arriving(id) {
      const askedMs = performance.now();
      for (;;) {
        const snapshot = await look();
        const index = snapshot.arriving.get(id);
        const promise = promises.get(id);
        if (index !== undefined) return promise?.place ?? placeAmongArriving(index, snapshot);
        // A crowd that joined since the look is a sign that carts are arriving, though the look saw none.
        if (snapshot.arriving.size === 0 && since.size < BURST_BATCH_SIZE) return null;
        if (promise) return promise.atMs > snapshot.beganMs ? promise.place : null;
        // It may have come in by another process since the last look. The next one tells, for all who ask.
        if (snapshot.beganMs >= askedMs || performance.now() - askedMs > LOOK_AGAIN_MS) return null;
        await nextLook();
      }
    },
  };
}

/** Those that a shop's pace or a pause holds back are ahead like all others. */
const tasksOf = (depths: LaneDepth[]): number =>
  depths.reduce((sum, { waiting, active, delayed, paused }) => sum + waiting + active + delayed + paused, 0);

const leftOf = (cart: CartAhead): number => cart.total - cart.completed - cart.failed;
