// The queue of the last hours as an orchestrator noted it, minute by minute, and of the last minutes as this page has seen it.
import { useRef } from 'preact/hooks';
import { useAnswer } from '../../live/answers.ts';
import { HOURS, joined, type Seen } from './queue-points.ts';
import type { Overview } from './screen.tsx';

const SEEN_MAX = 240;

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
