// Authentication of WebSockets, and which one is asked for. Decided before the upgrade, so that a refusal is an ordinary HTTP response.
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../model/errors.ts';
import type { Access, Caller } from '../http/access.ts';
import { invalid } from '../validation/validators.ts';
import type { Tickets } from './tickets.ts';

export const PROTOCOL = 'windrow';
const KEY_PREFIX = 'key.';

export interface Admission {
  /** Null: all runs. */
  runId: string | null;
  isBatch: boolean;
  caller: Caller;
}

export async function admit(request: IncomingMessage, access: Access, tickets: Tickets): Promise<Admission> {
  const url = URL.parse(request.url ?? '', 'http://localhost');
  const path = url?.pathname.replace(/\/$/, '') ?? '';
  const job = /^\/ws\/jobs\/([^/]+)$/.exec(path);
  if (!url || (!job && path !== '/ws'))
    throw new AppError('unknown_path', 'There is no WebSocket at this path. Use /ws or /ws/jobs/{job_id}.');
  const known = job ? ['ticket'] : ['batch', 'ticket'];
  for (const name of url.searchParams.keys()) {
    if (known.includes(name)) continue;
    const detail = /key|token|auth/i.test(name)
      ? 'is not allowed in a URL, since URLs end up in logs. Offer the subprotocols "windrow, key.<key>", or get a ticket from POST /ws/ticket'
      : `is not a known parameter. Known parameters: ${known.join(', ')}`;
    throw invalid([{ pointer: `/${name.slice(0, 100)}`, detail }], 'querystring');
  }
  const batch = url.searchParams.get('batch');
  if (batch !== null && batch !== '1')
    throw invalid([{ pointer: '/batch', detail: 'has to be 1 if given' }], 'querystring');
  const caller = await authorize(request, url.searchParams.get('ticket'), access, tickets);
  return { runId: job ? decoded(job[1]!) : null, isBatch: batch === '1', caller };
}

async function authorize(
  request: IncomingMessage,
  ticket: string | null,
  access: Access,
  tickets: Tickets,
): Promise<Caller> {
  if (ticket !== null) {
    const owner = await tickets.redeem(ticket);
    if (owner) return access.callerById(owner.keyId);
    throw new AppError(
      'unauthorized',
      'The ticket was used, has expired, or is not from this server. Get another from POST /ws/ticket.',
    );
  }
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const key = offered.find((name) => name.startsWith(KEY_PREFIX))?.slice(KEY_PREFIX.length);
  if (access.needsKeys && key !== undefined) return access.callerWith(key);
  const caller = await access.callerOf(request.headers);
  access.refuseForeign('GET', request.headers, caller);
  return caller;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // An id that cannot be decoded is an unknown job.
    return '';
  }
}
