// What comes before every handler: the request id goes back, there is room, the caller is known, nothing another site sent gets in, nobody asks too often. One hook for
// all of it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from './access.ts';
import type { ConnectionLimit } from './connection-limit.ts';
import type { RateLimit } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    startedAtMs: number;
  }
}

export type Gate = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** For what is open to everyone. */
export const greet: Gate = (request, reply, done) => {
  request.startedAtMs = performance.now();
  reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
  // An answer to a POST is not stored by anyone; those to a GET are the caller's own and change all the time.
  if (request.raw.method === 'GET') reply.header('cache-control', 'no-store');
  done();
};

/** Who may ask, as far as the gate has to know. */
type Asked = Pick<Access, 'callerOf' | 'refuseForeign'>;

/** For what has a token of its own: everyone may ask, though not too often. */
export const EVERYONE: Asked = {
  callerOf: () => ({ keyId: null, isDeliberate: false }),
  refuseForeign() {},
};

export function createGate(access: Asked, rateLimit: RateLimit | null, crowd: ConnectionLimit): Gate {
  return (request, reply, done) => greet(request, reply, () => admit(request, reply, done));

  function admit(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const { headers, method } = request.raw;
    let who: string;
    try {
      crowd.check(request);
    } catch (error) {
      reply.header('connection', 'close');
      done(error as Error);
      return;
    }
    try {
      const caller = access.callerOf(headers);
      access.refuseForeign(method ?? 'GET', headers, caller);
      who = caller.keyId ?? request.ip;
    } catch (error) {
      // A wrong key counts against the address, so that guessing is slow.
      if (!rateLimit) done(error as Error);
      else rateLimit.take(request.ip).then(() => done(error as Error), done);
      return;
    }
    if (!rateLimit) {
      done();
      return;
    }
    rateLimit.take(who).then((extra) => {
      if (extra) reply.headers(extra);
      done();
    }, done);
  }
}
