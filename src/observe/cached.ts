// Caches a value that is expensive to read and wanted by many callers: one read at a time, each with a time limit. A failure is cached too, so that a
// dead dependency costs one slow answer per period and not one per caller.
import { AppError } from '../model/errors.ts';

export interface CachedOptions<T> {
  ask(): Promise<T>;
  keepMs: number;
  /** A value that took long to read is cached longer, so that reads take no more than this share of the time. */
  share?: number;
  limitMs: number;
  /** Completes "… did not answer in time". */
  what: string;
  now?: () => number;
}

export function cached<T>(options: CachedOptions<T>): () => Promise<T> {
  const now = options.now ?? (() => performance.now());
  let answer: Promise<T> | undefined;
  let until = Number.NEGATIVE_INFINITY;
  return () => {
    if (answer && now() < until) return answer;
    until = Number.POSITIVE_INFINITY;
    const beganMs = now();
    const asked = within(options.ask(), options.limitMs, options.what);
    answer = asked;
    const keepFor = (ms: number) => {
      until = now() + ms;
    };
    asked.then(
      () => keepFor(Math.max(options.keepMs, options.share ? (now() - beganMs) * (1 / options.share - 1) : 0)),
      () => keepFor(options.keepMs),
    );
    return asked;
  };
}

/** The promise, or `unavailable` after the time limit. The work itself is not stopped. */
export function within<T>(work: Promise<T>, limitMs: number, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => afterHearing(() => reject(outOfTime(limitMs, what))), limitMs);
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/**
 * The same for many waits on a hot path: one timer for all of them, which checks the oldest first and stops at the first that still has time. A wait may
 * last a tenth longer than its limit.
 */
export function limitOf(limitMs: number, what: string): <T>(work: Promise<T>) => Promise<T> {
  const waiting = new Set<{ untilMs: number; reject(error: Error): void }>();
  let isLooking = false;

  function lookIn(delayMs: number): void {
    isLooking = true;
    setTimeout(() => afterHearing(look), delayMs).unref();
  }

  function look(): void {
    const now = performance.now();
    for (const wait of waiting) {
      if (wait.untilMs > now) break;
      waiting.delete(wait);
      wait.reject(outOfTime(limitMs, what));
    }
    isLooking = false;
    if (waiting.size > 0) lookIn(limitMs / 10);
  }

  return (work) =>
    new Promise((resolve, reject) => {
      const wait = { untilMs: performance.now() + limitMs, reject };
      waiting.add(wait);
      if (!isLooking) lookIn(limitMs);
      work.then(
        (value) => {
          waiting.delete(wait);
          resolve(value);
        },
        (error) => {
          waiting.delete(wait);
          reject(error);
        },
      );
    });
}

/**
 * Node runs timers before input: in a process that was blocked itself, answers that came in time are not read yet. They are read first, else a healthy
 * dependency would count as dead.
 */
const afterHearing = (step: () => void): void => void setImmediate(step);

function outOfTime(limitMs: number, what: string): AppError {
  return new AppError('unavailable', `${what} did not answer within ${limitMs / 1_000} s. Try again.`, {
    retryAfterMs: 2_000,
  });
}
