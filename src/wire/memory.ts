// The wire inside one process. Same contract as Redis; reports are passed by reference, so nobody may change one after sending it.
import { randomUUID } from 'node:crypto';
import type { EvidenceReport, EvidenceWish } from '../model/evidence/evidence.ts';
import { ITEMS_FIELD, KINDS } from '../model/item/item.ts';
import type { RunUpdate } from '../model/run/run.ts';
import { BANDS, type Band, bandOrder, laneOrder } from '../model/task/band.ts';
import type { Held, Report, SealedTask, TaskMessage, TaskRef, WorkerBeat } from '../model/task/messages.ts';
import { EVIDENCE_WAITING_MAX, type ReportBatch, type Wire } from './port.ts';

/** How long a read waits before it returns empty, so that its caller can check other things. */
const PATIENCE_MS = 2_000;
const BEAT_LIFE_MS = 10_000;
/** Items of reports that have many, in one batch: recording all that wait at once would hold the process for seconds. */
const ITEMS_PER_BATCH = 2_000;
/** Reports read and not acknowledged for this long are delivered again. */
const ABANDONED_MS = 15_000;

/** How many reports are a batch; at least one. */
function fitting(reports: readonly Report[], max: number): number {
  let items = 0;
  let count = 0;
  for (; count < Math.min(reports.length, max); count++) {
    items += itemsOf(reports[count]!);
    if (items > ITEMS_PER_BATCH) break;
  }
  return Math.max(count, Math.min(reports.length, 1));
}

/** One is what a report usually has. */
const itemsOf = (report: Report): number => {
  if (report.type !== 'result') return 0;
  let count = 0;
  for (const kind of KINDS) count += report[ITEMS_FIELD[kind]]?.length ?? 0;
  return Math.max(0, count - 1);
};

export function createMemoryWire(options: { abandonedMs?: number } = {}): Wire {
  const abandonedMs = options.abandonedMs ?? ABANDONED_MS;
  const epoch = randomUUID();
  const lanes = new Map<string, Record<Band, SealedTask[]>>();
  const reports: Report[] = [];
  /** Read and not recorded yet, by when they were read. */
  const unacknowledged = new Map<Report[], number>();
  const beats = new Map<string, { beat: WorkerBeat; at: number }>();
  const heldBy = new Map<string, { held: Held; at: number }>();
  const tasksCame = doorbell();
  const reportsCame = doorbell();
  const evidence = new Set<EvidenceReport>();
  const cancels = listeners<TaskRef[]>();
  const wishes = listeners<EvidenceWish[]>();
  const drainsTold = listeners<readonly string[]>();
  let drained: readonly string[] | null = null;
  const updates = listeners<RunUpdate[]>();
  const wakes = listeners<void>();
  let takes = 0;

  function laneOf(name: string): Record<Band, SealedTask[]> {
    let lane = lanes.get(name);
    if (!lane) {
      lane = { high: [], medium: [], low: [] };
      lanes.set(name, lane);
    }
    return lane;
  }

  function takeNow(names: string[], max: number): TaskMessage[] {
    const taken: SealedTask[] = [];
    const inTurn = laneOrder(names, takes);
    for (const band of bandOrder(takes++)) {
      for (const name of inTurn) {
        if (taken.length < max) taken.push(...laneOf(name)[band].splice(0, max - taken.length));
      }
    }
    return taken.map((task) => JSON.parse(task.text) as TaskMessage);
  }

  return {
    epoch: async () => epoch,
    async sendTasks(lane, band, tasks) {
      laneOf(lane)[band].push(...tasks);
      tasksCame.ring();
    },
    async untaken(lane) {
      return new Set(BANDS.flatMap((band) => laneOf(lane)[band].map((task) => task.task_id)));
    },
    async depth(lane) {
      return BANDS.reduce((sum, band) => sum + laneOf(lane)[band].length, 0);
    },
    async cancel(tasks) {
      cancels.tell(tasks);
    },
    onCancel: cancels.add,
    async tellDrains(workers) {
      drained = workers;
      drainsTold.tell(workers);
    },
    drains: async () => drained,
    onDrains: drainsTold.add,
    async askEvidence(asked) {
      wishes.tell(asked);
    },
    onEvidenceAsked: wishes.add,
    async sendEvidence(one) {
      evidence.add(one);
      const oldest = evidence.size > EVIDENCE_WAITING_MAX ? evidence.values().next().value : undefined;
      if (oldest) evidence.delete(oldest);
    },
    async readEvidence(max) {
      const batch = [...evidence].slice(0, max);
      return {
        evidence: batch,
        async ack() {
          for (const one of batch) evidence.delete(one);
        },
      };
    },
    async takeTasks(names, max, signal) {
      let taken = takeNow(names, max);
      if (taken.length === 0 && !signal.aborted) {
        await tasksCame.wait(signal);
        taken = signal.aborted ? [] : takeNow(names, max);
      }
      return taken;
    },
    async report(batch) {
      reports.push(...batch);
      reportsCame.ring();
    },
    async readReports(max, signal): Promise<ReportBatch> {
      for (const [batch, readAt] of unacknowledged) {
        if (performance.now() - readAt < abandonedMs) break;
        unacknowledged.delete(batch);
        reports.unshift(...batch);
      }
      if (reports.length === 0 && !signal.aborted) await reportsCame.wait(signal);
      const batch = reports.splice(0, fitting(reports, max));
      if (batch.length > 0) unacknowledged.set(batch, performance.now());
      return {
        reports: batch,
        async ack() {
          unacknowledged.delete(batch);
        },
      };
    },
    async backlog() {
      let count = reports.length;
      for (const batch of unacknowledged.keys()) count += batch.length;
      return count;
    },
    async backlogMs() {
      const oldest = unacknowledged.values().next().value;
      return oldest === undefined ? 0 : performance.now() - oldest;
    },
    async beat(beat, held) {
      beats.set(beat.worker, { beat, at: Date.now() });
      if (held) heldBy.set(beat.worker, { held, at: performance.now() });
    },
    async held() {
      return [...heldBy.values()].map(({ held, at }) => ({ held, ageMs: performance.now() - at }));
    },
    async workers() {
      for (const [name, { at }] of beats) {
        if (Date.now() - at <= BEAT_LIFE_MS) continue;
        beats.delete(name);
        heldBy.delete(name);
      }
      return [...beats.values()].map(({ beat }) => beat);
    },
    async publish(batch) {
      updates.tell(batch);
    },
    onUpdates: updates.add,
    wake: () => wakes.tell(),
    onWake: wakes.add,
    ping: async () => 0,
    async close() {
      tasksCame.ring();
      reportsCame.ring();
    },
  };
}

/** Lets any number of readers wait until something is there, with a limit. */
function doorbell(): { ring(): void; wait(signal: AbortSignal): Promise<void> } {
  let waiting: (() => void)[] = [];
  return {
    ring() {
      const now = waiting;
      waiting = [];
      for (const wake of now) wake();
    },
    wait: (signal) =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          waiting = waiting.filter((one) => one !== done);
          resolve();
        };
        const timer = setTimeout(done, PATIENCE_MS);
        signal.addEventListener('abort', done, { once: true });
        waiting.push(done);
      }),
  };
}

function listeners<T>(): { add(listener: (value: T) => void): () => void; tell(value: T): void } {
  const all = new Set<(value: T) => void>();
  return {
    add(listener) {
      all.add(listener);
      return () => all.delete(listener);
    },
    tell(value) {
      for (const listener of all) listener(value);
    },
  };
}
