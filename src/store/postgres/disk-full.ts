// A PostgreSQL without disk space: what it cannot write fails with this error and is not acknowledged, what it can read it still reads. Small changes may
// succeed meanwhile, in room that tables still have; so whether there is space again is asked with something that needs new room.
import type { Pool } from 'pg';
import { AppError } from '../../model/errors.ts';

const RETRY_AFTER_MS = 10_000;
const DISK_FULL = '53100';
/** PostgreSQL has a code for a full disk, but none for a quota or a limit of file sizes. */
const NO_CODE = 'XX000';
const NO_ROOM = ['No space left on device', 'Disk quota exceeded', 'File too large'];

const fullSince = new WeakMap<Pool, Date>();

export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === DISK_FULL || (error.code === NO_CODE && NO_ROOM.some((text) => error.message.includes(text)));
}

export function noteDiskFull(pool: Pool, error: unknown): AppError {
  if (!fullSince.has(pool)) fullSince.set(pool, new Date());
  return new AppError(
    'unavailable',
    'The disk of PostgreSQL is full. Nothing was stored. Free space there, then try again: work that was accepted goes on by itself.',
    { cause: error, retryAfterMs: RETRY_AFTER_MS },
  );
}

/** Since when this process knows that PostgreSQL has no space; null: it has, or nothing has failed for the want of it. */
export async function diskFullSince(pool: Pool): Promise<Date | null> {
  const since = fullSince.get(pool);
  if (!since) return null;
  try {
    await takeRoom(pool);
  } catch {
    // Whatever the reason is now, nothing was written.
    return since;
  }
  fullSince.delete(pool);
  return null;
}

/** A table of half a megabyte and as much log, both given back at once. */
async function takeRoom(pool: Pool): Promise<void> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    await client.query('begin');
    await client.query('create temp table room_for_more (filler text) on commit drop');
    await client.query('alter table room_for_more alter column filler set storage plain');
    await client.query(`insert into room_for_more select repeat('x', 7000) from generate_series(1, 64)`);
    await client.query(`select pg_logical_emit_message(true, 'windrow', repeat('x', 500000))`);
    await client.query('commit');
    isBroken = false;
  } finally {
    client.release(isBroken);
  }
}
