// Identities. A key is the hash of what a task is about (`article:<canonical url>`), so that equal work meets in one row wherever it
// was asked for; ids of runs are random, ids of tasks sort by time, which keeps their index dense.
import { hash, randomBytes } from 'node:crypto';

/** 128 bits of the name's SHA-256, in the form PostgreSQL stores in 16 bytes. */
export function keyOf(name: string): string {
  return asUuid(hash('sha256', name, 'hex').slice(0, 32));
}

export const articleId = (key: string): string => `art_${key.replaceAll('-', '')}`;

export const articleRunId = (): string => `job_${randomBytes(6).toString('hex')}`;

/** UUID version 7: milliseconds first, then a counter within the process, then random bits. */
export function taskIds(now: () => number = Date.now): () => string {
  let lastMs = 0;
  let counter = 0;
  // Asking the system for eight bytes a task costs more than the rest of the id.
  let pool = Buffer.alloc(0);
  let spent = 0;
  return () => {
    const ms = Math.max(now(), lastMs);
    counter = ms === lastMs ? counter + 1 : 0;
    if (counter > 0xfff) {
      lastMs = ms + 1;
      counter = 0;
    } else lastMs = ms;
    const head = lastMs.toString(16).padStart(12, '0');
    const mid = `7${counter.toString(16).padStart(3, '0')}`;
    if (spent >= pool.length) {
      pool = randomBytes(8 * 256);
      spent = 0;
    }
    pool[spent] = (pool[spent]! & 0x3f) | 0x80;
    const tail = pool.toString('hex', spent, spent + 8);
    spent += 8;
    return asUuid(head + mid + tail);
  };
}

function asUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
