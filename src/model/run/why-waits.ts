// Why a run waits: the one place that decides it, for runs of every kind and on every surface. Pure: what is known of the engine and of the run's tasks in,
// a reason out. What a reader would get wrong: a run of which something is with a worker does not wait, and of several reasons the one that ends first counts,
// since the run goes on with it.
import { whyUntaken } from '../source/staffing.ts';
import { isPaced, type TaskError, type WorkerBeat } from '../task/messages.ts';

export const WAIT_REASONS = [
  'no_orchestrator',
  'no_wire',
  'paused',
  'breaker',
  'no_worker',
  'retry',
  'pace',
  'slots_full',
  'queue',
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

export interface Waiting {
  reason: WaitReason;
  message: string;
  /** When it goes on, where that is known. */
  until: Date | null;
  /** Tasks that go first, where it is a matter of turns. */
  ahead: number | null;
}

/** What holds the tasks of a source back. */
export interface Hold {
  pausedAt: Date | null;
  pauseReason: string | null;
  pausedBy: string | null;
  breaker: 'closed' | 'open' | 'half_open' | 'given_up';
  trouble: string | null;
  until: Date | null;
}

/** What is the same for all runs. */
export interface EngineState {
  orchestrators: number;
  /** Null while the wire is away. */
  workers: readonly WorkerBeat[] | null;
  /** By source. */
  holds: ReadonlyMap<string, Hold>;
}

/** Tasks of a run that have not ended, of one source in one state. */
export interface LiveTasks {
  source: string;
  lane: string;
  /** `sent`: on the wire, and no worker has said that it has it. */
  state: 'ready' | 'delayed' | 'held' | 'sent' | 'started';
  /** Delayed: when the first of them is due. */
  dueAt: Date | null;
  /** What went wrong with its last attempt. */
  error: TaskError | null;
  /** Ready: how many tasks of its line go first, counted no further than `AHEAD_MAX`. */
  ahead: number;
  /** Ready: the host that it asks first, where that is known. */
  host: string | null;
  /** What is counted by `ahead`; tasks unless said. */
  unit?: 'cart';
}

export const AHEAD_MAX = 1_000;

/** When a site may be asked next. */
export interface SiteTurn {
  nextAt: Date;
  /** Tasks that may go to it now. */
  left: number;
  /** Least time between two requests; 0: it has no pauses. */
  everyMs: number;
}

/** Null: something of it is under way, or it has ended. `turns`: of the hosts of its ready tasks, as far as they are known. */
export function whyWaits(
  tasks: readonly LiveTasks[],
  engine: EngineState,
  turns: ReadonlyMap<string, SiteTurn> = new Map(),
): Waiting | null {
  const stopped = whyNothingMoves(engine);
  if (stopped) return stopped;
  if (tasks.some(({ state }) => state === 'started')) return null;
  const reasons = tasks.map((one) => whyTaskWaits(one, engine, turns));
  return reasons.includes(null) ? null : ((reasons as Waiting[]).sort(bySoonest)[0] ?? null);
}

/** Why the tasks of a source are not even looked at; null when they are. */
export function whySourceWaits(source: string, lane: string, engine: EngineState): Waiting | null {
  return whyNothingMoves(engine) ?? whyHeld(source, engine.holds.get(source)) ?? whyNoWorker(source, lane, engine);
}

/** Whether anything can be said of when it goes on: with these reasons nothing moves until somebody, or a clock, ends them. */
const STANDSTILL: ReadonlySet<WaitReason> = new Set([
  'no_orchestrator',
  'no_wire',
  'paused',
  'breaker',
  'no_worker',
  'retry',
]);
export const isStandstill = (waiting: Waiting | null): boolean => waiting !== null && STANDSTILL.has(waiting.reason);

/** Those further on end sooner. */
const bySoonest = (a: Waiting, b: Waiting): number =>
  WAIT_REASONS.indexOf(b.reason) - WAIT_REASONS.indexOf(a.reason) ||
  (a.until?.getTime() ?? 0) - (b.until?.getTime() ?? 0) ||
  (a.ahead ?? 0) - (b.ahead ?? 0);

const because = (reason: WaitReason, message: string, more: Partial<Waiting> = {}): Waiting => ({
  reason,
  message,
  until: null,
  ahead: null,
  ...more,
});

function whyNothingMoves({ orchestrators, workers }: EngineState): Waiting | null {
  if (orchestrators === 0)
    return because('no_orchestrator', 'no orchestrator is running (start one with "windrow orchestrator")');
  if (workers === null) return because('no_wire', 'Redis does not answer');
  return null;
}

/** Null: it is on its way to a worker that has a slot for it. */
function whyTaskWaits(task: LiveTasks, engine: EngineState, turns: ReadonlyMap<string, SiteTurn>): Waiting | null {
  const { source, lane, state, dueAt, error, host, ahead } = task;
  const held = state === 'sent' ? null : whyHeld(source, engine.holds.get(source));
  if (held) return held;
  const untaken = whyNoWorker(source, lane, engine);
  if (untaken) return untaken;
  if (state === 'delayed') return whyDelayed(source, dueAt, error);
  const turn = host === null ? undefined : turns.get(host);
  // With more turns left than tasks before it, it is not the site that it waits for.
  if (state === 'ready' && turn && turn.left <= ahead) return whyItsSiteWaits(task, turn);
  return whyItsTurnIsLater(task, engine);
}

function whyHeld(source: string, hold: Hold | undefined): Waiting | null {
  if (!hold) return null;
  const { pausedAt, pauseReason, pausedBy, breaker, trouble, until } = hold;
  if (pausedAt) {
    const by = pausedBy === null ? '' : ` by ${pausedBy}`;
    return because(
      'paused',
      `${source} was paused at ${timeOf(pausedAt)}${by}${pauseReason ? `: ${pauseReason}` : ''}`,
    );
  }
  const cause = trouble === null ? '' : ` (${trouble})`;
  if (breaker === 'open')
    return because(
      'breaker',
      `the circuit breaker of ${source} is open${until ? ` until ${timeOf(until)}` : ''}${cause}`,
      {
        until,
      },
    );
  if (breaker === 'half_open')
    return because('breaker', `the circuit breaker of ${source} is half open: one task is tried first${cause}`, {
      until,
    });
  return null;
}

function whyNoWorker(source: string, lane: string, { workers }: EngineState): Waiting | null {
  const untaken = whyUntaken({ name: source, lane, module: lane.includes('+') ? source : null }, workers ?? []);
  return untaken === null ? null : because('no_worker', untaken);
}

function whyDelayed(source: string, dueAt: Date | null, error: TaskError | null): Waiting {
  const at = dueAt ? ` at ${timeOf(dueAt)}` : '';
  if (isPaced(error)) return because('pace', `rate limit of ${source}: next turn${at}`, { until: dueAt });
  return because('retry', `${error ? `${source}: ${error.message}, ` : ''}next try${at}`, { until: dueAt });
}

function whyItsSiteWaits(task: LiveTasks, { nextAt, everyMs }: SiteTurn): Waiting {
  const every = everyMs === 0 ? '' : ` (a request every ${everyMs / 1_000} s)`;
  const first = task.ahead === 0 ? '' : `, ${aheadText(task)}`;
  return because('pace', `rate limit of ${task.host}${every}: next turn at ${timeOf(nextAt)}${first}`, {
    until: nextAt,
    ahead: task.ahead,
  });
}

function whyItsTurnIsLater(task: LiveTasks, { workers }: EngineState): Waiting | null {
  const { lane, state, ahead } = task;
  const taking = (workers ?? []).filter((worker) => !worker.draining && worker.lanes.includes(lane));
  const slots = taking.reduce((sum, worker) => sum + worker.slots, 0);
  const busy = taking.reduce((sum, worker) => sum + Math.min(worker.busy, worker.slots), 0);
  const line = `${aheadText(task)} in lane ${lane}`;
  if (busy < slots) return state === 'sent' ? null : because('queue', line, { ahead });
  return because('slots_full', `all ${slots} slots of lane ${lane} are busy, ${line}`, { ahead });
}

function aheadText({ ahead, unit }: LiveTasks): string {
  const count = ahead === AHEAD_MAX && unit === undefined ? `${AHEAD_MAX} or more` : String(ahead);
  return `${count} ${unit ?? 'task'}${ahead === 1 ? '' : 's'} ahead`;
}

/** `2026-02-04 10:33:00 UTC` */
const timeOf = (at: Date): string => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
