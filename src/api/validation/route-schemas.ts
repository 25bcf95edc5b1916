// The schemas of a route as Fastify takes them.
import { z } from 'zod';
import type { Route } from '../http/route.ts';
import { type JsonSchema, replySchema, requestSchema } from './schema.ts';

/** What a route does not take is refused and not ignored: who sends `dry_run` means it. */
const NO_QUERY = z.strictObject({});
const NO_BODY = z.strictObject({}).nullable();

/** A schema that would not be checked as it is written is a mistake of ours: the server does not start. */
export function routeSchemas(route: Route): object {
  const convert = (part: string, turn: (schema: z.ZodType) => JsonSchema, schema: z.ZodType): JsonSchema => {
    try {
      return turn(schema);
    } catch (error) {
      throw new Error(`${route.method} ${route.path}, ${part}: ${error instanceof Error ? error.message : error}`);
    }
  };
  const answers = Object.entries(route.replies).filter(
    ([, reply]) => reply.schema && Object.keys(reply.examples).length === 1,
  );
  return {
    querystring: convert('query', requestSchema, route.query ?? NO_QUERY),
    ...(route.params ? { params: convert('path', requestSchema, route.params) } : {}),
    ...(route.method === 'GET' ? {} : { body: convert('body', requestSchema, route.body ?? NO_BODY) }),
    response: Object.fromEntries(
      answers.map(([status, reply]) => [status, convert(`reply ${status}`, replySchema, reply.schema!)]),
    ),
  };
}
