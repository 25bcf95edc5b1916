// With a ticket a browser opens a WebSocket without a long-lived key in the URL: short-lived, and valid once, in whichever API process. The store has only
// its hash.
import { hash, randomBytes } from 'node:crypto';
import { within } from '../../observe/cached.ts';
import type { SocketTicketStore } from '../../store/socket-tickets.ts';

export const TICKET_SECONDS = 30;
const LIMIT_MS = 5_000;

export interface Tickets {
  /** For the owner of a key; null where there are no keys. */
  issue(keyId: string | null): Promise<string>;
  /** Whose it is, once per ticket. */
  redeem(ticket: string): Promise<{ keyId: string | null } | null>;
}

export function createTickets(store: SocketTicketStore): Tickets {
  const inTime = <T>(work: Promise<T>): Promise<T> => within(work, LIMIT_MS, 'The database');
  return {
    async issue(keyId) {
      const ticket = randomBytes(24).toString('base64url');
      await inTime(store.addSocketTicket(digest(ticket), { keyId, seconds: TICKET_SECONDS }));
      return ticket;
    },
    async redeem(ticket) {
      return /^[\w-]{32}$/.test(ticket) ? inTime(store.useSocketTicket(digest(ticket))) : null;
    },
  };
}

const digest = (ticket: string): Buffer => hash('sha256', ticket, 'buffer');
