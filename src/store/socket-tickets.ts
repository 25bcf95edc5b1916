// Tickets for opening a WebSocket. They are here and not in memory because the process that made one need not be the one that is asked to take it.
import type { Pool } from 'pg';
import { bindAll } from './postgres/bind.ts';
import { query } from './postgres/pool.ts';

export interface SocketTicketStore {
  addSocketTicket(hash: Buffer, ticket: { keyId: string | null; seconds: number }): Promise<void>;
  /** Whose it was; null when it is unknown, used or expired. */
  useSocketTicket(hash: Buffer): Promise<{ keyId: string | null } | null>;
}

/** Tickets that were never used; each new one takes some of them along. */
const SWEEP = 100;

async function addSocketTicket(
  pool: Pool,
  hash: Buffer,
  { keyId, seconds }: { keyId: string | null; seconds: number },
): Promise<void> {
  await query(
    pool,
    `with gone as (delete from socket_tickets where hash in (
       select hash from socket_tickets where expires_at < now() order by expires_at limit $4 for update skip locked))
     insert into socket_tickets (hash, key_id, expires_at) values ($1, $2, now() + make_interval(secs => $3))`,
    [hash, keyId, seconds, SWEEP],
  );
}

async function useSocketTicket(pool: Pool, hash: Buffer): Promise<{ keyId: string | null } | null> {
  const [row] = await query<{ keyId: string | null; isValid: boolean }>(
    pool,
    'delete from socket_tickets where hash = $1 returning key_id as "keyId", expires_at > now() as "isValid"',
    [hash],
  );
  return row?.isValid ? { keyId: row.keyId } : null;
}

export const socketTicketStore = (pool: Pool): SocketTicketStore => bindAll(pool, { addSocketTicket, useSocketTicket });
