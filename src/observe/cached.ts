// A value that is dear to ask for and asked for by many: kept for a while, asked for by one caller at a time, each question limited in time. A failure
// is kept too, so that a dead dependency costs one slow answer per period and not one per caller.
import { AppError } from '../model/errors.ts';

export interface CachedOptions<T> {
  ask(): Promise<T>;
  keepMs: number;
  /** An answer that took long is kept longer, so that no more than this share of the time goes into asking. */
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

/** The promise, or `unavailable` once the limit has passed. What it was doing goes on unheard. */
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
 * The same for many waits at once, as on a hot path: one timer for all of them, which looks at the oldest first and stops at the first that still has
 * time. A wait may last a tenth longer than its limit.
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
 * Timers come before input: in a process that was held up itself, answers that came in time have yet to be read. They are heard first, else a dependency
 * that is well would be called dead.
 */
const afterHearing = (step: () => void): void => void setImmediate(step);

function outOfTime(limitMs: number, what: string): AppError {
  return new AppError('unavailable', `${what} did not answer within ${limitMs / 1_000} s. Try again.`, {
    retryAfterMs: 2_000,
  });
}
