// A route and everything about it in one place: validation, responses, documentation and protection. Fastify's route, the OpenAPI document and the tests
// of all routes are made from this table, so none of them can forget one.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Scope } from '../../model/key/key.ts';
import type { ApiDeps } from '../deps.ts';

export interface Reply {
  description: string;
  /** JSON when there is a schema; other types are only documented. */
  schema?: z.ZodType;
  /** Media type → example. */
  examples: Record<string, unknown>;
}

/** A reply of one kind: JSON in this shape. */
export function json(description: string, schema: z.ZodType, example: unknown): Reply {
  return { description, schema, examples: { 'application/json': example } };
}

interface RouteSpec<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  method: 'GET' | 'POST' | 'DELETE' | 'PATCH';
  /** Fastify's spelling: `/jobs/:job_id/status`. */
  path: string;
  operationId: string;
  /** Least scope that a key needs: `read` sees, `submit` makes and changes what belongs to its owner, `admin` what concerns everyone. */
  scope: Scope;
  tag: string;
  summary: string;
  description?: string;
  params?: P;
  query?: Q;
  body?: B;
  bodyExample?: unknown;
  replies: Record<number, Reply>;
  /** Error codes of this route, besides those of all routes and those of all routes with a body. */
  problems?: string[];
  /** Takes an `Idempotency-Key`. */
  isIdempotent?: boolean;
  /** Public: only for what a load balancer asks. */
  isOpen?: boolean;
  /** Needs no key, and is refused to pages of other sites: the dashboard before somebody signed in. */
  isForPages?: boolean;
  /** A token in the URL replaces the key, and the handler checks it: feed readers send no headers. */
  hasToken?: boolean;
  /** Not part of the contract (pages, scripts): left out of the OpenAPI document. */
  isHidden?: boolean;
  handle(
    request: FastifyRequest<{ Params: z.output<P>; Querystring: z.output<Q>; Body: z.output<B> }>,
    reply: FastifyReply,
  ): unknown;
}

export interface Route extends Omit<RouteSpec<z.ZodType, z.ZodType, z.ZodType>, 'handle'> {
  handle(request: FastifyRequest, reply: FastifyReply): unknown;
}

export function route<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(spec: RouteSpec<P, Q, B>): Route {
  return spec as unknown as Route;
}

/** One area of the contract: a file that makes routes from its dependencies. */
export type Area = (deps: ApiDeps) => Route[];
