// Sessions of people who signed in to the dashboard with their API key.
import type { Pool } from 'pg';
import { bindAll } from './postgres/bind.ts';
import { query } from './postgres/pool.ts';

export interface PageSession {
  keyId: string;
  expiresAt: Date;
}

export interface PageSessionStore {
  addPageSession(hash: Buffer, session: { keyId: string; seconds: number }): Promise<PageSession>;
  /** Null when it is unknown or has ended. */
  getPageSession(hash: Buffer): Promise<PageSession | null>;
  endPageSession(hash: Buffer): Promise<void>;
}

/** Ended ones; each new one takes some of them along. */
const SWEEP = 100;

async function addPageSession(
  pool: Pool,
  hash: Buffer,
  { keyId, seconds }: { keyId: string; seconds: number },
): Promise<PageSession> {
  const rows = await query<PageSession & Record<string, unknown>>(
    pool,
    `with gone as (delete from page_sessions where hash in (
       select hash from page_sessions where expires_at < now() order by expires_at limit $4 for update skip locked))
     insert into page_sessions (hash, key_id, expires_at) values ($1, $2, now() + make_interval(secs => $3))
     returning key_id as "keyId", expires_at as "expiresAt"`,
    [hash, keyId, seconds, SWEEP],
  );
  return rows[0]!;
}

async function getPageSession(pool: Pool, hash: Buffer): Promise<PageSession | null> {
  const [row] = await query<PageSession & Record<string, unknown>>(
    pool,
    'select key_id as "keyId", expires_at as "expiresAt" from page_sessions where hash = $1 and expires_at > now()',
    [hash],
  );
  return row ? { keyId: row.keyId, expiresAt: row.expiresAt } : null;
}

async function endPageSession(pool: Pool, hash: Buffer): Promise<void> {
  await query(pool, 'delete from page_sessions where hash = $1', [hash]);
}

export const pageSessionStore = (pool: Pool): PageSessionStore =>
  bindAll(pool, { addPageSession, getPageSession, endPageSession });
