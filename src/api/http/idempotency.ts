// The Idempotency-Key of a request: the draft wants a quoted string, most clients send it without quotes; both are the same key.
import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { invalid } from '../validation/validators.ts';

const BARE = /^[\x21-\x7e]{1,255}$/;

export interface IdempotencyClaim {
  scope: string;
  key: string;
  bodyHash: string;
}

export function idempotencyClaim(request: FastifyRequest, scope: string): IdempotencyClaim | null {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  const key = parseIdempotencyKey(Array.isArray(header) ? header.join(',') : header);
  if (key === null) {
    throw invalid(
      [
        {
          pointer: '/Idempotency-Key',
          detail: 'has to be 1 to 255 printable ASCII characters, such as a UUID, with or without quotes',
        },
      ],
      'headers',
    );
  }
  // Of two owners with the same key, neither may get the other's answer.
  const ofOwner = request.owner === null ? scope : `${scope} ${request.owner}`;
  return { scope: ofOwner, key, bodyHash: hash('sha256', JSON.stringify(request.body ?? null)) };
}

export function parseIdempotencyKey(header: string): string | null {
  const text = header.trim();
  const isQuoted = text.length > 1 && text.startsWith('"') && text.endsWith('"');
  const key = isQuoted ? text.slice(1, -1).replace(/\\(["\\])/g, '$1') : text;
  return BARE.test(key) ? key : null;
}
