// Where carts stand. All that are under way are in memory: read from the store at most twice a second whatever the number of pollers, and less often when that
// takes long. While they are read again the last look is shown. A cart that is not in it has ended, never was, or was accepted a moment ago; only the store
// knows which.
import { setTimeout as sleep } from 'node:timers/promises';
import { maySee } from '../../model/key/key.ts';
import { type Ahead, type Estimate, estimateWait, type Pace, paceOf } from '../../model/run/waiting.ts';
import { type EngineState, isStandstill, type SiteTurn, type Waiting, whyWaits } from '../../model/run/why-waits.ts';
import { cached } from '../../observe/cached.ts';
import type { Cart, CartAhead, DelayedCart } from '../../store/products/carts.ts';
import type { CartStore } from '../../store/products/product-store.ts';
import type { LaneDepth } from '../../store/queue/queue.ts';
import type { QueueStore } from '../../store/queue/queue-store.ts';
import type { Needs } from '../deps.ts';
import { createCartReadings } from './readings.ts';

export type RunningCartsDeps = Needs<
  CartStore & Pick<QueueStore, 'queueDepths'>,
  'metrics' | 'resultTtlSeconds' | 'cartSearchesPerSecond' | 'cartSource' | 'cartHost' | 'sources' | 'waiting'
>;

/** How much is ahead of a cart, and how long that may take. */
export interface QueuePlace {
  ahead: Ahead;
  estimate: Estimate;
}

/** Where a cart is. */
export type CartState =
  /** Accepted, written out or not; nothing of it is done. */
  | { at: 'queued'; place: QueuePlace; waiting: Waiting | null }
  /** `waiting`: nothing more of it will be done until that ends. */
  | { at: 'processing'; place: QueuePlace; waiting: Waiting | null; cart: Cart }
  | { at: 'ended'; cart: Cart }
  /** There is no such cart, or it ended longer ago than carts are kept. */
  | { at: 'nowhere' };

export interface RunningCarts {
  /** One look, and at most one reading: of what has changed, or of what only the store knows. */
  stateOf(id: string, sees?: string | null): Promise<CartState>;
  /** When looking again may show something new: one timer for all who wait. */
  nextLook(): Promise<void>;
  /** Where a cart stands that was accepted now, and for which `made` searches are made. What it is told is a promise, to be held against what came of it. */
  join(cart: { id: string; owner: string | null }, made: number): QueuePlace | Promise<QueuePlace>;
  /** Why a cart at this place waits, as of the last look. */
  waitingAt(place: QueuePlace): Waiting | null;
}

/** What all carts wait for in common. */
interface Look {
  engine: EngineState;
  turns: ReadonlyMap<string, SiteTurn>;
}

interface Snapshot extends Look {
  places: Map<string, { cart: CartAhead; ahead: Ahead }>;
  /** Accepted and not written out yet, by their place among themselves. */
  spooled: Map<string, number>;
  all: Ahead & { searches: number };
  pace: Pace;
  delayed: Map<string, DelayedCart>;
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
const ERRORS_KEPT = 500;
/** By then a cart is written out. */
const SPOOLED_MS = 60_000;
/** Of a reading: nothing changes while a cart is spooled. */
const SPOOLED_MARK = 'spooled';

export const markOf = (cart: Pick<CartAhead, 'completed' | 'failed'>): string => `${cart.completed}.${cart.failed}`;

export function createRunningCarts(deps: RunningCartsDeps): RunningCarts {
  const { store, metrics } = deps;
  const readingOf = createCartReadings(deps);
  const source = deps.cartSource ?? 'the shop';
  const lane = deps.sources.find(({ name }) => name === deps.cartSource)?.lane ?? 'http';
  const host = deps.cartHost;
  const promises = new Map<string, { atMs: number; place: QueuePlace; isTold: boolean; owner: string | null }>();
  /** Carts that joined and no look has counted, with what had joined before each: a burst comes faster than looks, and each has the others ahead. */
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
      // The queue is counted in the same moment: held against an older count, a burst that has just come seems to wait for nothing.
      const [{ carts: running, spooled }, measured, depths, delayed, engine, turns] = await Promise.all([
        store.runningCarts(),
        store.cartSpeed(),
        store.queueDepths(),
        store.delayedCarts(),
        deps.waiting.engine(),
        deps.waiting.turnsOf([{ source, state: 'ready', host }]),
      ]);
      const places: Snapshot['places'] = new Map();
      let items = 0;
      for (const [index, cart] of running.entries()) {
        places.set(cart.id, { cart, ahead: { carts: index, items } });
        items += leftOf(cart);
      }
      const spooledPlaces = new Map(spooled.ids.map((id, index) => [id, index]));
      await judgePromises((id) => places.has(id) || spooledPlaces.has(id));
      const isStuck = isStandstill(waitingIn({ engine, turns }, 0));
      const known = [...errors, ...(isStuck ? [] : overdue(places))];
      // Without the wire the estimate has to do without the slots.
      const slots = (engine.workers ?? []).reduce((sum, worker) => sum + worker.slots, 0);
      const mostPerSecond = deps.cartSearchesPerSecond;
      const pace = paceOf({ ...measured, liveTasks: tasksOf(depths), allItems: items, slots, mostPerSecond }, known);
      const all = { carts: running.length + spooled.ids.length, items, searches: spooled.searches };
      const snapshot: Snapshot = { places, spooled: spooledPlaces, all, pace, engine, turns, delayed, beganMs };
      latest = { snapshot, atMs: performance.now() };
      dropCounted(before, snapshot);
      return snapshot;
    },
  });

  /** All carts are searched with one source, so one look at the engine says it for each; what of a cart waits for another try is its own. */
  function waitingIn({ engine, turns }: Look, ahead: number, retry?: DelayedCart): Waiting | null {
    const { dueAt, error } = retry ?? { dueAt: null, error: null };
    const state = retry ? 'delayed' : 'ready';
    return whyWaits([{ source, lane, state, dueAt, error, ahead, host, unit: 'cart' }], engine, turns);
  }

  /** Why the rest of a cart waits. */
  function waitingOf(snapshot: Snapshot, id: string, ahead: number, left: number): Waiting | null {
    const retry = snapshot.delayed.get(id);
    return waitingIn(snapshot, ahead, retry && retry.tasks >= left ? retry : undefined);
  }

  /**
   * Those that a look has counted: all that joined before it, and of those that joined while it was under way the ones it found. Answers to a burst come
   * together, so most of it joins after the look that its first began, and is in it.
   */
  function dropCounted(before: number, { places, spooled }: Snapshot): void {
    let place = 0;
    for (const id of since.keys()) if (place++ < before || places.has(id) || spooled.has(id)) since.delete(id);
    const [first] = since.values();
    counted = first ?? joined;
  }

  /** Not a promise where there is a look to show: a burst would wait for thousands of them. */
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
    for (const [id, { atMs, place, isTold }] of left) {
      const waited = waits.get(id);
      // Still spooled, or cancelled.
      if (waited === undefined && now - atMs < SPOOLED_MS) continue;
      promises.delete(id);
      if (waited === undefined) continue;
      // It was told a reason and no time.
      if (!isTold) continue;
      const ratio = waited / place.estimate.seconds;
      metrics.cartWaitRatio.observe(ratio);
      errors.push(ratio);
      if (errors.length > ERRORS_KEPT) errors.shift();
    }
  }

  /** Carts that wait longer than they were told are further off than this already. Without them only the quick ones of a burst would count at first. */
  function overdue(places: Map<string, unknown>): number[] {
    const now = performance.now();
    const ratios: number[] = [];
    for (const [id, { atMs, place }] of promises) {
      const ratio = (now - atMs) / 1_000 / place.estimate.seconds;
      if (ratio > 1 && places.has(id) && ratios.push(ratio) >= ERRORS_KEPT) break;
    }
    return ratios;
  }

  function promised({ id, owner }: { id: string; owner: string | null }, made: number, before: Joined): QueuePlace {
    const { places, spooled, all, pace } = latest!.snapshot;
    const index = spooled.get(id);
    const amongSpooled =
      index === undefined
        ? undefined
        : { carts: places.size + index, items: all.items, searches: Math.ceil((all.searches * index) / spooled.size) };
    const ahead = places.get(id)?.ahead ??
      amongSpooled ?? {
        carts: Math.max(0, all.carts + before.carts - counted.carts),
        items: all.items,
        searches: Math.max(0, all.searches + before.searches - counted.searches),
      };
    const place = { ahead, estimate: estimateWait({ ...ahead, searches: (ahead.searches ?? 0) + made }, 0, pace) };
    const isTold = !isStandstill(waitingIn(latest!.snapshot, ahead.carts));
    promises.set(id, { atMs: performance.now(), place, isTold, owner });
    // The oldest have waited longest to be written out, and are by now.
    if (promises.size > PROMISES_MAX) promises.delete(promises.keys().next().value!);
    return place;
  }

  /** The others ahead of it are known by their number; how many searches that makes, by their share. */
  function placeAmongSpooled(index: number, { places, spooled, all, pace }: Snapshot): QueuePlace {
    const searches = Math.ceil((all.searches * (index + 1)) / spooled.size);
    const ahead = { carts: places.size + index, items: all.items, searches };
    return { ahead, estimate: estimateWait(ahead, 0, pace) };
  }

  const placeBehindAll = ({ all, pace }: Snapshot): QueuePlace => ({
    ahead: all,
    estimate: estimateWait(all, 0, pace),
  });

  /** What it was told when it joined here, while no look could have seen more of it. */
  function toldSince(id: string, sees: string | null, { spooled, beganMs }: Snapshot): QueuePlace | null {
    const promise = promises.get(id);
    return promise && maySee(sees, promise) && (spooled.has(id) || promise.atMs > beganMs) ? promise.place : null;
  }

  async function stateOf(id: string, sees: string | null = null): Promise<CartState> {
    const looked = look();
    const snapshot = looked instanceof Promise ? await looked : looked;
    const running = snapshot.places.get(id);
    if (running) {
      if (!maySee(sees, running.cart)) return { at: 'nowhere' };
      const { cart, ahead } = running;
      const place = { ahead, estimate: estimateWait(ahead, leftOf(cart), snapshot.pace) };
      const waiting = waitingOf(snapshot, id, ahead.carts, leftOf(cart));
      if (doneOf(cart) === 0) return { at: 'queued', place, waiting };
      return stateBy(await readingOf(id, markOf(cart)), place, waiting);
    }
    const told = toldSince(id, sees, snapshot);
    if (told) return { at: 'queued', place: told, waiting: waitingIn(snapshot, told.ahead.carts) };
    // What was stored before is done at once, so a cart may have ended before it is written out.
    const index = snapshot.spooled.get(id);
    const cart = await readingOf(id, index === undefined ? null : SPOOLED_MARK);
    if (cart && !maySee(sees, cart)) return { at: 'nowhere' };
    const place = index === undefined ? placeBehindAll(snapshot) : placeAmongSpooled(index, snapshot);
    return stateBy(cart, place, waitingIn(snapshot, place.ahead.carts));
  }

  function stateBy(cart: Cart | null, place: QueuePlace, waiting: Waiting | null): CartState {
    if (!cart) return { at: 'nowhere' };
    if (cart.status !== 'running') return { at: 'ended', cart };
    if (doneOf(cart) === 0) return { at: 'queued', place, waiting };
    // Something of it was done, so its turn has come.
    return { at: 'processing', place, waiting: isStandstill(waiting) ? waiting : null, cart };
  }

  return {
    stateOf,
    nextLook,
    join(cart, made) {
      const { id } = cart;
      const before = since.get(id) ?? joined;
      // A look may have found it before its own answer came here: counted again it would stand behind itself, and all that follow too.
      if (!latest?.snapshot.places.has(id) && !latest?.snapshot.spooled.has(id)) {
        if (before === joined) joined = { carts: joined.carts + 1, searches: joined.searches + made };
        since.set(id, before);
      }
      const looked = look();
      return looked instanceof Promise ? looked.then(() => promised(cart, made, before)) : promised(cart, made, before);
    },
    waitingAt: ({ ahead }) => (latest ? waitingIn(latest.snapshot, ahead.carts) : null),
  };
}

/** Those that a shop's pace or a pause holds back are ahead like all others. */
const tasksOf = (depths: LaneDepth[]): number =>
  depths.reduce((sum, { waiting, active, delayed, paused }) => sum + waiting + active + delayed + paused, 0);

const doneOf = (cart: Pick<CartAhead, 'completed' | 'failed'>): number => cart.completed + cart.failed;
const leftOf = (cart: CartAhead): number => cart.total - doneOf(cart);
