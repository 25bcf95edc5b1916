// Stores reports that were read. While the store is down it waits, and the wire keeps the rest; only stopping gives up, and then they are delivered
// again. A report that the store refuses for its content must not block the others: instead of it, a failure with that reason is recorded.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../model/errors.ts';
import type { RunUpdate } from '../../model/run/run.ts';

export interface RecordAllOptions {
  record(reports: unknown[]): Promise<RunUpdate[]>;
  onWaiting(error: unknown): void;
  onRefused(report: unknown, error: unknown): void;
  /** What to record instead of a report that was refused. */
  insteadOf(report: unknown, error: unknown): unknown[];
}

const LONGEST_WAIT_MS = 1_000;

export function createRecordAll(
  options: RecordAllOptions,
): (reports: unknown[], signal: AbortSignal) => Promise<RunUpdate[]> {
  async function untilStored(reports: unknown[], signal: AbortSignal): Promise<RunUpdate[]> {
    for (let tries = 0; ; tries++) {
      try {
        return await options.record(reports);
      } catch (error) {
        if (!isAway(error) || signal.aborted) throw error;
        if (tries === 0) options.onWaiting(error);
        await sleep(Math.min(LONGEST_WAIT_MS, 100 * 2 ** tries));
      }
    }
  }

  async function insteadOf(report: unknown, error: unknown, signal: AbortSignal): Promise<RunUpdate[]> {
    options.onRefused(report, error);
    const instead = options.insteadOf(report, error);
    if (instead.length === 0) return [];
    try {
      return await untilStored(instead, signal);
    } catch (again) {
      if (isAway(again)) throw again;
      // Its lease runs out, and the loss is counted.
      options.onRefused(instead[0], again);
      return [];
    }
  }

  return async function recordAll(reports: unknown[], signal: AbortSignal): Promise<RunUpdate[]> {
    try {
      return await untilStored(reports, signal);
    } catch (error) {
      if (isAway(error)) throw error;
      if (reports.length === 1) {
        return insteadOf(reports[0], error, signal);
      }
      // Divide in halves to find which one it is.
      const middle = reports.length >> 1;
      const first = await recordAll(reports.slice(0, middle), signal);
      return [...first, ...(await recordAll(reports.slice(middle), signal))];
    }
  };
}

const isAway = (error: unknown): boolean => error instanceof AppError && error.code === 'unavailable';
