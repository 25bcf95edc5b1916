// Limits expensive queries: some run at a time, some wait, and the next one gets a 503. Otherwise they would take all connections to the store.
import { AppError } from '../../model/errors.ts';

export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

export function createSemaphore({ atOnce, inLine }: { atOnce: number; inLine: number }): Semaphore {
  let running = 0;
  const line: (() => void)[] = [];
  return async (work) => {
    if (running >= atOnce) {
      if (line.length >= inLine)
        throw new AppError('unavailable', 'Too many of these requests are running. Try again in a moment.', {
          retryAfterMs: 2_000,
        });
      // The next one takes over this slot, so `running` does not change.
      await new Promise<void>((resolve) => line.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
