// Sizes of the queue, and how long its oldest task has waited for a worker. What a reader would get wrong: a task that waits for the rate limit which we keep
// with its site does not wait for a worker, so its time counts from the turn that it could have had.
import type { LaneDepth } from '../../store/queue/queue.ts';
import type { QueueStore } from '../../store/queue/queue-store.ts';
import type { Pace, PaceOfSites } from './pace.ts';

export type Depth = Omit<LaneDepth, 'firsts'> & { oldestWaitingSeconds: number | null };

/** `sites` answers in time, or rejects: then everything waits. */
export async function readDepths(store: Pick<QueueStore, 'queueDepths'>, sites: PaceOfSites | null): Promise<Depth[]> {
  const found = await store.queueDepths();
  const paces = new Map<string, Pace>();
  for (const { source, host } of found.flatMap(({ firsts }) => firsts)) {
    const pace = host === null ? undefined : sites?.of(source)?.pace;
    if (pace) paces.set(host!, pace);
  }
  const due = await dueForSeconds(paces, sites);
  return found.map(({ firsts, ...depth }) => {
    const waits = firsts.map(({ host, seconds }) => Math.min(seconds, due.get(host ?? '') ?? seconds));
    return { ...depth, oldestWaitingSeconds: waits.length === 0 ? null : Math.max(...waits) };
  });
}

/** By host. Empty while the wire is away: then everything waits. */
async function dueForSeconds(
  paces: ReadonlyMap<string, Pace>,
  sites: PaceOfSites | null,
): Promise<Map<string, number>> {
  if (sites === null || paces.size === 0) return new Map();
  const queries = [...paces].map(([host, pace]) => ({ host, pace }));
  const turns = await sites.turns(queries, 0).catch(() => []);
  return new Map(turns.map(({ dueForMs }, index) => [queries[index]!.host, dueForMs / 1_000]));
}
