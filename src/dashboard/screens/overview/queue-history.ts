// The queue of the last hours as an orchestrator noted it, minute by minute, and of the last minutes as this page has seen it.
import { useRef } from 'preact/hooks';
import { useAnswer } from '../../live/answers.ts';
import type { Overview } from './screen.tsx';

export interface Seen {
  /** Seconds since 1970. */
  at: number;
  waiting: number | null;
  active: number | null;
  age: number | null;
}

const HOURS = 6;
const SEEN_MAX = 240;
/** Further apart than this there was no orchestrator: no line is drawn across. */
const GAP_SECONDS = 180;
const NOTHING = { waiting: null, active: null, age: null };

export function useQueueHistory(overview: Overview | null): readonly Seen[] {
  const noted = useAnswer('GET /jobs/queue/history', { query: { hours: HOURS } }, { every: 60 });
  const seen = useRef<{ last: Overview | null; all: Seen[] }>({ last: null, all: [] });
  if (overview && overview !== seen.current.last) {
    const { queue, as_of } = overview;
    const next = {
      at: Math.floor(Date.parse(as_of) / 1_000),
      waiting: queue.waiting,
      active: queue.active,
      age: queue.oldest_waiting_seconds ?? 0,
    };
    const before = seen.current.all.filter(({ at }) => at < next.at);
    seen.current = { last: overview, all: [...before, next].slice(-SEEN_MAX) };
  }
  const points = (noted.data?.points ?? []).map((point) => ({
    at: Date.parse(point.at) / 1_000,
    waiting: point.waiting,
    active: point.active,
    age: point.oldest_waiting_seconds ?? 0,
  }));
  return joined(points, seen.current.all);
}

/** What was seen goes on where what was noted ends. */
export function joined(noted: readonly Seen[], seen: readonly Seen[]): Seen[] {
  const last = noted.at(-1)?.at ?? 0;
  const all = [...noted, ...seen.filter(({ at }) => at > last)];
  // An empty minute before the first one: a single moment has no axis.
  const first = all[0];
  const drawn: Seen[] = first && all.length === 1 ? [{ ...NOTHING, at: first.at - 60 }] : [];
  for (const one of all) {
    const before = drawn.at(-1);
    if (before && one.at - before.at > GAP_SECONDS) drawn.push({ ...NOTHING, at: before.at + 1 });
    drawn.push(one);
  }
  return drawn;
}
