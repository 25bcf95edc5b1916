// The arithmetic of one host's clocks, shared by both carriers in meaning: pace-reserve.lua and pace-release.lua say the same in Lua,
// and one suite runs on both. The crawl clock (nextAt) and the backoff clock (backoffUntil) are independent: an answer that ends a
// backoff must not shorten a crawl delay, nor the other way round.
import { BACKOFF, type PaceOutcome, THROTTLE } from './pace.ts';

export interface HostClock {
  nextAt: number;
  backoffUntil: number;
  /** When the backoff was last raised: throttled answers to requests started before belong to the same burst. */
  backoffSince: number;
  backoffLevel: number;
  latencyMs: number;
  bestMs: number;
  /** When the next refused caller should come back, so that they do not all come at once. */
  promisedAt: number;
}

export function newClock(): HostClock {
  return { nextAt: 0, backoffUntil: 0, backoffSince: 0, backoffLevel: 0, latencyMs: 0, bestMs: 0, promisedAt: 0 };
}

export function earliestStart(clock: HostClock, now: number): number {
  return Math.max(now, clock.nextAt, clock.backoffUntil);
}

/** Books a start and moves the crawl clock past it. */
export function book(clock: HostClock, start: number, gapMs: number, concurrency: number): void {
  clock.nextAt = start + Math.max(gapMs, slowGap(clock, concurrency));
}

/** When a refused caller should come back; each one a gap after the one before, at most ten minutes out. */
export function promise(clock: HostClock, now: number, earliest: number, gapMs: number): number {
  clock.promisedAt = Math.min(Math.max(clock.promisedAt, earliest), now + 600_000);
  const waitMs = clock.promisedAt - now;
  clock.promisedAt += Math.max(gapMs, 20);
  return waitMs;
}

/** Spacing for a host in trouble: fewer requests in flight the further its answers are from its best. */
function slowGap(clock: HostClock, concurrency: number): number {
  const usual = THROTTLE.slowFactor * Math.max(clock.bestMs, THROTTLE.floorMs);
  if (clock.latencyMs <= usual) return 0;
  return clock.latencyMs / Math.max(1, (concurrency * usual) / clock.latencyMs);
}

export function record(clock: HostClock, startedAt: number, now: number, outcome: PaceOutcome, random: number): void {
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
