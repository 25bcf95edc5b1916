// Costly questions take turns: so many at a time, so many in line, and the next one is told to come back. The connections of the store are for everyone.
import { AppError } from '../../model/errors.ts';

export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurns({ atOnce, inLine }: { atOnce: number; inLine: number }): Turns {
  let running = 0;
  const line: (() => void)[] = [];
  return async (work) => {
    if (running >= atOnce) {
      if (line.length >= inLine)
        throw new AppError('unavailable', 'Too many of these requests are running. Try again in a moment.', {
          retryAfterMs: 2_000,
        });
      // Whoever ends passes the turn on, so `running` does not change.
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
