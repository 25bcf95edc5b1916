// Deletes rows past their retention time, batch after batch until none is left.

import type { TrimStore } from '../../store/maintenance.ts';
import type { MarkStore } from '../../store/marks.ts';
import type { RetentionOptions, Trimmed } from '../../store/retention.ts';

/** A little less than the minute after which the loop comes again. */
const TURN_SECONDS = 50;

export interface TrimOptions {
  store: Pick<TrimStore, 'trim'> & Pick<MarkStore, 'takeTurn'>;
  retention: RetentionOptions;
  onTrimmed(trimmed: Trimmed): void;
}

export function createTrim({ store, retention, onTrimmed }: TrimOptions): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    // One orchestrator is enough.
    if (!(await store.takeTurn('trim', TURN_SECONDS))) return;
    for (;;) {
      const trimmed = await store.trim(retention);
      const count = Object.values(trimmed).reduce((sum, n) => sum + n, 0);
      if (count === 0 || signal.aborted) return;
      onTrimmed(trimmed);
    }
  };
}
