// Interfaces of the store as a whole: retention and health.
import type { Pool } from 'pg';
import { type Cleaned, type CleanupOptions, cleanUp } from './cleanup.ts';
import { bindAll } from './postgres/bind.ts';
import { diskFullSince } from './postgres/disk-full.ts';
import { probePool, query } from './postgres/pool.ts';
import { type RetentionOptions, type Trimmed, trim } from './retention.ts';

/** Deletes old rows. */
export interface TrimStore {
  /** One small batch of each; call again while anything was trimmed. */
  trim(options: RetentionOptions): Promise<Trimmed>;
  /** The cleanup task of schedules. One batch of each; call again while anything was deleted. */
  cleanUp(options: CleanupOptions): Promise<Cleaned>;
}

export interface ConnectionStore {
  /** Milliseconds for a round trip. */
  ping(): Promise<number>;
  /** Since when PostgreSQL has had no disk space, as far as this process has noticed; null when it has some. */
  diskFullSince(): Promise<Date | null>;
  /** Resolves when the server answers, on a connection of its own: it waits behind nothing. */
  probe(): Promise<void>;
  /** Where PostgreSQL is in its log: `16/B374D848`. */
  walPosition(): Promise<string>;
  close(): Promise<void>;
}

async function ping(pool: Pool): Promise<number> {
  const started = performance.now();
  await query(pool, 'select 1');
  return performance.now() - started;
}

async function walPosition(pool: Pool): Promise<string> {
  const [row] = await query<{ position: string }>(
    pool,
    'select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end::text as position',
  );
  return row!.position;
}

export function maintenance(pool: Pool): TrimStore & ConnectionStore {
  let probing: Pool | undefined;
  return {
    ...bindAll(pool, { trim, cleanUp, ping, diskFullSince, walPosition }),
    async probe() {
      probing ??= probePool(pool);
      await query(probing, 'select 1');
    },
    async close() {
      await Promise.all([pool.end(), probing?.end()]);
    },
  };
}
