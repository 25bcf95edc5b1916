// How fast a host may be asked, as a port with two carriers: memory.ts (one process) and redis.ts (a fleet). A carrier
// makes reserve and release atomic and must not poll. A place that would take too long is refused at once with the time to come back
// at, so that one slow host never holds the slots of the others; such a refusal costs no attempt.
// What a reader would get wrong: a host has one clock per exit (a proxy, or the machine's own address). A site counts the requests of an
// address, so each exit is paced by itself, and a 429 slows down only the exit that got it.
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
  /** Exits that would do; of several the one whose turn comes first is taken, and the first named where it is the same. */
  exits: readonly string[];
  /** Other tasks cannot use the exit, since it is the proxy of a task: `turns` does not count it. */
  isPrivate?: boolean;
  concurrency: number;
  /** Time to the next start after this one, already varied. */
  gapMs: number;
  /** Longer than this is refused instead. */
  maxWaitMs: number;
  signal: AbortSignal;
}

export interface PaceSlot {
  token: string;
  exit: string;
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

/** What the pace of a host lets begin soon. */
export interface Turns {
  /** Until the next request may start; 0: now. */
  nextInMs: number;
  /** Requests that may start within the time asked about, through all exits together; whole, at least 0. */
  due: number;
  /** Requests under way, or about to start. */
  inFlight: number;
  /** Requests that may be under way at a time, through all exits together. */
  places: number;
  /** How long the next one could have started already; 0 while there is no turn. */
  dueForMs: number;
}

export interface TurnsQuery {
  host: string;
  /** Pace of the source; a crawl delay of robots.txt that is longer is known from the last request. */
  pace: Pace;
}

export interface PaceReader {
  /**
   * Turns of many hosts in one round trip, in their order. The exits are those that workers offered for a host lately; a host that nobody has asked
   * yet is counted with one. Says nothing of tasks that were handed out and have not asked for their turn yet: the caller takes them off.
   */
  turns(queries: readonly TurnsQuery[], withinMs: number): Promise<Turns[]>;
}

export interface PaceStore extends PaceReader {
  /** A place, or `rate_limited` with the time to come back after. */
  reserve(order: PaceOrder): Promise<PaceSlot>;
  /** After a wait: the backoff clock may have moved meanwhile. The place to use from now on; waitMs 0 means start. */
  renew(order: PaceOrder, place: PaceSlot): Promise<PaceSlot>;
  /** Gives the place back. Does not wait; what is lost nevertheless is healed by the lease of the place. */
  release(host: string, place: PaceSlot, outcome: PaceOutcome): void;
  /** Whoever gives turns does not answer now. */
  isAway(): boolean;
  close(): Promise<void>;
}

/** Exits that were last offered this long before the latest offer for their host are out of use: dead, removed, of a worker that has ended. */
export const EXIT_UNUSED_MS = 30_000;

export const BACKOFF = { firstMs: 1_000, maxMs: 300_000, jitter: 0.25 } as const;

/** A host is slowed down when its answers take more than twice as long as it has shown it can, below this never. */
export const THROTTLE = { smoothing: 0.2, floorMs: 100, slowFactor: 2, driftPerAnswer: 1.002 } as const;

/** The pause after a request: never shorter than asked for; longer by chance, and mostly by little, as people are. */
export function gapMs(pace: Pace, random: () => number): number {
  const most = pace.maxDelayMs ?? pace.delayMs * 1.25;
  return Math.round(pace.delayMs + Math.max(0, most - pace.delayMs) * random() * random());
}

/** The pause after a request, over many: the mean of what two chances multiplied add. */
export function meanGapMs({ delayMs, maxDelayMs = delayMs * 1.25 }: Pace): number {
  return delayMs + Math.max(0, maxDelayMs - delayMs) / 4;
}

/** Requests that one exit lets begin in a second, over many; null: it has no pauses. */
export function perSecond(pace: Pace): number | null {
  const gap = meanGapMs(pace);
  return gap === 0 ? null : 1_000 / gap;
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
