// Reports to be sent. One send runs at a time, reports that arrive meanwhile go with the next, and those the wire refused are kept and sent again. A batch
// is limited by its bytes, so that a slow link gets it done. The worker checks `isFull` before it takes more tasks, so an outage stops new work instead of
// filling the memory.
import type { Report } from '../model/task/messages.ts';
import { roughSize } from './rough-size.ts';

export interface Outbox {
  add(report: Report): void;
  readonly size: number;
  /** More waits than should. */
  readonly isFull: boolean;
  /** Resolves when everything added so far was sent, or rejects when `timeoutMs` is over. */
  flush(timeoutMs: number): Promise<void>;
  close(): void;
}

const FIRST_WAIT_MS = 50;
const LAST_WAIT_MS = 1_000;
const BATCH = 1_000;
const BATCH_BYTES = 512 * 1_024;
const MAX_WAITING = 5_000;
const MAX_WAITING_BYTES = 64 * 1_024 * 1_024;

export interface OutboxOptions {
  send(reports: Report[]): Promise<void>;
  onError(error: unknown): void;
}

export function createOutbox({ send, onError }: OutboxOptions): Outbox {
  const waiting: { report: Report; bytes: number }[] = [];
  let bytes = 0;
  let sending = false;
  let closed = false;
  let emptied: (() => void)[] = [];

  /** As many as fit, and at least one. */
  function nextBatch(): number {
    let count = 0;
    for (let size = 0; count < Math.min(waiting.length, BATCH); count++) {
      size += waiting[count]!.bytes;
      if (size > BATCH_BYTES) break;
    }
    return Math.max(count, 1);
  }

  async function pump(): Promise<void> {
    sending = true;
    let failures = 0;
    while (waiting.length > 0 && !closed) {
      const count = nextBatch();
      try {
        await send(waiting.slice(0, count).map((one) => one.report));
        for (const one of waiting.splice(0, count)) bytes -= one.bytes;
        failures = 0;
      } catch (error) {
        if (failures === 0) onError(error);
        await new Promise((resolve) => setTimeout(resolve, Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++)));
      }
    }
    sending = false;
    const now = emptied;
    emptied = [];
    for (const tell of now) tell();
  }

  return {
    add(report) {
      const size = roughSize(report);
      waiting.push({ report, bytes: size });
      bytes += size;
      if (!sending) {
        sending = true;
        // After this turn of the event loop, so that results that end together are sent together.
        setImmediate(() => void pump());
      }
    },
    get size() {
      return waiting.length;
    },
    get isFull() {
      return waiting.length >= MAX_WAITING || bytes >= MAX_WAITING_BYTES;
    },
    flush(timeoutMs) {
      if (waiting.length === 0 && !sending) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`${waiting.length} reports could not be sent within ${timeoutMs} ms`)),
          timeoutMs,
        );
        emptied.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
    close() {
      closed = true;
    },
  };
}
