// The weekly cleaning up: old sessions, fires, and positions that closed long ago, in batches so that no delete holds locks for long.
import type { Pool } from 'pg';
import { query } from './postgres/pool.ts';

export interface CleanupOptions {
  sessionDays: number;
  /** Since a position closed; 0 keeps them forever. */
  positionDays: number;
  batch: number;
}

export interface Cleaned {
  sessions: number;
  fires: number;
  positions: number;
}

export async function cleanUp(pool: Pool, options: CleanupOptions): Promise<Cleaned> {
  const remove = async (table: string, which: string, days: number): Promise<number> => {
    const rows = await query(
      pool,
      `delete from ${table} where ctid in (select ctid from ${table} where ${which} < now() - make_interval(days => $1) limit $2) returning 1`,
      [days, options.batch],
    );
    return rows.length;
  };
  return {
    sessions: await remove('sessions', `status <> 'running' and started_at`, options.sessionDays),
    fires: await remove('fires', `state <> 'waiting' and decided_at`, options.sessionDays),
    positions:
      options.positionDays === 0 ? 0 : await remove('positions', 'not active and closed_at', options.positionDays),
  };
}
