// What others may ask of the store as a whole.
import type { Pool } from 'pg';
import { type Cleaned, type CleanupOptions, cleanUp } from './cleanup.ts';
import { bindAll } from './postgres/bind.ts';
import { query } from './postgres/pool.ts';
import { type RetentionOptions, type Trimmed, trim } from './retention.ts';

/** Removing what is old. */
export interface TrimStore {
  /** One small batch of each; call again while anything was trimmed. */
  trim(options: RetentionOptions): Promise<Trimmed>;
  /** What a schedule of a person's removes. One batch of each; call again while anything was removed. */
  cleanUp(options: CleanupOptions): Promise<Cleaned>;
}

export interface ConnectionStore {
  /** Milliseconds for a round trip. */
  ping(): Promise<number>;
  close(): Promise<void>;
}

async function ping(pool: Pool): Promise<number> {
  const started = performance.now();
  await query(pool, 'select 1');
  return performance.now() - started;
}

export const maintenance = (pool: Pool): TrimStore & ConnectionStore => ({
  ...bindAll(pool, { trim, cleanUp, ping }),
  close: () => pool.end(),
});
