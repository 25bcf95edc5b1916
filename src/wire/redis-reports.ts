// Sending reports. They have a connection of their own, because a batch may be large and the link slow, and nothing else should wait behind it.
// What a reader would get wrong: the time limit fits the size. With one limit for all, a batch that needs longer is sent again for ever.
import type { Redis } from 'ioredis';
import type { ErrorNotice, Report, Result, TaskError } from '../model/task/messages.ts';

export interface ReportSender {
  /** Bytes of its text; the text is kept until it was sent. */
  sizeOf(report: Report): number;
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

/** A reader takes several entries at a time, so this bounds what it has to hold. */
const ENTRY_BYTES = 256 * 1_024;
const REPORTS_PER_ENTRY = 250;
/** The slowest link that a worker is expected to have. */
const BYTES_PER_MS = 16;

export function createReportSender(options: ReportSenderOptions): ReportSender {
  const texts = new WeakMap<Report, string>();

  function textOf(report: Report): string {
    const known = texts.get(report);
    if (known !== undefined) return known;
    const text = JSON.stringify(report);
    texts.set(report, text);
    return text;
  }

  return {
    sizeOf: (report) => textOf(report).length,
    async send(reports) {
      const redis = await options.connection();
      const all = reports.map(textOf);
      const pipeline = redis.pipeline();
      for (const some of groupBySize(all)) pipeline.xadd(options.stream, '*', 'data', `[${some.join(',')}]`);
      for (const report of reports)
        if (report.type === 'result' && report.error) pipeline.publish(options.errors, noticeOf(report, report.error));
      const bytes = all.reduce((sum, text) => sum + text.length, 0);
      const limitMs = options.patienceMs + bytes / BYTES_PER_MS;
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

function groupBySize(texts: string[]): string[][] {
  const groups: string[][] = [];
  let bytes = 0;
  for (const text of texts) {
    const last = groups.at(-1);
    if (!last || last.length >= REPORTS_PER_ENTRY || bytes + text.length > ENTRY_BYTES) {
      groups.push([text]);
      bytes = text.length;
    } else {
      last.push(text);
      bytes += text.length;
    }
  }
  return groups;
}

function noticeOf(
  { task_id, run_id, attempt, scraper_type, metadata, completed_at }: Result,
  error: TaskError,
): string {
  const { worker } = metadata;
  const notice: ErrorNotice = { task_id, run_id, attempt, scraper_type, worker, error, at: completed_at };
  return JSON.stringify(notice);
}

function within<T>(work: Promise<T>, ms: number, onLate: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(onLate()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
