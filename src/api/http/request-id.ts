// The id of a request: that of the caller when it is short and printable (it goes into headers, log lines and task messages), otherwise a new one.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const ACCEPTABLE = /^[\x21-\x7e]{1,128}$/;

export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ACCEPTABLE.test(given) ? given : newRequestId();
}

export function newRequestId(): string {
  return `req_${randomUUID()}`;
}
