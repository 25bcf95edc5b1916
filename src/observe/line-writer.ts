// Writes log lines to a file descriptor, and never takes the process down for it: on a full disk lines are lost and counted, and the first write that works
// again says how many. (The writer of pino waits in a blocking loop until there is space, and the whole process with it.)
import { writeSync } from 'node:fs';

/** A pipe whose reader is slow: waited for, as any other program would. */
const BUSY_MS = 10;
const nobody = new Int32Array(new SharedArrayBuffer(4));

export type WriteSome = (bytes: Uint8Array) => number;

export function createLineWriter(fd: number, writeSome: WriteSome = (bytes) => writeSync(fd, bytes)) {
  let lost = 0;
  let isClosed = false;

  function writeAll(text: string): void {
    let rest: Uint8Array = Buffer.from(text);
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSome(rest));
      } catch (error) {
        if (!isBusy(error)) throw error;
        Atomics.wait(nobody, 0, 0, BUSY_MS);
      }
    }
  }

  /** One or more whole lines. */
  return (lines: string): void => {
    if (isClosed || lines === '') return;
    try {
      if (lost > 0) {
        // On a line of its own: the last one may have been cut.
        writeAll(
          `\n${JSON.stringify({ level: 'warn', ts: new Date().toISOString(), event: 'log.lines_lost', lines: lost })}\n`,
        );
        lost = 0;
      }
      writeAll(lines);
    } catch (error) {
      // Nobody reads any more, and nobody will.
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') isClosed = true;
      lost += lines.split('\n').length - 1;
    }
  };
}

function isBusy(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EAGAIN' || code === 'EBUSY';
}
