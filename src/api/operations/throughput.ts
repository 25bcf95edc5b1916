// Tasks that ended in the last minute, as far as this process knows. Updates contain the state of a run, not the change, so the last state of each
// running run is kept; a run first seen in the middle counts from there on.
import { isFinal, type RunUpdate } from '../../model/run/run.ts';

const RUNS_MAX = 25_000;
const SECONDS = 60;

export interface Throughput {
  /** A run that starts with this many entries already done. */
  begin(runId: string, done: number): void;
  see(updates: RunUpdate[]): void;
  perMinute(): number;
}

export function createThroughput(nowMs: () => number = Date.now): Throughput {
  // Two generations: when the young one is full the old one is dropped as a whole, since deleting single entries from a large map is slow.
  let places = new Map<string, number>();
  let older = new Map<string, number>();
  const counts = new Array<number>(SECONDS).fill(0);
  const stamps = new Array<number>(SECONDS).fill(0);

  function remember(runId: string, done: number): void {
    places.set(runId, done);
    if (places.size < RUNS_MAX) return;
    older = places;
    places = new Map();
  }

  return {
    begin: remember,
    see(updates) {
      const second = Math.floor(nowMs() / 1_000);
      const slot = second % SECONDS;
      if (stamps[slot] !== second) {
        stamps[slot] = second;
        counts[slot] = 0;
      }
      for (const update of updates) {
        const done = update.completed + update.failed;
        const before = places.get(update.runId) ?? older.get(update.runId) ?? done - 1;
        if (update.status !== 'cancelled') counts[slot]! += Math.max(0, done - before);
        if (isFinal(update.status)) places.delete(update.runId);
        else remember(update.runId, Math.max(done, before));
      }
    },
    perMinute() {
      const oldest = Math.floor(nowMs() / 1_000) - SECONDS;
      return counts.reduce((sum, count, slot) => (stamps[slot]! > oldest ? sum + count : sum), 0);
    },
  };
}
