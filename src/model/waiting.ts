// How long a cart will wait, from what is really ahead of it and how fast work is being done. Pure; what it knows of the past is given to it.

export interface Ahead {
  /** Carts accepted before this one that are still under way. */
  carts: number;
  /** Items those carts wait for. */
  items: number;
}

export interface Speed {
  /** Items that ended in the last minute. */
  perMinute: number;
  /** Tasks waiting or running now; fewer than the items waited for, because carts share them. */
  liveTasks: number;
  /** Items all running carts wait for. */
  allItems: number;
  slots: number;
}

export interface Estimate {
  seconds: number;
  /** Nine in ten carts waited no longer than this, by the errors of earlier estimates. */
  p90Seconds: number;
}

/** Before anything was measured: one search of one item, on one slot. */
const GUESS_SECONDS = 3.7;

export function estimateWait(ahead: Ahead, own: number, speed: Speed, errors: number[]): Estimate {
  const perSecond = speed.perMinute >= 10 ? speed.perMinute / 60 : Math.max(1, speed.slots) / GUESS_SECONDS;
  // Of the items waited for, only this share is work: the rest is shared.
  const share = speed.allItems === 0 ? 1 : Math.min(1, speed.liveTasks / speed.allItems);
  const seconds = Math.max(1, Math.ceil(((ahead.items + own) * share) / perSecond));
  return { seconds, p90Seconds: Math.ceil(seconds * Math.max(1, quantile(errors, 0.9) ?? 2)) };
}

/** Of ratios real/estimated. */
export function quantile(values: number[], q: number): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!;
}
