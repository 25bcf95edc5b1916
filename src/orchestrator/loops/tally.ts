// Counts results per source: in memory with every report, written every few seconds. Counts that could not be written are kept.
import { addAttempt, addItems, addTally, newTally, type Tally } from '../../model/source/tally.ts';
import type { Result } from '../../model/task/messages.ts';
import type { SourceStore } from '../../store/sources/source-store.ts';
import { slotOf } from '../../store/sources/source-tallies.ts';
import type { TaskSettled } from './record.ts';

/** A limit, since names come with reports; no installation has this many sources. */
const SOURCES_MAX = 1_000;

export interface Tallies {
  attempt(settled: TaskSettled): void;
  items(result: Result): void;
  write(): Promise<void>;
}

export function createTallies(store: Pick<SourceStore, 'addTallies'>, now: () => number = Date.now): Tallies {
  let counted = new Map<string, Tally>();

  function of(source: string): Tally {
    const known = counted.get(source);
    if (known) return known;
    const tally = newTally();
    if (counted.size < SOURCES_MAX) counted.set(source, tally);
    return tally;
  }

  return {
    attempt({ result, outcome }) {
      if (outcome !== 'stale') addAttempt(of(result.scraper_type), { result, outcome, atMs: now() });
    },
    items: (result) => addItems(of(result.scraper_type), result),
    async write() {
      if (counted.size === 0) return;
      const writing = counted;
      counted = new Map();
      try {
        await store.addTallies(slotOf(now()), writing);
      } catch (error) {
        for (const [source, tally] of writing) addTally(of(source), tally);
        throw error;
      }
    },
  };
}
