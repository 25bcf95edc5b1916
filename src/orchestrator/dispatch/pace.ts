// What dispatch knows of the pace of sites: which host the tasks of a source ask first, and how many more tasks that host can take within the next second.
import type { QueueStore } from '../../store/queue/queue-store.ts';

export interface Pace {
  concurrency: number;
  delayMs: number;
  maxDelayMs?: number;
}

export interface SourcePace {
  pace: Pace;
  /** The host that all its tasks ask first; null: each task has its own. */
  host: string | null;
}

export interface Turns {
  /** Until the next request may start; 0: now. */
  nextInMs: number;
  /** Requests that may start within the time asked about. */
  due: number;
  /** Requests under way. */
  inFlight: number;
  /** Requests that may be under way at a time. */
  places: number;
  /** How long the next one could have started already; 0 while there is no turn. */
  dueForMs: number;
}

export interface PaceOfSites {
  /** Null: nothing is known of the source, and its tasks go as they come. */
  of(source: string): SourcePace | null;
  /** Of each host, in their order; from the clocks that workers share. */
  turns(queries: readonly { host: string; pace: Pace }[], withinMs: number): Promise<Turns[]>;
}

/** A worker waits about this long for a turn (web/web.ts), so a task may be handed out this long before it. */
export const TURN_WITHIN_MS = 1_000;

/** Tasks that may be out for each request that may be under way. */
const AHEAD = 4;

export interface TasksLeft {
  /** Tasks that may be handed out now. */
  left: number;
  /** Tasks that may be out afterwards. */
  most: number;
  /** Until the next request may start; 0: now. */
  nextInMs: number;
}

/** A task that is out and not asking at this moment will ask soon: the turns that are due are its, too. */
export async function tasksLeft(
  hosts: ReadonlyMap<string, Pace>,
  store: Pick<QueueStore, 'leasedByHost'>,
  sites: PaceOfSites,
): Promise<Map<string, TasksLeft>> {
  const names = [...hosts.keys()];
  if (names.length === 0) return new Map();
  const [turns, leased] = await Promise.all([
    sites.turns(
      [...hosts].map(([host, pace]) => ({ host, pace })),
      TURN_WITHIN_MS,
    ),
    store.leasedByHost(names),
  ]);
  return new Map(
    names.map((host, index) => {
      const { due, inFlight, nextInMs, places } = turns[index]!;
      const out = leased.get(host) ?? 0;
      // A site that answers quickly has hundreds of turns a second; when it hangs all of a sudden, that many tasks must not wait for it.
      const ahead = AHEAD * Math.max(places, inFlight);
      const left = Math.max(0, Math.min(due, ahead) - Math.max(0, out - inFlight));
      return [host, { left, most: out + left, nextInMs }];
    }),
  );
}
