// Interfaces of the store for the queue: waiting tasks, leased tasks, dead letters.
import type { Pool } from 'pg';
import type { RunUpdate } from '../../model/run/run.ts';
import type { TaskRef } from '../../model/task/messages.ts';
import { bindAll } from '../postgres/bind.ts';
import type { NewCheck } from '../quality/checks.ts';
import {
  countDeadLetters,
  countMatchingDeadLetters,
  type DeadLetter,
  type DeadLetterGroup,
  deadLetterGroups,
  foldDeadLetterCounts,
  getDeadLetters,
  type LetterFilter,
  listDeadLetters,
  matchingDeadLetters,
  removeDeadLetters,
} from './dead-letters.ts';
import { excuseNextLeaseLoss, type HeldTasks, type Renewed, renewLeases } from './held-leases.ts';
import {
  type LaneDepth,
  type LaneWait,
  type Lease,
  leasedLanes,
  promoteDelayed,
  queueDepths,
  queueWaits,
} from './queue.ts';
import {
  type LeasedTasks,
  type LeaseOptions,
  type LinePart,
  type LookFrom,
  leasedByHost,
  leaseReady,
  type ReadyLines,
  readyHosts,
  readyLanes,
  readyLines,
  sourcesReleasedSince,
} from './ready.ts';
import {
  giveBack,
  type LostOptions,
  type Reported,
  type ResolveOptions,
  resolve,
  resolveLost,
  type Verdict,
} from './resolve.ts';
import { tasksOfWorker, type WorkerTask } from './worker-tasks.ts';

/** Tasks that wait. Any number of dispatchers may use it at once. */
export interface QueueStore {
  /**
   * The lines of a lane in which something is ready, how much waits in each, counted no further than `upTo`, and what of it must wait on. Of very many
   * lines only those that come next.
   */
  readyLines(lane: string, options: { upTo: number; from: LookFrom }): Promise<ReadyLines>;
  /** Those of these lanes in which something is ready. */
  readyLanes(lanes: string[]): Promise<string[]>;
  /** Which hosts the first tasks of these lines wait for, and how many of them each. */
  readyHosts(lane: string, parts: LinePart[]): Promise<(LinePart & { host: string })[]>;
  /** How many tasks are out that wait for these hosts, or ask them. */
  leasedByHost(hosts: string[]): Promise<Map<string, number>>;
  /**
   * Moves tasks from the queue to leases and returns the messages to send. Any number of dispatchers may do this at once. Held tasks that it meets are
   * parked among the delayed ones, and those of a host that can take no more go to the line of that host: out of the way of the others behind them.
   */
  leaseReady(options: LeaseOptions): Promise<LeasedTasks>;
  /** Which of these sources are no longer held back. */
  sourcesReleasedSince(sources: string[]): Promise<string[]>;
  /** Returns unused leases to the queue, unchanged. */
  giveBack(tasks: TaskRef[]): Promise<void>;
  /** Makes delayed tasks whose time has come ready; returns how many. */
  promoteDelayed(limit: number): Promise<number>;
  /** For screens and metrics; reads the whole queue, so callers cache it. */
  queueDepths(): Promise<LaneDepth[]>;
  /** By lane, what its tasks wait for. */
  queueWaits(): Promise<LaneWait[]>;
}

/** Leased tasks. */
export interface LeaseStore {
  /**
   * Renews the leases that workers say they hold, gives back those that ran out by mistake, and returns the tasks they no longer hold (recorded, cancelled,
   * or begun by another). Rows being settled at this moment are skipped, not waited for: they need no renewal.
   */
  renewLeases(held: HeldTasks[]): Promise<Renewed>;
  /** Takes the leases of these attempts, asks `decide` what becomes of them, and writes it: all in one transaction. */
  resolve(
    options: ResolveOptions,
    decide: (reported: Reported) => Verdict,
  ): Promise<{ updates: RunUpdate[]; checks: NewCheck[] }>;
  /**
   * Finds lost leases and does the same with them. `untaken` are tasks still on the wire: nobody lost those, they are only waiting.
   * After the wire was lost (`unclaimed`) the leases no worker has claimed are lost too, however long they would still run.
   */
  resolveLost(
    options: LostOptions,
    decide: (leases: Lease[]) => Verdict,
  ): Promise<{ found: number; updates: RunUpdate[] }>;
  /** The tasks that a worker has in hand, the oldest first. */
  tasksOfWorker(worker: string, limit: number, owner: string | null): Promise<WorkerTask[]>;
  /** Lanes with leased tasks. */
  leasedLanes(): Promise<string[]>;
  /**
   * After the wire was lost: reports of the tasks that are out may have been lost with it, so the next loss of each counts for nothing. Kept as a
   * crash less, which the retry policy reads.
   */
  excuseNextLeaseLoss(): Promise<void>;
}

/** Tasks that ran out of attempts. */
export interface DeadLetterStore {
  /** Newest first. `before`: the last one of the page before. */
  listDeadLetters(
    options: LetterFilter & { limit: number; before: { diedAt: string; taskId: string } | null },
  ): Promise<DeadLetter[]>;
  /** The newest that match. */
  matchingDeadLetters(filter: LetterFilter, limit: number): Promise<{ taskId: string; diedAt: Date }[]>;
  /** By age or by run no further than `upTo`. */
  countMatchingDeadLetters(filter: LetterFilter, upTo: number): Promise<number>;
  deadLetterGroups(
    filter: Pick<LetterFilter, 'source' | 'category' | 'code'>,
    limit: number,
  ): Promise<DeadLetterGroup[]>;
  /** Keeps counting cheap; one process in a minute is enough. */
  foldDeadLetterCounts(): Promise<void>;
  countDeadLetters(): Promise<{ source: string; count: number }[]>;
  /** Those that are there, of the ids asked for. */
  getDeadLetters(taskIds: string[], owner: string | null): Promise<DeadLetter[]>;
  /** Returns the ids that were there. */
  removeDeadLetters(taskIds: string[], owner: string | null): Promise<string[]>;
}

export const queueStore = (pool: Pool): QueueStore & LeaseStore & DeadLetterStore =>
  bindAll(pool, {
    readyLines,
    readyLanes,
    readyHosts,
    leasedByHost,
    leaseReady,
    sourcesReleasedSince,
    promoteDelayed,
    giveBack,
    resolve,
    resolveLost,
    queueDepths,
    queueWaits,
    renewLeases,
    leasedLanes,
    tasksOfWorker,
    excuseNextLeaseLoss,
    listDeadLetters,
    matchingDeadLetters,
    countMatchingDeadLetters,
    deadLetterGroups,
    foldDeadLetterCounts,
    countDeadLetters,
    getDeadLetters,
    removeDeadLetters,
  });
