// Notes once a minute how long the queue is and how old its oldest task: one orchestrator of all, because reading it reads the whole queue.
import type { MarkStore } from '../../store/marks.ts';
import type { QueueHistoryStore } from '../../store/queue/queue-history.ts';
import type { QueueStore } from '../../store/queue/queue-store.ts';
import { readDepths } from './depths.ts';
import type { PaceOfSites } from './pace.ts';

/** More often than the minutes that are noted, so that none is left out. */
export const NOTE_QUEUE_EVERY_MS = 15_000;

export interface NoteQueueOptions {
  store: QueueHistoryStore & Pick<QueueStore, 'queueDepths'> & Pick<MarkStore, 'takeTurn'>;
  sites: PaceOfSites | null;
}

export function createNoteQueue({ store, sites }: NoteQueueOptions): () => Promise<void> {
  return async () => {
    // A little less than a minute: a turn that comes late is not a minute without a point.
    if (!(await store.takeTurn('note-queue', 44))) return;
    const depths = await readDepths(store, sites);
    const sum = (field: 'waiting' | 'active' | 'delayed' | 'paused'): number =>
      depths.reduce((total, depth) => total + depth[field], 0);
    const ages = depths.flatMap(({ oldestWaitingSeconds }) => oldestWaitingSeconds ?? []);
    await store.noteQueue({
      waiting: sum('waiting'),
      active: sum('active'),
      delayed: sum('delayed'),
      held: sum('paused'),
      oldestSeconds: ages.length === 0 ? null : Math.max(...ages),
    });
  };
}
