// What dispatch knows of the pace of sites: which host the tasks of a source ask first, and how many more tasks that host can take within the next second.
import { parseLine } from '../../model/task/line.ts';
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
      const { due, inFlight } = turns[index]!;
      const out = leased.get(host) ?? 0;
      // A site that answers quickly has hundreds of turns a second; when it hangs all of a sudden, that many tasks must not wait for it.
      const ahead = AHEAD * Math.max(hosts.get(host)!.concurrency, inFlight);
      const left = Math.max(0, Math.min(due, ahead) - Math.max(0, out - inFlight));
      return [host, { left, most: out + left }];
    }),
  );
}

/** Why a task that is ready does not go: its place in the line of its host. */
export interface TurnWait {
  host: string;
  /** Until the host may be asked next, by anyone. */
  nextInMs: number;
  /** Tasks that go before it. */
  ahead: number;
  /** Least time between two requests of one exit to the host, as its source says; null: it has no pauses. */
  everyMs: number | null;
}

/** For those who tell people what a run waits for: of its waiting tasks the one that goes next; null when none of them waits for a host. */
export async function turnWait(
  runId: string,
  store: Pick<QueueStore, 'placeInLine'>,
  sites: PaceOfSites,
): Promise<TurnWait | null> {
  const place = await store.placeInLine(runId);
  const known = place && sites.of(place.source);
  // A line of tasks with different hosts waits for workers.
  if (!known || (known.host === null && parseLine(place.line).host === null)) return null;
  const { host, ahead } = place;
  const { pace } = known;
  const [turn] = await sites.turns([{ host, pace }], TURN_WITHIN_MS);
  return { host, nextInMs: turn!.nextInMs, ahead, everyMs: pace.delayMs > 0 ? pace.delayMs : null };
}
