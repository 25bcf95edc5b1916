// Grouping: new and changed postings are compared with others of the same job, batch after batch until none is left. It runs after recording on purpose:
// a search must not wait for it, and it does not change the results of a run.
import { groupPostings, meetingKeys } from '../../model/posting/same-posting.ts';
import type { Regrouped } from '../../store/postings/posting-groups.ts';
import type { PostingGroupStore } from '../../store/postings/posting-store.ts';
import type { Step } from '../loops/run-loops.ts';

export interface GroupOptions {
  store: PostingGroupStore;
  onGrouped(regrouped: Regrouped): void;
}

const BATCH = 200;
const MAX_COMPARED = 5_000;

/** Wakes what announces new postings. */
export function createGroup({ store, onGrouped }: GroupOptions): Step {
  return async (signal, wake) => {
    while (!signal.aborted) {
      const regrouped = await store.regroupPostings(
        { meetingKeys, groupPostings },
        { batch: BATCH, maxCompared: MAX_COMPARED },
      );
      if (regrouped.looked > 0) onGrouped(regrouped);
      if (regrouped.news > 0) wake();
      if (regrouped.looked < BATCH) return;
    }
  };
}
