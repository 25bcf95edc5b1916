// Carts as they were read from the store, kept while nothing about them has changed: thousands poll, and what they get changes with the counters alone.
import { AppError } from '../../model/errors.ts';
import { limitOf } from '../../observe/cached.ts';
import type { Cart } from '../../store/products/carts.ts';
import type { CartStore } from '../../store/products/product-store.ts';
import type { Needs } from '../deps.ts';

type CartReadingDeps = Needs<Pick<CartStore, 'getCart'>, 'resultTtlSeconds'>;

interface Reading {
  mark: string | null;
  untilMs: number;
  cart: Promise<Cart | null>;
  /** What it counts for, among all that are kept. */
  entries: number;
}

const LIMIT_MS = 10_000;
const ENDED_KEPT_MS = 1_000;
const KEPT_ENTRIES = 200_000;
/** Readings under way; with more, the next ones would wait longer than their callers. */
const READS_MAX = 2_000;

/** `mark` says how much of the cart is done; null: it was not under way when carts were last looked at. */
export function createCartReadings(deps: CartReadingDeps): (id: string, mark: string | null) => Promise<Cart | null> {
  const limited = limitOf(LIMIT_MS, 'The store');
  const readings = new Map<string, Reading>();
  let entries = 0;
  let reads = 0;

  async function readCart(id: string): Promise<Cart | null> {
    if (reads >= READS_MAX)
      throw new AppError('unavailable', 'Too many carts are being read; try again.', { retryAfterMs: 2_000 });
    reads++;
    try {
      return await limited(deps.store.getCart({ id, ttlSeconds: deps.resultTtlSeconds }));
    } finally {
      reads--;
    }
  }

  function forget(id: string): void {
    entries -= readings.get(id)?.entries ?? 0;
    readings.delete(id);
  }

  /** How much it is, only the reading tells; the oldest make room. */
  function weigh(reading: Reading, total: number): void {
    entries += total - reading.entries;
    reading.entries = total;
    for (const oldest of readings.keys()) {
      if (entries <= KEPT_ENTRIES) break;
      forget(oldest);
    }
  }

  return (id, mark) => {
    const known = readings.get(id);
    if (known && known.mark === mark && performance.now() < known.untilMs) return known.cart;
    forget(id);
    // What was not seen may be about to be, or to expire.
    const untilMs = mark === null ? performance.now() + ENDED_KEPT_MS : Number.POSITIVE_INFINITY;
    const cart = readCart(id);
    const reading: Reading = { mark, untilMs, cart, entries: 1 };
    readings.set(id, reading);
    entries += 1;
    cart.then(
      (found) => {
        if (mark === null && found?.status === 'running') reading.untilMs = 0;
        if (readings.get(id) === reading) weigh(reading, found?.total ?? 1);
      },
      () => {
        if (readings.get(id) === reading) forget(id);
      },
    );
    return cart;
  };
}
