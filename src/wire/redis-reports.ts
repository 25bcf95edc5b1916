// Sending reports. They have a connection of their own, because a batch may be large and the link slow, and nothing else should wait behind it.
// What a reader would get wrong: the time limit fits the size. With one limit for all, a batch that needs longer is sent again for ever.
import type { Redis } from 'ioredis';
import type { ErrorNotice, Report, Result, TaskError } from '../model/task/messages.ts';
import { limitFor, within } from './redis-limits.ts';

export interface ReportSender {
  send(reports: Report[]): Promise<void>;
}

export interface ReportSenderOptions {
  connection(): Promise<Redis>;
  stream: string;
  /** Where errors are published too, for whoever listens; the durable copy is in the result. */
  errors: string;
  /** How long Redis may take to answer, besides the time for the bytes. */
  patienceMs: number;
}

/** A reader takes several entries at a time; their bytes are bounded by the batches of the sender (worker/outbox.ts). */
const REPORTS_PER_ENTRY = 250;

export function createReportSender(options: ReportSenderOptions): ReportSender {
  return {
    async send(reports) {
      const redis = await options.connection();
      const pipeline = redis.pipeline();
      let bytes = 0;
      for (let at = 0; at < reports.length; at += REPORTS_PER_ENTRY) {
        const text = JSON.stringify(reports.slice(at, at + REPORTS_PER_ENTRY));
        bytes += text.length;
        pipeline.xadd(options.stream, '*', 'data', text);
      }
      for (const report of reports)
        if (report.type === 'result' && report.error) pipeline.publish(options.errors, noticeOf(report, report.error));
      const limitMs = limitFor(bytes, options.patienceMs);
      const sending = pipeline.exec();
      const answers = await within(sending, limitMs, () => {
        // What is not on its way yet must not go before the batch that is sent again.
        redis.disconnect(true);
        return new Error(`${bytes} bytes of reports were not sent within ${Math.round(limitMs)} ms`);
      });
      for (const [error] of answers ?? []) if (error) throw error;
    },
  };
}

function noticeOf(
  { task_id, run_id, attempt, scraper_type, metadata, completed_at }: Result,
  error: TaskError,
): string {
  const { worker } = metadata;
  const notice: ErrorNotice = { task_id, run_id, attempt, scraper_type, worker, error, at: completed_at };
  return JSON.stringify(notice);
}
