// The OpenAPI document: complete, and true to the routes.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dereference } from '../../support/api/dereference.ts';
import { type ApiWorld, startApiWorld } from './api-world.ts';

interface Media {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  parameters: { name: string; in: string; schema: object }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}

let world: ApiWorld;
let document: {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
};
let schemas: Record<string, object>;
let operations: [string, Operation][];

beforeAll(async () => {
  world = await startApiWorld({ isWithWorker: false });
  const { body } = await world.call('GET', '/openapi.json');
  schemas = body.components.schemas;
  document = dereference(body);
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
});
afterAll(() => world?.stop());

test('every route that is not a page is in it, and the WebSockets too', () => {
  expect(document.openapi).toBe('3.1.0');
  const wanted = world.api.routes
    .filter((route) => !route.isHidden)
    .map((route) => `${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`);
  expect(operations.map(([name]) => name).sort()).toEqual([...wanted, 'GET /ws', 'GET /ws/jobs/{job_id}'].sort());
});

test('every operation has an id of its own, a summary, a tag, and an example for its request and each reply', () => {
  expect(new Set(operations.map(([, operation]) => operation.operationId)).size).toBe(operations.length);
  for (const [name, operation] of operations) {
    expect(operation.summary.length, name).toBeGreaterThan(5);
    expect(operation.tags, name).toHaveLength(1);
    if (operation.requestBody) expect(operation.requestBody.content['application/json']?.example, name).toBeDefined();
    for (const [status, response] of Object.entries(operation.responses)) {
      expect(response.description.length, `${name} ${status}`).toBeGreaterThan(3);
      for (const [type, media] of Object.entries(response.content ?? {})) {
        const examples = media.examples ? Object.values(media.examples) : [media.example];
        expect(examples.length, `${name} ${status} ${type}`).toBeGreaterThan(0);
        expect(examples, `${name} ${status} ${type}`).not.toContain(undefined);
      }
    }
    if (!name.includes('/ws'))
      expect(
        Object.keys(operation.responses).some((status) => status.startsWith('2')),
        name,
      ).toBe(true);
  }
});

test('items, runs, bodies and replies have names, and no schema is in it without one', async () => {
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining(['Problem', 'Posting', 'ListedPosting', 'Product', 'Article', 'Run', 'Company', 'Schedule']),
  );
  const { body } = await world.call('GET', '/openapi.json');
  const unnamed = Object.values(body.paths as typeof document.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap((one) => {
        const media = one?.content?.['application/json'];
        return media && !('$ref' in media.schema) && !/^(watch|getOpenapi)/.test(operationId) ? [operationId] : [];
      }),
    ),
  );
  expect(unnamed).toEqual([]);
});

test('what a body or a query may be refused for is in it', () => {
  const silent = operations.flatMap(([name, { requestBody, parameters, responses }]) => {
    const isAsked = parameters.some((parameter) => parameter.in === 'query') && !name.startsWith('GET /ws');
    const expected = requestBody ? ['400', '413', '415', '422'] : isAsked ? ['422'] : [];
    return expected.filter((status) => !responses[status]).map((status) => `${name} ${status}`);
  });
  expect(silent).toEqual([]);
});

test('every example fits its own schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const [name, operation] of operations) {
    const media = [
      ...Object.entries(operation.requestBody?.content ?? {}),
      ...Object.values(operation.responses).flatMap((response) => Object.entries(response.content ?? {})),
    ];
    for (const [type, { schema, example, examples }] of media) {
      const check = ajv.compile(schema);
      for (const value of examples ? Object.values(examples).map((one) => one.value) : [example]) {
        expect(check(value), `${name} ${type}: ${JSON.stringify(check.errors)}`).toBe(true);
      }
    }
  }
});

test('the answer to a submit fits what the document says of it', async () => {
  const reply = await world.call('POST', '/jobs/submit', { articles: [{ url: 'https://example.com/a' }] });
  const schema = document.paths['/jobs/submit']!.post!.responses['201']!.content!['application/json']!.schema;
  const check = new Ajv2020({ strict: false }).compile(schema);
  expect(check(reply.body), JSON.stringify(check.errors)).toBe(true);
});

interface Bounded {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  maxLength?: number;
  maxItems?: number;
  maximum?: number;
  properties?: Record<string, Bounded>;
  items?: Bounded;
  anyOf?: Bounded[];
}

/** What may be as large as the body. */
function* unbounded(schema: Bounded, path: string): Generator<string> {
  for (const one of schema.anyOf ?? []) yield* unbounded(one, path);
  for (const [name, one] of Object.entries(schema.properties ?? {})) yield* unbounded(one, `${path}/${name}`);
  if (schema.items) yield* unbounded(schema.items, `${path}/*`);
  if (schema.enum || schema.const !== undefined) return;
  const types = [schema.type].flat();
  // From its beginning to its end, and nothing in it is repeated without a limit.
  const isShort = /^\^(?!.*[*+]).*\$$/.test(schema.pattern ?? '');
  if (types.includes('string') && schema.maxLength === undefined && !isShort) yield path;
  if (types.includes('array') && schema.maxItems === undefined) yield path;
  if ((types.includes('integer') || types.includes('number')) && schema.maximum === undefined) yield path;
}

test('A12: every text, list and number that a request may have has a maximum', () => {
  const found = operations.flatMap(([name, { parameters, requestBody }]) => [
    ...parameters
      .filter((one) => one.in === 'query')
      .flatMap((one) => [...unbounded(one.schema, `${name} ?${one.name}`)]),
    ...Object.entries(requestBody?.content ?? {}).flatMap(([, { schema }]) => [...unbounded(schema, name)]),
  ]);
  // A file of companies: its rows and characters are counted when it is read, with a sentence of its own.
  expect([...new Set(found)].filter((one) => !one.startsWith('POST /companies/import'))).toEqual([]);
});
