// Reads reports from the wire, batch after batch, records them and publishes the updates of their runs.
import type { RunUpdate } from '../../model/run/run.ts';
import type { Wire } from '../../wire/port.ts';
import type { Step } from './run-loops.ts';

export interface RecordReportsOptions {
  wire: Pick<Wire, 'readReports'>;
  /** Rejects only when it is stopped. */
  record(reports: unknown[], signal: AbortSignal): Promise<RunUpdate[]>;
  publish(updates: RunUpdate[]): Promise<void>;
  onAckFailed(error: unknown): void;
}

const REPORTS_PER_BATCH = 1_000;

/** Waits for reports, so its loop needs no pause. Wakes `dispatch`, and after updates of company scrapes and crawls the loops of these. */
export function createRecordReports({ wire, record, publish, onAckFailed }: RecordReportsOptions): Step {
  return async (signal, wake) => {
    const batch = await wire.readReports(REPORTS_PER_BATCH, signal);
    if (batch.reports.length === 0) return;
    const updates = await record(batch.reports, signal);
    // Without an ack they are delivered again and change nothing; the updates have to be published now, since nothing would publish them later.
    await batch.ack().catch(onAckFailed);
    wake('dispatch');
    if (updates.some((update) => update.kind === 'company')) wake('settle-sessions');
    if (updates.some(({ kind }) => kind === 'crawl' || kind === 'map')) wake('crawl');
    await publish(updates);
  };
}
