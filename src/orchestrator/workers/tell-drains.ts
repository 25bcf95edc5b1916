// Says on the wire, again and again, which workers take no more tasks. What is said is kept there for workers that start later; when the wire loses it, workers
// go on as they were told last, and hear it again here a moment later.
import type { WorkerDrainStore } from '../../store/workers/drains.ts';
import type { Wire } from '../../wire/port.ts';
import type { Step } from '../loops/run-loops.ts';

export const DRAINS_EVERY_MS = 2_000;
/** Whether drained workers are still there need not be known exactly. */
const SEEN_EVERY_MS = 60_000;

export interface DrainsOptions {
  store: WorkerDrainStore;
  wire: Pick<Wire, 'tellDrains' | 'workers'>;
  now?(): number;
}

export function createTellDrains({ store, wire, now = () => performance.now() }: DrainsOptions): Step {
  let seenAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const drained = (await store.listDrains()).map(({ worker }) => worker);
    await wire.tellDrains(drained);
    if (drained.length === 0 || now() - seenAt < SEEN_EVERY_MS) return;
    seenAt = now();
    const alive = new Set((await wire.workers()).map(({ worker }) => worker));
    await store.seeDrained(drained.filter((name) => alive.has(name)));
  };
}
