// A server that is not there yet: containers and machines start in any order. What time will not mend (a refused login, a database that does not exist) is
// an error at once.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../model/errors.ts';
import { isNotThereYet } from '../../model/server/connection-error.ts';

export interface AwaitOptions {
  /** Aborted when the process is told to stop. */
  signal: AbortSignal;
  onWaiting(error: AppError): void;
  /** Between two tries: grows from the first to the last. */
  waitsMs?: readonly number[];
}

const WAITS_MS = [250, 500, 1_000, 2_000, 5_000] as const;
/** Told again after so many tries, so that a log shows that it still waits. */
const TELL_EVERY = 12;

/** Opens it as soon as it can be opened. */
export async function awaitServer<T>(open: () => Promise<T>, options: AwaitOptions): Promise<T> {
  const { signal, onWaiting, waitsMs = WAITS_MS } = options;
  for (let tries = 0; ; tries++) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof AppError) || !isNotThereYet(error)) throw error;
      if (tries % TELL_EVERY === 0) onWaiting(error);
      await sleep(waitsMs[Math.min(tries, waitsMs.length - 1)], undefined, { signal });
    }
  }
}
