// Reads reports off the wire, batch after batch, records them and tells what became of their runs.
import type { RunUpdate } from '../../model/run/run.ts';
import type { Wire } from '../../wire/port.ts';
import type { Step } from './run-loops.ts';

export interface RecordReportsOptions {
  wire: Pick<Wire, 'readReports'>;
  /** Rejects only when it is told to stop. */
  record(reports: unknown[], signal: AbortSignal): Promise<RunUpdate[]>;
  publish(updates: RunUpdate[]): Promise<void>;
  onAckFailed(error: unknown): void;
}

const REPORTS_PER_BATCH = 1_000;

/** Waits for reports, so its loop needs no pause. Wakes `dispatch`, and `settle-sessions` when scrapes of companies have moved. */
export function createRecordReports({ wire, record, publish, onAckFailed }: RecordReportsOptions): Step {
  return async (signal, wake) => {
    const batch = await wire.readReports(REPORTS_PER_BATCH, signal);
    if (batch.reports.length === 0) return;
    const updates = await record(batch.reports, signal);
    // Without it they are delivered again and found to be recorded; the updates have to go out now or never.
    await batch.ack().catch(onAckFailed);
    wake('dispatch');
    if (updates.some((update) => update.kind === 'company')) wake('settle-sessions');
    await publish(updates);
  };
}
