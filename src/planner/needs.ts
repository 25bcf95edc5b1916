// What carts wait for, and what it takes to serve them in time: the simulation, asked backwards.
import { type Design, type PlanInput, type PlanOutcome, simulate } from './simulate.ts';

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

/** The fewest exits with which that is possible at all, with as many workers as it takes; null when no number is enough. */
export function exitsFor(input: PlanInput, design: Design, p90Seconds: number): number | null {
  const workers = Math.max(1, design === 'cart' ? input.users : input.users * input.itemsPerCart);
  const isEnough = (exits: number) => simulate({ ...input, workers, exits }, design).untilDone.p90 <= p90Seconds;
  if (input.pace === undefined || isEnough(1)) return 1;
  let low = 1;
  let high = 2;
  while (!isEnough(high)) {
    if (high >= workers) return null;
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

export interface PlanLimit {
  /** What the carts wait for; `arrivals`: nothing but the carts themselves. */
  by: 'slots' | 'pace' | 'arrivals';
  /** Scrapes a second that workers, and that the pace of the site, would allow; null: any number. */
  slotsPerSecond: number;
  pacePerSecond: number | null;
}

/** What has to be added to for more carts in the same time. */
export function limitOf(input: PlanInput, { scrapes }: PlanOutcome): PlanLimit {
  const { workers, secondsPerItem, pace, exits = 1, arrivalSeconds = 0 } = input;
  const slotsPerSecond = workers / secondsPerItem;
  const perExit =
    pace &&
    Math.min(pace.gapSeconds > 0 ? 1 / pace.gapSeconds : Number.POSITIVE_INFINITY, pace.concurrency / secondsPerItem);
  const pacePerSecond = perExit === undefined ? null : exits * perExit;
  const most = Math.min(slotsPerSecond, pacePerSecond ?? Number.POSITIVE_INFINITY);
  const isIdle = arrivalSeconds > 0 && scrapes / arrivalSeconds < IDLE_SHARE * most;
  const by = isIdle ? 'arrivals' : most < slotsPerSecond ? 'pace' : 'slots';
  return { by, slotsPerSecond, pacePerSecond };
}

/** With less to do than this share of what is possible, carts wait for nothing but their own scrapes. */
const IDLE_SHARE = 0.9;
