// How a listing waits: for its turn at a host, and between pages where the person who asked wants it slower.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, asAppError } from '../../model/errors.ts';

const MAX_PACE_WAIT_MS = 120_000;

/**
 * A turn that is too far off is refused, so that the slot is free for other hosts. In the middle of a listing that would throw away the pages before, so here
 * it is waited for, up to a limit. Before the first page there is nothing to throw away: in a worker the task goes back to the queue.
 */
export async function askInTurn<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let leftMs = MAX_PACE_WAIT_MS; ; ) {
    try {
      return await ask();
    } catch (thrown) {
      const error = asAppError(thrown);
      const { paced, goesBack } = error.details ?? {};
      const waitMs = paced === true && !goesBack ? (error.retryAfterMs ?? 1_000) : Number.POSITIVE_INFINITY;
      if (waitMs > leftMs) throw error;
      leftMs -= Math.max(waitMs, 100);
      await wait(waitMs, signal);
    }
  }
}

export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    throw signal.reason instanceof AppError ? signal.reason : new AppError('cancelled');
  }
}
