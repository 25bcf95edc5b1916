// How long a cart will wait, from what is really ahead of it and how fast work is being done. Pure; what it knows of the past is given to it. Carts are
// counted in items, speed in searches: a search that many carts share is one, so the two are never divided by each other without `share`.

export interface Ahead {
  /** Carts accepted before this one that are still under way. */
  carts: number;
  /** Items those carts wait for. */
  items: number;
  /** Searches on top of those, each counted once: of carts that came so lately that they are not among the carts yet. */
  searches?: number;
}

export interface Speed {
  /** Searches that ended lately, and over how long that was. */
  searches: number;
  seconds: number;
  /** Tasks waiting or running now; fewer than the items waited for, because carts share them. */
  liveTasks: number;
  /** Items all running carts wait for. */
  allItems: number;
  slots: number;
  /** Searches that the pace of the shop lets begin in a second, however many slots there are; null: as many as there are slots for. */
  mostPerSecond: number | null;
}

/** What one look at the world says for every cart: worked out once, not at each poll. */
export interface Pace {
  secondsPerSearch: number;
  /** Less, where items share searches. */
  secondsPerItem: number;
  /** Actual waiting times divided by their estimates, 90th percentile. */
  p90Factor: number;
}

export interface Estimate {
  seconds: number;
  /** Nine in ten carts waited no longer than this, by the errors of earlier estimates. */
  p90Seconds: number;
}

/** Before anything was measured: one search of one item, on one slot. */
const GUESS_SECONDS = 3.7;
/** Fewer say too little about the next one. */
const MIN_SEARCHES = 10;
const MIN_SECONDS = 1;
/** How far off nine in ten are while hardly an estimate has been held against a real wait. */
const UNKNOWN_FACTOR = 2;
/** In a burst the first carts to end are those that waited least: fewer than this say little about the others. */
const MIN_ERRORS = 20;

export function paceOf(speed: Speed, errors: readonly number[]): Pace {
  const isMeasured = speed.searches >= MIN_SEARCHES && speed.seconds >= MIN_SECONDS;
  const guess = Math.min(Math.max(1, speed.slots) / GUESS_SECONDS, speed.mostPerSecond ?? Number.POSITIVE_INFINITY);
  const perSecond = isMeasured ? speed.searches / speed.seconds : guess;
  const unknown = Array<number>(Math.max(0, MIN_ERRORS - errors.length)).fill(UNKNOWN_FACTOR);
  // Of the items waited for, only this share is work: the rest is shared.
  const share = speed.allItems === 0 ? 1 : Math.min(1, speed.liveTasks / speed.allItems);
  return {
    secondsPerSearch: 1 / perSecond,
    secondsPerItem: share / perSecond,
    p90Factor: Math.max(1, quantile([...errors, ...unknown], 0.9)!),
  };
}

export function estimateWait({ items, searches = 0 }: Ahead, own: number, pace: Pace): Estimate {
  const seconds = Math.max(1, Math.ceil((items + own) * pace.secondsPerItem + searches * pace.secondsPerSearch));
  return { seconds, p90Seconds: Math.ceil(seconds * pace.p90Factor) };
}

/** Of ratios real/estimated. */
export function quantile(values: readonly number[], q: number): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!;
}
