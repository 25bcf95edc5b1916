// A route and everything that is known about it, in one place: how it is validated, answered, documented and protected. Fastify's route, the OpenAPI
// document and the tests that must hold for every route are all made from this table, so none of them can forget one.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ApiDeps } from '../deps.ts';

export interface Reply {
  description: string;
  /** JSON when there is a schema; other types are only documented. */
  schema?: z.ZodType;
  /** Media type → example. */
  examples: Record<string, unknown>;
}

interface RouteSpec<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  method: 'GET' | 'POST' | 'DELETE' | 'PATCH';
  /** Fastify's spelling: `/jobs/:job_id/status`. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  params?: P;
  query?: Q;
  body?: B;
  bodyExample?: unknown;
  replies: Record<number, Reply>;
  /** Codes of the error table that this route answers with, beside those every route can, and every one that takes a body. */
  problems?: string[];
  /** Takes an `Idempotency-Key`. */
  isIdempotent?: boolean;
  /** Answered without a key: only what a load balancer asks. */
  isOpen?: boolean;
  /** A token in the address stands for a key, and the handler checks it: whoever reads it sends no headers. */
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

/** One area of the contract: a file that turns the parts it needs into routes. */
export type Area = (deps: ApiDeps) => Route[];
