// Calls to a Redis that may be away for a while.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../model/errors.ts';
import { asOutage } from '../../model/task/outage.ts';

const FIRST_PAUSE_MS = 50;
const LAST_PAUSE_MS = 1_000;

/** Asks again until there is an answer; `unavailable` when the limit is over, `cancelled` when the signal aborts. */
export async function untilAnswered<T>(
  ask: (isAgain: boolean) => Promise<T>,
  { signal, limitMs }: { signal: AbortSignal; limitMs: number },
): Promise<T> {
  const until = performance.now() + limitMs;
  for (let tries = 0; ; tries++) {
    try {
      return await ask(tries > 0);
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (performance.now() > until) throw asOutage('Redis', error);
      const pauseMs = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
      await sleep(pauseMs, undefined, { signal }).catch(() => Promise.reject(new AppError('cancelled')));
    }
  }
}

/** The clock of Redis, as far as its answers have told it: by it a script knows how old an order is. */
export function createRedisClock(): { now(): number; set(redisMs: number): void } {
  let aheadMs: number | undefined;
  return {
    /** 0: nothing is known yet. */
    now: () => (aheadMs === undefined ? 0 : Math.round(performance.now() + aheadMs)),
    set(redisMs) {
      aheadMs = redisMs - performance.now();
    },
  };
}
