// Where every running cart stands, in memory: read from the store at most twice a second whatever the number of pollers. A cart that is not on it has
// ended or never was; that is asked of the store once and remembered for a moment.
import { type Ahead, type Estimate, estimateWait } from '../model/waiting.ts';
import { cached } from '../observe/cached.ts';
import type { Cart, CartAhead } from '../store/carts.ts';
import type { ApiParts } from './parts.ts';

export interface Standing {
  cart: CartAhead;
  ahead: Ahead;
  estimate: Estimate;
}

export interface CartBoard {
  /** Null when the cart is not under way. */
  standing(id: string): Promise<Standing | null>;
  /** What a cart accepted now has ahead of it. */
  behindAll(own: number): Promise<{ ahead: Ahead; estimate: Estimate }>;
  read(id: string): Promise<Cart | null>;
  /** What was promised to a cart, to be held against what came of it. */
  promise(id: string, seconds: number): void;
  /** Ratios real/estimated of the last carts. */
  errors(): number[];
}

const SNAPSHOT_MS = 500;
const LIMIT_MS = 5_000;
const REMEMBERED = 5_000;
const ERRORS_KEPT = 500;

export function createCartBoard(parts: ApiParts): CartBoard {
  const { store, throughput } = parts;
  const carts = new Map<string, { mark: string; cart: Promise<Cart | null> }>();
  const promises = new Map<string, { atMs: number; seconds: number }>();
  const errors: number[] = [];

  const snapshot = cached({
    keepMs: SNAPSHOT_MS,
    limitMs: LIMIT_MS,
    what: 'The store',
    async ask() {
      const running = await store.runningCarts();
      const places = new Map<string, { cart: CartAhead; ahead: Ahead }>();
      let items = 0;
      for (const [index, cart] of running.entries()) {
        places.set(cart.id, { cart, ahead: { carts: index, items } });
        items += cart.total - cart.completed - cart.failed;
      }
      judgePromises(places);
      return { places, all: { carts: running.length, items } };
    },
  });

  /** A cart that has left the board has ended: how far off was the estimate? */
  function judgePromises(places: Map<string, unknown>): void {
    const now = performance.now();
    for (const [id, { atMs, seconds }] of promises) {
      if (places.has(id) || now - atMs < SNAPSHOT_MS * 2) continue;
      promises.delete(id);
      errors.push((now - atMs) / 1_000 / seconds);
      if (errors.length > ERRORS_KEPT) errors.shift();
    }
  }

  async function estimate(ahead: Ahead, own: number, allItems: number): Promise<Estimate> {
    const [depths, workers] = await Promise.all([parts.depths(), parts.workers().catch(() => [])]);
    const liveTasks = depths.reduce((sum, depth) => sum + depth.waiting + depth.active, 0);
    const slots = workers.reduce((sum, worker) => sum + worker.slots, 0);
    return estimateWait(ahead, own, { perMinute: throughput.perMinute(), liveTasks, allItems, slots }, errors);
  }

  return {
    async standing(id) {
      const { places, all } = await snapshot();
      const place = places.get(id);
      if (!place) return null;
      const own = place.cart.total - place.cart.completed - place.cart.failed;
      return { ...place, estimate: await estimate(place.ahead, own, all.items) };
    },
    async behindAll(own) {
      const { all } = await snapshot();
      return { ahead: all, estimate: await estimate(all, own, all.items + own) };
    },
    async read(id) {
      const place = (await snapshot()).places.get(id);
      // Results only change with the counters; an ended cart does not change at all.
      const mark = place ? `${place.cart.completed}/${place.cart.failed}` : 'ended';
      const known = carts.get(id);
      if (known?.mark === mark) return known.cart;
      const cart = store.getCart({ id, ttlSeconds: parts.resultTtlSeconds });
      if (carts.size >= REMEMBERED) carts.delete(carts.keys().next().value!);
      carts.set(id, { mark, cart });
      cart.then(
        // Unknown today may be accepted by another process a moment later.
        (found) => (found === null || found.status === 'running' ? carts.delete(id) : undefined),
        () => carts.delete(id),
      );
      return cart;
    },
    promise(id, seconds) {
      if (promises.size < REMEMBERED) promises.set(id, { atMs: performance.now(), seconds });
    },
    errors: () => errors,
  };
}
