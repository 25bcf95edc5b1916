// Reports to be sent. One send runs at a time, reports that arrive meanwhile go with the next, and those the wire refused are kept and sent again. The
// worker checks `size` before it takes more tasks, so an outage stops new work instead of filling the memory.
import type { Report } from '../model/task/messages.ts';

export interface Outbox {
  add(report: Report): void;
  readonly size: number;
  /** Resolves when everything added so far was sent, or rejects when `timeoutMs` is over. */
  flush(timeoutMs: number): Promise<void>;
  close(): void;
}

const FIRST_WAIT_MS = 50;
const LAST_WAIT_MS = 1_000;
const BATCH = 1_000;

export function createOutbox(send: (reports: Report[]) => Promise<void>, onError: (error: unknown) => void): Outbox {
  const waiting: Report[] = [];
  let sending = false;
  let closed = false;
  let emptied: (() => void)[] = [];

  async function pump(): Promise<void> {
    sending = true;
    let failures = 0;
    while (waiting.length > 0 && !closed) {
      const batch = waiting.slice(0, BATCH);
      try {
        await send(batch);
        waiting.splice(0, batch.length);
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
      waiting.push(report);
      if (!sending) {
        sending = true;
        // After this turn of the event loop, so that results that end together are sent together.
        setImmediate(() => void pump());
      }
    },
    get size() {
      return waiting.length;
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
