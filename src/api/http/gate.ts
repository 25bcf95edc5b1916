// What happens before every handler, in one hook: request id, connection limit, authentication, origin check, rate limit.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from './access.ts';
import type { ConnectionLimit } from './connection-limit.ts';
import type { RateLimit } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    startedAtMs: number;
    /** Who asks: the fingerprint of a key, or an address. */
    caller: string;
    /** The id of the API key that was given, if keys are on. */
    owner: string | null;
  }
}

export type Gate = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** For public routes. */
export const greet: Gate = (request, reply, done) => {
  request.startedAtMs = performance.now();
  reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
  // Nobody caches the response of a POST; those of a GET are private to the caller and change all the time.
  if (request.raw.method === 'GET') reply.header('cache-control', 'no-store');
  done();
};

/** How a route is protected. */
type Asked = Pick<Access, 'callerOf' | 'refuseForeign'>;

/** For routes with their own token: public, but rate-limited. */
export const EVERYONE: Asked = {
  callerOf: () => ({ keyId: null, isDeliberate: false }),
  refuseForeign() {},
};

export function createGate(access: Asked, rateLimit: RateLimit | null, connections: ConnectionLimit): Gate {
  return (request, reply, done) => greet(request, reply, () => admit(request, reply, done));

  function admit(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const { headers, method, url } = request.raw;
    let who: string;
    try {
      connections.check(request);
    } catch (error) {
      reply.header('connection', 'close');
      done(error as Error);
      return;
    }
    try {
      const caller = access.callerOf(headers, url);
      access.refuseForeign(method ?? 'GET', headers, caller);
      request.owner = caller.keyId;
      who = caller.keyId ?? request.ip;
      request.caller = caller.keyId === null ? request.ip : `key ${caller.keyId}`;
    } catch (error) {
      // A wrong key counts for the client address, so that guessing is slow.
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
