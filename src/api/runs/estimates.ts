// How much longer a run takes, from its own speed so far; before something of it is done there is nothing to tell. What was told is held against what came of
// it, as a metric.
import { isFinal, type Run, type RunUpdate } from '../../model/run/run.ts';
import type { Metrics } from '../../observe/metrics/api.ts';

export interface Estimates {
  /** Seconds; null: nothing can be told. */
  of(run: Run): number | null;
  see(updates: readonly RunUpdate[]): void;
}

const TOLD_MAX = 10_000;

export function createEstimates(
  metrics: Pick<Metrics, 'runWaitRatio'>,
  nowMs: () => number = () => performance.now(),
): Estimates {
  /** What was told first, by run. */
  const told = new Map<string, { atMs: number; seconds: number }>();
  return {
    of({ id, status, total, cached, completed, failed, createdAt, updatedAt }) {
      const done = completed + failed - cached;
      if (isFinal(status) || done <= 0) return null;
      const secondsEach = (updatedAt.getTime() - createdAt.getTime()) / 1_000 / done;
      const seconds = Math.max(1, Math.ceil(secondsEach * (total - completed - failed)));
      if (!told.has(id)) told.set(id, { atMs: nowMs(), seconds });
      if (told.size > TOLD_MAX) told.delete(told.keys().next().value!);
      return seconds;
    },
    see(updates) {
      if (told.size === 0) return;
      for (const { runId, kind, status } of updates) {
        const first = isFinal(status) ? told.get(runId) : undefined;
        if (!first) continue;
        told.delete(runId);
        if (status !== 'cancelled')
          metrics.runWaitRatio.observe({ kind }, (nowMs() - first.atMs) / 1_000 / first.seconds);
      }
    },
  };
}
