// The arithmetic of the clocks of one host and exit, shared by both carriers in meaning: pace-reserve.lua and pace-release.lua say the same in
// Lua, and one suite runs on both. The crawl clock (nextAt) and the backoff clock (backoffUntil) are independent: an answer that ends a
// backoff must not shorten a crawl delay, nor the other way round.
import { BACKOFF, meanGapMs, type Pace, type PaceOutcome, THROTTLE, type Turns } from './pace.ts';

export interface ExitClock {
  nextAt: number;
  /** Between the last start and the next: more than the pace of the source where robots.txt asks for more, or the host is slow. */
  gapMs: number;
  backoffUntil: number;
  /** When the backoff was last raised: throttled answers to requests started before belong to the same burst. */
  backoffSince: number;
  backoffLevel: number;
  latencyMs: number;
  bestMs: number;
  /** When the next refused caller should come back, so that they do not all come at once. */
  promisedAt: number;
}

export function newClock(): ExitClock {
  return {
    nextAt: 0,
    gapMs: 0,
    backoffUntil: 0,
    backoffSince: 0,
    backoffLevel: 0,
    latencyMs: 0,
    bestMs: 0,
    promisedAt: 0,
  };
}

export function earliestStart(clock: ExitClock, now: number): number {
  return Math.max(now, clock.nextAt, clock.backoffUntil);
}

/** Books a start and moves the crawl clock past it. */
export function book(clock: ExitClock, start: number, gapMs: number, concurrency: number): void {
  clock.gapMs = Math.max(gapMs, slowGap(clock, concurrency));
  clock.nextAt = start + clock.gapMs;
}

/** When the last of so many waiters would start if all places are taken: places come free with answers, and starts keep their gap. */
export function expectedStart(
  clock: ExitClock,
  now: number,
  waiting: number,
  { gapMs, concurrency }: { gapMs: number; concurrency: number },
): number {
  return Math.max(now + (clock.latencyMs * waiting) / concurrency, earliestStart(clock, now) + gapMs * (waiting - 1));
}

const LONGEST_PROMISE_MS = 600_000;

/** When a refused caller should come back; each one a gap after the one before, at most ten minutes out. */
export function promise(clock: ExitClock, now: number, earliest: number, gapMs: number): number {
  clock.promisedAt = Math.min(Math.max(clock.promisedAt, earliest), now + LONGEST_PROMISE_MS);
  const waitMs = clock.promisedAt - now;
  clock.promisedAt += Math.max(gapMs, 20);
  return waitMs;
}

/** Spacing for a host in trouble: fewer requests in flight the further its answers are from its best. */
function slowGap(clock: ExitClock, concurrency: number): number {
  const usual = THROTTLE.slowFactor * Math.max(clock.bestMs, THROTTLE.floorMs);
  if (clock.latencyMs <= usual) return 0;
  return clock.latencyMs / Math.max(1, (concurrency * usual) / clock.latencyMs);
}

export function record(clock: ExitClock, startedAt: number, now: number, outcome: PaceOutcome, random: number): void {
  const retryAfterMs = outcome.retryAfterMs ?? 0;
  if (outcome.kind === 'throttled') {
    if (startedAt > clock.backoffSince) {
      clock.backoffLevel += 1;
      clock.backoffSince = now;
      const doubled =
        Math.min(BACKOFF.maxMs, BACKOFF.firstMs * 2 ** (clock.backoffLevel - 1)) * (1 + BACKOFF.jitter * random);
      clock.backoffUntil = now + Math.max(retryAfterMs, doubled);
    } else clock.backoffUntil = Math.max(clock.backoffUntil, now + retryAfterMs);
    return;
  }
  const { latencyMs } = outcome;
  // An error page is quick to make: it may show that a host is slow, never that it is fast.
  if (outcome.kind === 'failed' && latencyMs <= clock.latencyMs) return;
  if (outcome.kind === 'ok' && startedAt > clock.backoffSince) clock.backoffLevel = 0;
  clock.latencyMs =
    clock.latencyMs === 0 ? latencyMs : clock.latencyMs + THROTTLE.smoothing * (latencyMs - clock.latencyMs);
  clock.bestMs =
    clock.bestMs === 0 ? clock.latencyMs : Math.min(clock.latencyMs, clock.bestMs * THROTTLE.driftPerAnswer);
}

/** What is read of an exit to tell its turns. */
export type ExitReading = Pick<ExitClock, 'nextAt' | 'gapMs' | 'backoffUntil' | 'latencyMs'> & { inFlight: number };

/** Of an exit that was never used. */
export const UNUSED_EXIT: ExitReading = { nextAt: 0, gapMs: 0, backoffUntil: 0, latencyMs: 0, inFlight: 0 };

export function turnsOf(exits: readonly ExitReading[], pace: Pace, now: number, withinMs: number): Turns {
  let nextInMs = Number.POSITIVE_INFINITY;
  let due = 0;
  let taken = 0;
  let dueForMs = 0;
  for (const { nextAt, backoffUntil, latencyMs, inFlight, ...exit } of exits) {
    taken += inFlight;
    const free = Math.max(0, pace.concurrency - inFlight);
    // A place that is taken comes free with the answer to it.
    const freeAt = free > 0 ? now : now + latencyMs / pace.concurrency;
    const inMs = Math.ceil(Math.max(now, nextAt, backoffUntil, freeAt) - now);
    nextInMs = Math.min(nextInMs, inMs);
    if (free > 0) dueForMs = Math.max(dueForMs, now - Math.max(nextAt, backoffUntil));
    if (inMs >= withinMs) continue;
    const gapMs = Math.max(meanGapMs(pace), exit.gapMs);
    const byGap = gapMs === 0 ? Number.POSITIVE_INFINITY : 1 + Math.floor((withinMs - inMs - 1) / gapMs);
    const answered = latencyMs === 0 ? 0 : Math.floor((pace.concurrency * withinMs) / latencyMs);
    due += Math.min(byGap, free + answered);
  }
  return { nextInMs, due, inFlight: taken, places: pace.concurrency * exits.length, dueForMs };
}
