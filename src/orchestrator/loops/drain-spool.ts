// Writes out the submissions that a burst left in the spool, piece after piece until it is empty.
import type { SpoolStore } from '../../store/submissions/submission-store.ts';
import type { Step } from './run-loops.ts';

export interface DrainSpoolOptions {
  store: SpoolStore;
  onDrained(runs: number): void;
  onSetAside(runId: string, error: unknown): void;
}

/** Wakes `dispatch` after each piece. */
export function createDrainSpool({ store, onDrained, onSetAside }: DrainSpoolOptions): Step {
  return async (signal, wake) => {
    while (!signal.aborted) {
      const runs = await store.drainSpool({ onSetAside });
      if (runs === 0) return;
      onDrained(runs);
      wake();
    }
  };
}
