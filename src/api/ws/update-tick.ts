// Collects updates and passes on the latest state of each run once per tick. Superseded states are dropped; a final state never is, in whatever order
// the updates of several orchestrators arrive.
import { isFinal, type RunUpdate } from '../../model/run/run.ts';

export interface UpdateTick {
  add(updates: RunUpdate[]): void;
  /** Passes on the collected updates now. */
  flush(): void;
  stop(): void;
}

export function createUpdateTick(everyMs: number, handOn: (updates: RunUpdate[]) => void): UpdateTick {
  let gathered = new Map<string, RunUpdate>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (gathered.size === 0) return;
    const updates = [...gathered.values()];
    gathered = new Map();
    handOn(updates);
  }

  return {
    add(updates) {
      for (const update of updates) gathered.set(update.runId, later(gathered.get(update.runId), update));
      // An idle process has no timer.
      if (gathered.size > 0) timer ??= setTimeout(flush, everyMs);
    },
    flush,
    stop() {
      clearTimeout(timer);
      timer = undefined;
      gathered.clear();
    },
  };
}

/** The later one of two states of a run. */
export function later(known: RunUpdate | undefined, update: RunUpdate): RunUpdate {
  return known === undefined || isLater(known, update) || sameProgress(known, update) ? update : known;
}

export function isLater(known: RunUpdate, update: RunUpdate): boolean {
  if (isFinal(known.status)) return false;
  return isFinal(update.status) || progress(update) > progress(known);
}

const progress = (update: RunUpdate): number => update.completed + update.failed;

const sameProgress = (known: RunUpdate, update: RunUpdate): boolean =>
  !isFinal(known.status) && progress(update) === progress(known);
