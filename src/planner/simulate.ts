// How long carts wait, by simulation: carts arrive, their items wait in one queue, workers take them in turn. Three designs are compared.
// What a reader would get wrong: with one queue in order of arrival, the next task always goes to the worker that is free first, so the end of
// each task is known when it is queued; every event is still simulated, only no clock has to be turned. Same seed, same answer.

/** `cart`: one worker does a whole cart (the seed document). `items`: every item is a task. `shared`: equal items are scraped once. */
export type Design = 'cart' | 'items' | 'shared';

export interface PlanInput {
  users: number;
  itemsPerCart: number;
  workers: number;
  secondsPerItem: number;
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

const DEFAULTS = { spread: 0, zipf: 1.1, names: 2_000, zips: 200, arrivalSeconds: 0, freshnessSeconds: 900, seed: 1 };

export function simulate(input: PlanInput, design: Design): PlanOutcome {
  const options = { ...DEFAULTS, ...input };
  const seconds = durations(options.secondsPerItem, options.spread, randomFrom(~options.seed));
  const workers = freeTimes(options.workers);
  const known = new Map<number, Span>();
  const starts = new Float64Array(options.users);
  const dones = new Float64Array(options.users);
  let scrapes = 0;
  let busySeconds = 0;
  let end = 0;

  const run = (at: number, takes: number): Span => {
    const start = Math.max(at, workers.earliest());
    workers.replaceEarliest(start + takes);
    busySeconds += takes;
    end = Math.max(end, start + takes);
    return { start, done: start + takes };
  };

  for (const [cart, { at, zip, items }] of cartsOf(input).entries()) {
    let start = Number.POSITIVE_INFINITY;
    let done = at;
    if (design === 'cart') {
      const span = run(
        at,
        items.reduce((sum) => sum + seconds(), 0),
      );
      scrapes += items.length;
      ({ start, done } = span);
    } else
      for (const item of items) {
        const key = zip * options.names + item;
        const earlier = design === 'shared' ? known.get(key) : undefined;
        const isReused = earlier !== undefined && earlier.done + options.freshnessSeconds >= at;
        const span = isReused ? earlier : run(at, seconds());
        if (!isReused) scrapes++;
        known.set(key, span);
        start = Math.min(start, Math.max(at, span.start));
        done = Math.max(done, span.done);
      }
    starts[cart] = start - at;
    dones[cart] = done - at;
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

/** The fewest workers with which nine carts of ten are complete within a time; null when even one worker an item is not enough. */
export function workersFor(input: PlanInput, design: Design, p90Seconds: number): number | null {
  let low = 1;
  let high = Math.max(1, design === 'cart' ? input.users : input.users * input.itemsPerCart);
  const isEnough = (workers: number) => simulate({ ...input, workers }, design).untilDone.p90 <= p90Seconds;
  if (!isEnough(high)) return null;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
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

interface FreeTimes {
  earliest(): number;
  replaceEarliest(time: number): void;
}

/** When each worker is free next, as a binary heap. */
function freeTimes(workers: number): FreeTimes {
  const heap = new Float64Array(workers);
  return {
    earliest: () => heap[0] ?? 0,
    replaceEarliest(time) {
      let at = 0;
      for (;;) {
        const left = 2 * at + 1;
        if (left >= workers) break;
        const child = left + 1 < workers && heap[left + 1]! < heap[left]! ? left + 1 : left;
        if (heap[child]! >= time) break;
        heap[at] = heap[child]!;
        at = child;
      }
      heap[at] = time;
    },
  };
}
