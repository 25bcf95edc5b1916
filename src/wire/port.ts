// What carries messages between processes. Two carriers keep this contract (memory, redis) and one conformance suite checks both.
// The wire may lose anything at any time: the truth is in the store, and whatever was lost is sent again from there.

import type { EvidenceReport, EvidenceWish } from '../model/evidence/evidence.ts';
import type { RunUpdate } from '../model/run/run.ts';
import type { Band } from '../model/task/band.ts';
import type { Held, Report, SealedTask, TaskMessage, TaskRef, WorkerBeat } from '../model/task/messages.ts';

export interface ReportBatch {
  /** Not parsed: the recorder validates them. */
  reports: unknown[];
  /** Call after the reports were committed to the store; without it they are delivered again. */
  ack(): Promise<void>;
}

export interface EvidenceBatch {
  /** Not parsed. */
  evidence: unknown[];
  ack(): Promise<void>;
}

/** How many wait on the wire at most: some 100 MB of the largest. */
export const EVIDENCE_WAITING_MAX = 100;

/** What a worker said it holds, and how long ago. */
export interface Heard {
  held: Held;
  ageMs: number;
}

export interface Wire {
  /** Changes when the carrier lost what it held (flush, restart, failover). Rejects while the carrier cannot be reached. */
  epoch(): Promise<string>;

  // orchestrator → workers
  sendTasks(lane: string, band: Band, tasks: SealedTask[]): Promise<void>;
  /** Task ids sent on a lane that no worker has taken yet. Bounded by the dispatch window. */
  untaken(lane: string): Promise<Set<string>>;
  /** How many those are; cheap enough to ask before every dispatch. */
  depth(lane: string): Promise<number>;
  /** Asks workers to stop these now. May be lost: a worker also finds out after its next heartbeat. */
  cancel(tasks: TaskRef[]): Promise<void>;
  onCancel(listener: (tasks: TaskRef[]) => void): () => void;
  /** Which workers take no more tasks. Kept until it is said again; the wire may lose it. */
  tellDrains(workers: readonly string[]): Promise<void>;
  /** Null: nothing was said, or it was lost. */
  drains(): Promise<readonly string[] | null>;
  /** Only what changes. May be lost: ask, too. */
  onDrains(listener: (workers: readonly string[]) => void): () => void;
  /** Asks workers for pages of attempts that ended a moment ago. May be lost, and nobody may have them any more. */
  askEvidence(wishes: EvidenceWish[]): Promise<void>;
  onEvidenceAsked(listener: (wishes: EvidenceWish[]) => void): () => void;

  // workers → orchestrator
  /** Waits up to a few seconds for at least one task; resolves empty when there is none or the signal aborts. */
  takeTasks(lanes: string[], max: number, signal: AbortSignal): Promise<TaskMessage[]>;
  report(reports: Report[]): Promise<void>;
  /** Beside the reports, which wait for no page. Bounded: where nobody reads, the oldest are dropped. */
  sendEvidence(evidence: EvidenceReport): Promise<void>;
  /** What is there, the oldest first. Without `ack` it is delivered again, and two who read at once may both get it. */
  readEvidence(max: number): Promise<EvidenceBatch>;
  /** Waits up to a few seconds for at least one report. */
  readReports(max: number, signal: AbortSignal): Promise<ReportBatch>;
  /** Reports sent and not yet recorded: workers stop taking tasks when this grows. */
  backlog(): Promise<number>;
  /** How long ago the oldest of them was sent; 0 when there is none. */
  backlogMs(): Promise<number>;
  /** A heartbeat, and what the worker holds: it replaces what was said before, and waits behind no report. */
  beat(beat: WorkerBeat, held?: Held): Promise<void>;
  workers(): Promise<WorkerBeat[]>;
  /** The last word of each worker about what it holds. */
  held(): Promise<Heard[]>;

  // orchestrator → api
  publish(updates: RunUpdate[]): Promise<void>;
  onUpdates(listener: (updates: RunUpdate[]) => void): () => void;
  /** "There is new work in the store": saves the dispatcher its poll. May be lost. */
  wake(): void;
  onWake(listener: () => void): () => void;

  /** Resolves with the round trip in milliseconds; rejects when the carrier does not answer in time. */
  ping(): Promise<number>;
  close(): Promise<void>;
}
