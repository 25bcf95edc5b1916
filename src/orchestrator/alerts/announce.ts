// Announces new postings that have their group to alerts and webhooks, batch after batch until none is left.
// How long a batch takes depends on the number of alerts it matches, which is not known before: batches shrink when they take long, and when one fails
// (perhaps at the statement timeout), so that one finally succeeds.
import type { AnnouncementStore } from '../../store/alerts/alert-store.ts';
import type { Announced } from '../../store/alerts/announce.ts';
import type { Step } from '../loops/run-loops.ts';

export interface AnnounceOptions {
  store: AnnouncementStore;
  onAnnounced(announced: Announced): void;
  now?(): number;
}

const BATCH = 200;
const LONG_MS = 2_000;

/** Wakes what writes the files of alerts. */
export function createAnnounce(options: AnnounceOptions): Step {
  const { store, onAnnounced, now = () => performance.now() } = options;
  let batch = BATCH;

  async function announce(): Promise<Announced> {
    const began = now();
    try {
      const announced = await store.announcePostings({ batch });
      const tookMs = now() - began;
      if (tookMs > LONG_MS) batch = Math.max(1, batch >> 1);
      else if (tookMs < LONG_MS / 4) batch = Math.min(BATCH, batch * 2);
      return announced;
    } catch (error) {
      batch = Math.max(1, batch >> 2);
      throw error;
    }
  }

  return async (signal, wake) => {
    while (!signal.aborted) {
      const wanted = batch;
      const announced = await announce();
      if (announced.taken > 0) onAnnounced(announced);
      if (announced.matches > 0) wake();
      if (announced.taken < wanted) return;
    }
  };
}
