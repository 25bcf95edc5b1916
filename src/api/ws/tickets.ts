// With a ticket a browser opens a WebSocket without a long-lived key in the URL: short-lived, signed, and valid once. The signature is made with the API
// keys, so that another API process with the same keys accepts it; without keys it is made with a random secret.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export const TICKET_SECONDS = 30;
/** Used tickets are kept until they expire; past this number no more are accepted until some have expired. */
const USED_MAX = 50_000;

export interface Tickets {
  issue(): string;
  /** True once per ticket. */
  redeem(ticket: string): boolean;
}

export function createTickets(secret: Buffer, nowMs: () => number = Date.now): Tickets {
  const used = new Map<string, number>();
  const sign = (text: string) => createHmac('sha256', secret).update(`ws-ticket:${text}`).digest();

  return {
    issue() {
      const body = `${(nowMs() + TICKET_SECONDS * 1_000).toString(36)}.${randomBytes(12).toString('base64url')}`;
      return `${body}.${sign(body).toString('base64url')}`;
    },
    redeem(ticket) {
      const [expiry = '', nonce = '', signature = ''] = ticket.split('.');
      const given = Buffer.from(signature, 'base64url');
      const wanted = sign(`${expiry}.${nonce}`);
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return false;
      const now = nowMs();
      const expiresAt = Number.parseInt(expiry, 36);
      if (!(expiresAt > now) || used.has(nonce)) return false;
      // In order of use, which is nearly the order of expiry.
      for (const [old, until] of used) {
        if (until > now) break;
        used.delete(old);
      }
      if (used.size >= USED_MAX) return false;
      used.set(nonce, expiresAt);
      return true;
    },
  };
}
