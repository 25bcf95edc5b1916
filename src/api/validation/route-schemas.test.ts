import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Route, route } from '../http/route.ts';
import { routeSchemas } from './route-schemas.ts';

const base = {
  method: 'POST',
  path: '/things',
  operationId: 'makeThing',
  scope: 'submit',
  tag: 'Things',
  summary: 'Make a thing',
  replies: {},
  handle: () => null,
} as const;
const Plain = z.object({ name: z.string().min(1).regex(/a/), sizes: z.array(z.int().min(1)).default([]) });

test('what JSON Schema can say is taken', () => {
  const schemas = routeSchemas(
    route({ ...base, body: Plain, query: z.strictObject({ limit: z.int().max(9).default(5) }) }),
  );
  expect(schemas).toMatchObject({
    body: { properties: { name: { minLength: 1 } } },
    querystring: { properties: { limit: { default: 5 } } },
  });
});

const isOdd = (text: string): boolean => text.length % 2 === 1;
const REFUSED: Record<string, Partial<Route>> = {
  'body: .* \\.refine\\(\\) of /list/\\*/name': {
    body: z.object({ list: z.array(z.object({ name: z.string().refine(isOdd) })) }),
  },
  'body: .* \\.refine\\(\\) of the whole': { body: Plain.superRefine(() => {}) },
  'body: .* \\.refine\\(\\) of /name': { body: z.object({ name: z.string().default('x').refine(isOdd).optional() }) },
  'query: .* \\.transform\\(\\), .* of /at': { query: z.object({ at: z.string().transform((text) => text.length) }) },
  'query: .* \\.transform\\(\\), .* of /to': { query: z.object({ to: z.preprocess((value) => value, z.string()) }) },
  'query: .* z.coerce of /limit': { query: z.object({ limit: z.coerce.number() }) },
  'path: .* \\.trim\\(\\) .* of /id': { params: z.object({ id: z.string().trim() }) },
  'body: .* z.date\\(\\) of /since': { body: z.object({ since: z.date() }) },
  'body: .* \\.catch\\(\\) of /labels/\\*': { body: z.object({ labels: z.record(z.string(), z.string().catch('')) }) },
  'body: .* \\.refine\\(\\) of /value': { body: z.object({ value: z.union([z.number(), z.string().refine(isOdd)]) }) },
  'reply 200: .* \\.transform\\(\\), .* of /name': {
    replies: {
      200: {
        description: 'It.',
        schema: z.object({ name: z.string().transform((text) => text.length) }),
        examples: { 'application/json': {} },
      },
    },
  },
};

test.each(Object.entries(REFUSED))(
  'what would be ignored is refused, with its route and field: %s',
  (text, schemas) => {
    expect(() => routeSchemas({ ...base, ...schemas })).toThrow(new RegExp(`^POST /things, ${text}`));
  },
);

test('a route takes no body where it names none, and a method without one has no schema for it', () => {
  const { body: _body, ...bare } = { ...base, body: undefined };
  expect(routeSchemas(route(bare))).toMatchObject({
    body: { anyOf: [{ additionalProperties: false }, { type: 'null' }] },
  });
  expect(routeSchemas(route({ ...bare, method: 'GET' }))).not.toHaveProperty('body');
});
