// Ids. A key is the hash of what a task is about (`article:<canonical url>`), so that equal work has one row wherever it
// was asked for; ids of runs are random, ids of tasks sort by time, which keeps their index dense.
import { hash, randomBytes } from 'node:crypto';

/** 128 bits of the name's SHA-256, in the form PostgreSQL stores in 16 bytes. */
export function keyOf(name: string): string {
  return asUuid(hash('sha256', name, 'hex').slice(0, 32));
}

export const articleId = (key: string): string => `art_${key.replaceAll('-', '')}`;

/** Asking the system for a few bytes at a time costs more than the rest of an id: they are taken from a larger draw. */
export function randomHex(): (bytes: number) => string {
  let pool = Buffer.alloc(0);
  let spent = 0;
  return (bytes) => {
    if (spent + bytes > pool.length) {
      pool = randomBytes(4_096);
      spent = 0;
    }
    spent += bytes;
    return pool.toString('hex', spent - bytes, spent);
  };
}

/** UUID version 7: milliseconds first, then a counter within the process, then random bits. */
export function taskIds(now: () => number = Date.now): () => string {
  let lastMs = 0;
  let counter = 0;
  let head = '';
  const draw = randomHex();
  const begin = (ms: number): void => {
    lastMs = ms;
    counter = 0;
    const hex = ms.toString(16).padStart(12, '0');
    head = `${hex.slice(0, 8)}-${hex.slice(8)}-7`;
  };
  return () => {
    const ms = now();
    if (ms > lastMs) begin(ms);
    else if (++counter > 0xfff) begin(lastMs + 1);
    const tail = draw(8);
    const variant = '89ab'[Number.parseInt(tail[0]!, 16) & 3]!;
    return `${head}${counter.toString(16).padStart(3, '0')}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`;
  };
}

/** Of this process: one counter, so that ids of one millisecond do not meet. */
export const newTaskId = taskIds();

function asUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
