// Why runs wait, for all areas: the state of the engine is read at most once a second, whoever asks, and a run's tasks no more often than that. The decision
// itself is model/run/why-waits.ts.
import { z } from 'zod';
import type { Run } from '../../model/run/run.ts';
import {
  type EngineState,
  type LiveTasks,
  type SiteTurn,
  WAIT_REASONS,
  type Waiting,
  whySourceWaits,
  whyWaits,
} from '../../model/run/why-waits.ts';
import type { SourceAbout } from '../../model/source/site.ts';
import type { WorkerBeat } from '../../model/task/messages.ts';
import { cached, within } from '../../observe/cached.ts';
import { type Pace, type PaceOfSites, tasksLeft } from '../../orchestrator/dispatch/pace.ts';
import type { OrchestratorStore } from '../../store/orchestrators.ts';
import type { QueueStore } from '../../store/queue/queue-store.ts';
import type { RunStore } from '../../store/runs/run-store.ts';
import type { SourceHoldStore } from '../../store/sources/source-store.ts';
import { nameSchemas } from '../validation/named.ts';

export const WaitingView = z
  .object({
    reason: z.enum(WAIT_REASONS),
    message: z.string(),
    until: z.string().optional().meta({ description: 'When it goes on, where that is known.' }),
    ahead: z.number().int().optional().meta({ description: 'Tasks (carts, for a cart) that go first.' }),
  })
  .meta({ description: 'Why nothing of it is being worked on; absent while something is.' });

export const WAITING_EXAMPLE = {
  reason: 'paused',
  message: 'indeed was paused at 2026-02-04 10:33:00 UTC by key 1f0c5a9b3d2e: The site is being rebuilt.',
};
nameSchemas({ Waiting: WaitingView });

export const waitingView = ({ reason, message, until, ahead }: Waiting): z.infer<typeof WaitingView> => ({
  reason,
  message,
  ...(until === null ? {} : { until: until.toISOString() }),
  ...(ahead === null ? {} : { ahead }),
});

/** As fields of an answer: none when there is nothing to say. */
export const waitingField = (waiting: Waiting | null) => (waiting === null ? {} : { waiting: waitingView(waiting) });

export interface WaitingRuns {
  engine(): Promise<EngineState>;
  /** By source: why its tasks do not go to a worker. Those that do are not in it. */
  bySource(): Promise<ReadonlyMap<string, Waiting>>;
  /** Null when it does not wait. */
  of(run: Pick<Run, 'id' | 'status'>): Promise<Waiting | null>;
  /** When these hosts may be asked next, where tasks of these sources are ready for them. */
  turnsOf(tasks: readonly Pick<LiveTasks, 'source' | 'state' | 'host'>[]): Promise<ReadonlyMap<string, SiteTurn>>;
}

export interface WaitingRunsOptions {
  store: Pick<RunStore, 'liveTasks'> &
    Pick<SourceHoldStore, 'listHolds'> &
    Pick<QueueStore, 'leasedByHost'> &
    OrchestratorStore;
  sources: readonly SourceAbout[];
  /** Cached. */
  workers(): Promise<WorkerBeat[]>;
  /** Null: the pace of sites is not known here. */
  sites: PaceOfSites | null;
}

const KEPT_MS = 1_000;
const LIMIT_MS = 5_000;
/** Nobody waits long for a detail of the answer. */
const TURNS_LIMIT_MS = 1_000;
/** Runs whose reason is kept. */
const RUNS_MAX = 5_000;

export function createWaitingRuns({ store, sources, workers, sites }: WaitingRunsOptions): WaitingRuns {
  const known = new Map<string, { untilMs: number; waiting: Promise<Waiting | null> }>();

  const engine = cached({
    async ask(): Promise<EngineState> {
      const [orchestrators, holds, beats] = await Promise.all([
        store.countOrchestrators(),
        store.listHolds(),
        workers().catch(() => null),
      ]);
      return { orchestrators, workers: beats, holds: new Map(holds.map((hold) => [hold.source, hold])) };
    },
    keepMs: KEPT_MS,
    limitMs: LIMIT_MS,
    what: 'The database',
  });

  async function turnsOf(
    tasks: readonly Pick<LiveTasks, 'source' | 'state' | 'host'>[],
  ): Promise<ReadonlyMap<string, SiteTurn>> {
    const paces = new Map<string, Pace>();
    for (const { source, state, host } of tasks) {
      const pace = state === 'ready' && host !== null ? sites?.of(source)?.pace : undefined;
      if (pace) paces.set(host!, pace);
    }
    if (paces.size === 0) return new Map();
    // Without the wire nothing is known of turns; its outage is a reason of its own.
    const found = await within(tasksLeft(paces, store, sites!), TURNS_LIMIT_MS, 'Redis').catch(() => []);
    const nowMs = Date.now();
    return new Map(
      [...found].map(([host, { left, nextInMs }]): [string, SiteTurn] => [
        host,
        { left, nextAt: new Date(nowMs + nextInMs), everyMs: paces.get(host)!.delayMs },
      ]),
    );
  }

  async function read(id: string): Promise<Waiting | null> {
    const [tasks, state] = await Promise.all([within(store.liveTasks(id), LIMIT_MS, 'The database'), engine()]);
    const waiting = whyWaits(tasks, state);
    // Asked for only where it can make a difference: not while the wire is away.
    const isItsTurn = waiting?.reason === 'queue' || waiting?.reason === 'slots_full';
    return isItsTurn ? whyWaits(tasks, state, await turnsOf(tasks)) : waiting;
  }

  return {
    engine,
    turnsOf,
    async bySource() {
      const state = await engine();
      return new Map(
        sources.flatMap(({ name, lane }) => {
          const waiting = whySourceWaits(name, lane, state);
          return waiting === null ? [] : [[name, waiting]];
        }),
      );
    },
    of({ id, status }) {
      if (status !== 'running') return Promise.resolve(null);
      const last = known.get(id);
      if (last && last.untilMs > performance.now()) return last.waiting;
      known.delete(id);
      const waiting = read(id);
      known.set(id, { untilMs: performance.now() + KEPT_MS, waiting });
      if (known.size > RUNS_MAX) known.delete(known.keys().next().value!);
      return waiting;
    },
  };
}
