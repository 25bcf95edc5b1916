// What happens before every handler, in one hook: request id, connection limit, authentication, origin check, rate limit, scope.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../model/errors.ts';
import { covers, type Scope } from '../../model/key/key.ts';
import type { Span, Tracing } from '../../model/trace/trace.ts';
import { type Access, ANYONE, type Caller, seesOf } from './access.ts';
import type { ConnectionLimit } from './connection-limit.ts';
import type { Counted, RateLimit } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    startedAtMs: number;
    /** Undefined where nothing is traced. */
    span: Span | undefined;
    /** Who asks: the id of a key, or an address. */
    caller: string;
    /** The id of the API key that was given; null where no keys are needed. */
    keyId: string | null;
    /** Whose work it is; null where no keys are needed. */
    owner: string | null;
    /** What the caller may do. */
    scope: Scope;
    /** A key of the owner says how much it may have. */
    isLimited: boolean;
    /** Whose data may be seen; null: everybody's. */
    sees: string | null;
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
  callerOf: () => ANYONE,
  refuseForeign() {},
};

export interface GateOptions {
  access: Asked;
  rateLimit: RateLimit;
  connections: ConnectionLimit;
  /** Least scope that a key needs. */
  scope: Scope;
  trace?: Tracing | null | undefined;
}

export function createGate({ access, rateLimit, connections, scope, trace }: GateOptions): Gate {
  return (request, reply, done) => {
    if (trace) request.span = spanOf(trace, request);
    greet(request, reply, () => admit(request, reply, done));
  };

  function admit(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const { headers, method, url } = request.raw;
    try {
      connections.check(request);
    } catch (error) {
      reply.header('connection', 'close');
      done(error as Error);
      return;
    }
    // A wrong key counts for the client address, so that guessing is slow.
    const refuse = (error: unknown): void => count({ address: request.ip }, error as Error);
    const count = (who: Counted, error?: Error): void => {
      const taken = rateLimit.take(who);
      if (taken === null) done(error);
      else
        taken.then((extra) => {
          reply.headers(extra);
          done(error);
        }, done);
    };
    const enter = (caller: Caller): void => {
      try {
        access.refuseForeign(method ?? 'GET', headers, caller);
      } catch (error) {
        refuse(error);
        return;
      }
      request.keyId = caller.keyId;
      request.owner = caller.owner;
      request.isLimited = caller.isLimited;
      request.scope = caller.scope;
      request.sees = seesOf(caller);
      request.caller = caller.keyId === null ? request.ip : `key ${caller.keyId}`;
      count(countedAs(caller, request.ip), covers(caller.scope, scope) ? undefined : outOfScope(caller.scope, scope));
    };
    try {
      const caller = access.callerOf(headers, url);
      if (caller instanceof Promise) caller.then(enter, refuse);
      else enter(caller);
    } catch (error) {
      refuse(error);
    }
  }
}

export const countedAs = ({ keyId, requestsPerMinute: perMinute }: Caller, address: string): Counted =>
  keyId === null ? { address } : { keyId, perMinute };

function spanOf(trace: Tracing, { raw, routeOptions }: FastifyRequest): Span {
  const { url: route } = routeOptions;
  const method = raw.method ?? 'GET';
  return trace.begin({
    // Without a route it is a path that somebody made up.
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'server',
    parent: String(raw.headers.traceparent ?? ''),
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'url.path': raw.url?.split('?', 1)[0],
      'url.scheme': 'http',
      'user_agent.original': raw.headers['user-agent'],
    },
  });
}

const outOfScope = (has: Scope, needed: Scope): AppError =>
  new AppError(
    'insufficient_scope',
    `This needs an API key with scope ${needed}, and the key that was sent has scope ${has}. Ask the operator of this server for another.`,
    { details: { scope: needed } },
  );
