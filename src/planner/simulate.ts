// How long carts wait, by simulation: carts arrive, their items wait in one queue, workers take them in turn, and each scrape waits for a turn at the site, which
// has a rate limit for every exit. Three designs are compared. Same seed, same answer.
// What a reader would get wrong: with one queue in order of arrival, the next task always goes to the worker that is free first, so the end of
// each task is known when it is queued; every event is still simulated, only no clock has to be turned.
import { heapOf } from './heap.ts';

/** `cart`: one worker does a whole cart (the seed document). `items`: every item is a task. `shared`: equal items are scraped once. */
export type Design = 'cart' | 'items' | 'shared';

/** Rate limit of a site for each exit. */
export interface PlanPace {
  /** Scrapes at a time. */
  concurrency: number;
  /** Between two starts, over many. */
  gapSeconds: number;
}

export interface PlanInput {
  users: number;
  itemsPerCart: number;
  workers: number;
  secondsPerItem: number;
  /** Without it the site may be asked as often as there are workers. */
  pace?: PlanPace;
  /** Ways out to the site, each with the whole pace: proxies, or one own address. */
  exits?: number;
  /** Standard deviation over mean of the time an item takes; 0 is always the same. */
  spread?: number;
  /** Exponent of the popularity of items; 0 makes all equally popular. */
  zipf?: number;
  /** Different items that people ask for, and places they ask from. */
  names?: number;
  zips?: number;
  /** Carts arrive evenly over this time; 0 is all at once. */
  arrivalSeconds?: number;
  /** How long a result serves later carts. */
  freshnessSeconds?: number;
  seed?: number;
}

export interface Quantiles {
  p50: number;
  p90: number;
  p99: number;
  max: number;
}

export interface PlanOutcome {
  design: Design;
  scrapes: number;
  /** Items of carts that needed no scrape of their own. */
  saved: number;
  /** Until a cart's first item is begun (what the seed calls waiting), and until its last is there. */
  untilStart: Quantiles;
  untilDone: Quantiles;
  /** Seconds until the nth cart is begun, in order of arrival; 1-based. */
  startOf(nth: number): number;
  /** Seconds until the nth cart is complete. */
  doneOf(nth: number): number;
  /** From the first arrival to the last cart done. */
  makespanSeconds: number;
  /** Worker seconds spent scraping. */
  busySeconds: number;
}

const DEFAULTS = {
  exits: 1,
  spread: 0,
  zipf: 1.1,
  names: 2_000,
  zips: 200,
  arrivalSeconds: 0,
  freshnessSeconds: 900,
  seed: 1,
};

export function simulate(input: PlanInput, design: Design): PlanOutcome {
  const options = { ...DEFAULTS, ...input };
  const seconds = durations(options.secondsPerItem, options.spread, randomFrom(~options.seed));
  const turns = turnsAt(options);
  const starts = new Float64Array(options.users);
  const dones = new Float64Array(options.users);
  const carts = cartsOf(input);
  let scrapes = 0;
  let busySeconds = 0;
  let end = 0;

  const scrape = (at: number): Span => {
    const takes = seconds();
    const start = turns.take(at, takes);
    scrapes += 1;
    busySeconds += takes;
    end = Math.max(end, start + takes);
    return { start, done: start + takes };
  };

  if (design === 'cart') wholeCarts();
  else singleItems();

  function singleItems(): void {
    const workers = heapOf(options.workers);
    const known = new Map<number, Span>();
    for (const [cart, { at, zip, items }] of carts.entries()) {
      let start = Number.POSITIVE_INFINITY;
      let done = at;
      for (const item of items) {
        const key = zip * options.names + item;
        const earlier = design === 'shared' ? known.get(key) : undefined;
        const isReused = earlier !== undefined && earlier.done + options.freshnessSeconds >= at;
        const span = isReused ? earlier : scrape(Math.max(at, workers.time()));
        if (!isReused) workers.moveTo(span.done);
        known.set(key, span);
        start = Math.min(start, Math.max(at, span.start));
        done = Math.max(done, span.done);
      }
      starts[cart] = start - at;
      dones[cart] = done - at;
    }
  }

  /** Carts under way take turns at the site, so whoever is ready first goes first: worker by worker, and not cart by cart. */
  function wholeCarts(): void {
    const workers = heapOf(options.workers);
    const cartOf = new Int32Array(options.workers).fill(-1);
    const nextItem = new Int32Array(options.workers);
    let next = 0;
    let left = carts.length;
    while (left > 0) {
      const worker = workers.index();
      let cart = cartOf[worker]!;
      if (cart < 0) {
        if (next >= carts.length) {
          workers.moveTo(Number.POSITIVE_INFINITY);
          continue;
        }
        cart = next++;
        cartOf[worker] = cart;
        nextItem[worker] = 0;
        // Others may be ready before it comes.
        if (carts[cart]!.at > workers.time()) {
          workers.moveTo(carts[cart]!.at);
          continue;
        }
      }
      const { at, items } = carts[cart]!;
      const { start, done } = scrape(Math.max(at, workers.time()));
      if (nextItem[worker] === 0) starts[cart] = start - at;
      nextItem[worker]! += 1;
      if (nextItem[worker] === items.length) {
        dones[cart] = done - at;
        cartOf[worker] = -1;
        left -= 1;
      }
      workers.moveTo(done);
    }
  }

  return {
    design,
    scrapes,
    saved: options.users * options.itemsPerCart - scrapes,
    untilStart: quantiles(starts),
    untilDone: quantiles(dones),
    startOf: (nth) => starts[nth - 1] ?? Number.NaN,
    doneOf: (nth) => dones[nth - 1] ?? Number.NaN,
    makespanSeconds: end,
    busySeconds,
  };
}

export interface Cart {
  at: number;
  zip: number;
  items: number[];
}

/** Who asks for what, where and when: the same carts for the same seed, whatever the design. */
export function cartsOf(input: PlanInput): Cart[] {
  const { users, itemsPerCart, names, zips, zipf, arrivalSeconds, seed } = { ...DEFAULTS, ...input };
  const random = randomFrom(seed);
  const draw = zipfDraw(names, zipf, random);
  return Array.from({ length: users }, (_, cart) => ({
    at: (arrivalSeconds * cart) / users,
    zip: Math.floor(random() * zips),
    items: distinct(itemsPerCart, names, draw),
  }));
}

interface Span {
  start: number;
  done: number;
}

/** Whole carts that all workers finish in an hour, when each does whole carts: the seed's way of counting. */
export function cartsPerHour({ workers, itemsPerCart, secondsPerItem }: PlanInput): number {
  return workers * Math.floor(3_600 / (itemsPerCart * secondsPerItem));
}

export interface Prices {
  workersPerMachine: number;
  machineDollarsPerHour: number;
}

/** Machines rented by the hour for as long as the carts take. */
export function costOf(
  outcome: PlanOutcome,
  workers: number,
  { workersPerMachine, machineDollarsPerHour }: Prices,
): { machines: number; hours: number; dollars: number } {
  const machines = Math.ceil(workers / workersPerMachine);
  const hours = Math.max(1, Math.ceil(outcome.makespanSeconds / 3_600));
  return { machines, hours, dollars: machines * hours * machineDollarsPerHour };
}

function quantiles(values: Float64Array): Quantiles {
  const sorted = values.toSorted();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: sorted.at(-1) ?? 0 };
}

/** 0 ≤ x < 1, the same sequence for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** The nth most popular of so many names is asked for in proportion to 1/n^exponent. */
function zipfDraw(names: number, exponent: number, random: () => number): () => number {
  const upTo = new Float64Array(names);
  let sum = 0;
  for (let i = 0; i < names; i++) {
    sum += 1 / (i + 1) ** exponent;
    upTo[i] = sum;
  }
  return () => {
    const point = random() * sum;
    let low = 0;
    let high = names - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (upTo[middle]! > point) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/** Items of one cart differ from each other. */
function distinct(count: number, names: number, draw: () => number): number[] {
  const items = new Set<number>();
  for (let tries = 0; items.size < Math.min(count, names) && tries < count * 50; tries++) items.add(draw());
  for (let next = 0; items.size < Math.min(count, names); next++) items.add(next);
  return [...items];
}

/** Log-normal around the mean: times cannot be negative, and some are long. */
function durations(mean: number, spread: number, random: () => number): () => number {
  if (spread === 0) return () => mean;
  const variance = Math.log(1 + spread ** 2);
  const centre = Math.log(mean) - variance / 2;
  return () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.exp(centre + Math.sqrt(variance) * normal);
  };
}

interface SiteTurns {
  /** Books the first turn from then on for a scrape that takes so long, and says when it begins. Callers come in order of time. */
  take(at: number, seconds: number): number;
}

function turnsAt({ pace, exits }: { pace?: PlanPace | undefined; exits: number }): SiteTurns {
  if (pace === undefined) return { take: (at) => at };
  const { concurrency, gapSeconds } = pace;
  const order = heapOf(exits);
  /** When each place of each exit is free again. */
  const places = Array.from({ length: exits }, () => heapOf(concurrency));
  return {
    take(at, seconds) {
      const exit = places[order.index()]!;
      const start = Math.max(at, order.time());
      exit.moveTo(start + seconds);
      order.moveTo(Math.max(start + gapSeconds, exit.time()));
      return start;
    },
  };
}
