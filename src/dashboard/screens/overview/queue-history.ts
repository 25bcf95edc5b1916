// The queue as this page has seen it: the server keeps no past of it (Prometheus does).
import { useRef } from 'preact/hooks';
import type { Overview } from './screen.tsx';

interface Seen {
  /** Seconds since 1970. */
  at: number;
  waiting: number | null;
  active: number | null;
  age: number | null;
}

const SEEN_MAX = 240;
const NOTHING = { waiting: null, active: null, age: null };

export function useQueueHistory(overview: Overview | null): readonly Seen[] {
  const seen = useRef<{ last: Overview | null; all: Seen[] }>({ last: null, all: [] });
  if (overview && overview !== seen.current.last) {
    const { queue, as_of } = overview;
    const at = Math.floor(Date.parse(as_of) / 1_000);
    if (at !== seen.current.all.at(-1)?.at) {
      const next = { at, waiting: queue.waiting, active: queue.active, age: queue.oldest_waiting_seconds ?? 0 };
      // An empty minute before the first one: a single moment has no axis.
      const before = seen.current.all.length > 0 ? seen.current.all : [{ ...NOTHING, at: at - 60 }];
      seen.current = { last: overview, all: [...before, next].slice(-SEEN_MAX) };
    }
  }
  return seen.current.all;
}
