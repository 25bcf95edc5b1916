// Writes log lines to a file descriptor, and neither takes the process down for it nor stops it: lines that a slow reader does not take yet wait here, up to a
// limit. What cannot be kept, and what a full disk refuses, is lost and counted, and the first write that works again says how many. (The writer of pino waits in a
// blocking loop until there is space, and the whole process with it.)
import { writeSync } from 'node:fs';

const AGAIN_MS = 10;
/** Minutes of lines; a reader that is further behind than this is stuck. */
const WAITING_MAX_BYTES = 4 * 1024 * 1024;
/** How long the end of a process, or a program that writes line by line, waits for a reader that does not read. */
const PATIENCE_MS = 1_000;
const nobody = new Int32Array(new SharedArrayBuffer(4));

export type WriteSome = (bytes: Uint8Array) => number;

export interface LineWriter {
  /** One or more whole lines. */
  write(lines: string): void;
  /** Before the process ends: waits for a slow reader, but not for ever. */
  flush(): void;
}

export interface LineWriterOptions {
  /** Lines are written when `write` returns, as far as the reader takes them. */
  isSync?: boolean;
  writeSome?: WriteSome;
}

interface Waiting {
  bytes: Uint8Array;
  /** That are lost with it. */
  lines: number;
}

export function createLineWriter(fd: number, options: LineWriterOptions = {}): LineWriter {
  const { isSync = false, writeSome = (bytes) => writeSync(fd, bytes) } = options;
  let waiting: Waiting[] = [];
  let waitingBytes = 0;
  let lost = 0;
  let isClosed = false;
  /** Waited for in vain: not again before it reads. */
  let isStuck = false;
  let again: NodeJS.Timeout | undefined;

  const add = (text: string, lines: number): void => {
    const bytes = Buffer.from(text);
    waiting.push({ bytes, lines });
    waitingBytes += bytes.length;
  };

  /** False: the reader takes no more now. */
  function writeWaiting(): boolean {
    try {
      while (waiting.length > 0) {
        const first = waiting[0]!;
        const count = writeSome(first.bytes);
        waitingBytes -= count;
        isStuck = false;
        if (count === first.bytes.length) waiting.shift();
        else first.bytes = first.bytes.subarray(count);
      }
    } catch (error) {
      if (isBusy(error)) return false;
      // Nobody reads any more, and nobody will.
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') isClosed = true;
      for (const { lines } of waiting) lost += lines;
      waiting = [];
      waitingBytes = 0;
    }
    return true;
  }

  function writeInTime(): void {
    const until = performance.now() + (isStuck ? 0 : PATIENCE_MS);
    while (!writeWaiting()) {
      isStuck = performance.now() >= until;
      if (isStuck) return;
      Atomics.wait(nobody, 0, 0, AGAIN_MS);
    }
  }

  function writeLater(): void {
    again = undefined;
    if (!writeWaiting()) again = setTimeout(writeLater, AGAIN_MS).unref();
  }

  return {
    write(text) {
      if (isClosed || text === '') return;
      const lines = text.split('\n').length - 1;
      if (waitingBytes + text.length > WAITING_MAX_BYTES) {
        lost += lines;
        return;
      }
      if (lost > 0) {
        const notice = { level: 'warn', ts: new Date().toISOString(), event: 'log.lines_lost', lines: lost };
        // On a line of its own: the last one may have been cut.
        add(`\n${JSON.stringify(notice)}\n`, lost);
        lost = 0;
      }
      add(text, lines);
      if (isSync) writeInTime();
      else if (again === undefined) writeLater();
    },
    flush: writeInTime,
  };
}

function isBusy(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EAGAIN' || code === 'EBUSY';
}
