// Deletes rows past their retention time, batch after batch until none is left.
import type { TrimStore } from '../../store/maintenance.ts';
import type { RetentionOptions, Trimmed } from '../../store/retention.ts';

export interface TrimOptions {
  store: Pick<TrimStore, 'trim'>;
  retention: RetentionOptions;
  onTrimmed(trimmed: Trimmed): void;
}

export function createTrim({ store, retention, onTrimmed }: TrimOptions): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    for (;;) {
      const trimmed = await store.trim(retention);
      const count = Object.values(trimmed).reduce((sum, n) => sum + n, 0);
      if (count === 0 || signal.aborted) return;
      onTrimmed(trimmed);
    }
  };
}
