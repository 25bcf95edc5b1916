// How fast a host may be asked, as a port with two carriers: memory.ts (one process) and redis.ts (a fleet). A carrier
// makes reserve and release atomic and must not poll. A place that would take too long is refused at once with the time to come back
// at, so that one slow host never holds the slots of the others; such a refusal costs no attempt.
import { AppError } from '../../model/errors.ts';

/** What a source says of its hosts. */
export interface Pace {
  /** Requests at a time. */
  concurrency: number;
  /** Least time between two starts. */
  delayMs: number;
  /** With it the pauses vary like a person's between delayMs and this; without, up to a quarter is added. */
  maxDelayMs?: number;
}

export interface PaceOrder {
  host: string;
  concurrency: number;
  /** Time to the next start after this one, already varied. */
  gapMs: number;
  /** Longer than this is refused instead. */
  maxWaitMs: number;
  signal: AbortSignal;
}

export interface PaceSlot {
  token: string;
  /** How long to wait before starting. */
  waitMs: number;
  /** The start, on the carrier's own clock; handed back on release. */
  startAt: number;
}

export interface PaceOutcome {
  latencyMs: number;
  /** `throttled` is 429 or 503: it moves the backoff clock. `failed` never makes a host look fast. */
  kind: 'ok' | 'failed' | 'throttled';
  retryAfterMs?: number;
}

export interface PaceStore {
  /** A place, or `rate_limited` with the time to come back after. */
  reserve(order: PaceOrder): Promise<PaceSlot>;
  /** After a wait: the backoff clock may have moved meanwhile. The place to use from now on; waitMs 0 means start. */
  renew(order: PaceOrder, place: PaceSlot): Promise<PaceSlot>;
  /** Gives the place back. Does not wait; a lost release is healed by the lease of the place. */
  release(host: string, place: PaceSlot, outcome: PaceOutcome): void;
  close(): Promise<void>;
}

/** A place is given up for lost after this: longer than any page may take. */
export const SLOT_LEASE_MS = 180_000;

export const BACKOFF = { firstMs: 1_000, maxMs: 300_000, jitter: 0.25 } as const;

/** A host is slowed down when its answers take more than twice as long as it has shown it can, below this never. */
export const THROTTLE = { smoothing: 0.2, floorMs: 100, slowFactor: 2, driftPerAnswer: 1.002 } as const;

/** The pause after a request: never shorter than asked for; longer by chance, and mostly by little, as people are. */
export function gapMs(pace: Pace, random: () => number): number {
  const most = pace.maxDelayMs ?? pace.delayMs * 1.25;
  return Math.round(pace.delayMs + Math.max(0, most - pace.delayMs) * random() * random());
}

/** Requests that it lets begin in a second, over many; null: it has no pauses. */
export function perSecond({ delayMs, maxDelayMs = delayMs * 1.25 }: Pace): number | null {
  // The mean of what two chances multiplied add.
  const meanMs = delayMs + Math.max(0, maxDelayMs - delayMs) / 4;
  return meanMs === 0 ? null : 1_000 / meanMs;
}

export function comeBackLater(host: string, retryAfterMs: number): AppError {
  return new AppError(
    'rate_limited',
    `Waiting for ${host}: its rate limit is used up for the next ${Math.max(1, Math.ceil(retryAfterMs / 1_000))} s`,
    {
      retryAfterMs: Math.ceil(retryAfterMs),
      details: { paced: true },
    },
  );
}
