// Announcing: new postings that have found their group are told to alerts and webhooks, batch after batch until none is left.
import type { Announced } from '../store/announce.ts';
import type { Store } from '../store/store.ts';

export interface AnnounceOptions {
  store: Store;
  onAnnounced(announced: Announced): void;
}

const BATCH = 200;

export function createAnnounce({ store, onAnnounced }: AnnounceOptions): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    while (!signal.aborted) {
      const announced = await store.announcePostings({ batch: BATCH });
      if (announced.taken > 0) onAnnounced(announced);
      if (announced.taken < BATCH) return;
    }
  };
}
