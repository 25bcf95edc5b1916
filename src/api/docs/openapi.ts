// The OpenAPI 3.1 document, made from the route table. zod writes JSON Schema 2020-12, which is what 3.1 speaks, so nothing is converted.
import { STATUS_CODES } from 'node:http';
import { ERRORS, type ErrorCode } from '../../model/errors.ts';
import { PROBLEM_TYPE } from '../http/problem.ts';
import type { Reply, Route } from '../http/route.ts';
import { documentSchema, hoistNames, type JsonSchema, NAME } from '../validation/schema.ts';
import { SOCKET_PATHS } from './socket-paths.ts';
import { TAGS } from './tags.ts';
import { EVENT_PATHS } from './webhook-paths.ts';

/** Errors that every route can return. */
const COMMON: ErrorCode[] = ['too_many_requests', 'unavailable'];
/** Errors that every route with a body can return. */
const OF_BODIES: ErrorCode[] = ['malformed_json', 'unsupported_media_type', 'body_too_large', 'invalid_params'];

/** Part of the document where keys are needed. */
export const SECURITY = [{ bearer: [] }, { apiKey: [] }];

export function openapiDocument(routes: Route[], version: string): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas: Record<string, JsonSchema> = {};
  for (const route of routes) {
    if (route.isHidden) continue;
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = hoistNames(operation(route), schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Windrow',
      version,
      description:
        'Scrapes articles, job postings and products from the web. Errors are problem documents (RFC 9457) that list each invalid field. Every response has an `X-Request-Id`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: tagsOf(routes),
    paths: { ...paths, ...SOCKET_PATHS },
    webhooks: EVENT_PATHS,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
      schemas: { Problem: PROBLEM_SCHEMA, ...byName(schemas) },
    },
  };
}

const tagsOf = (routes: Route[]): JsonSchema[] =>
  [...new Set(routes.filter((route) => !route.isHidden).map((route) => route.tag))].map((name) => ({
    name,
    ...(TAGS[name] === undefined ? {} : { description: TAGS[name] }),
  }));

function operation(route: Route): JsonSchema {
  const codes = [
    ...(route.problems ?? []),
    ...(route.body ? OF_BODIES : []),
    ...(isOpenFor(route) ? [] : ['unauthorized']),
    ...(isForAll(route) ? [] : ['insufficient_scope']),
    ...COMMON,
  ] as ErrorCode[];
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...descriptionOf(route),
    ...(isOpenFor(route) ? { security: [] } : {}),
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query'), ...headers(route)],
    ...(route.body
      ? {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: whole(route, documentSchema(route.body, 'input'), 'Request'),
                example: route.bodyExample,
              },
            },
          },
        }
      : {}),
    responses: {
      ...problemReplies(codes),
      ...Object.fromEntries(
        Object.entries(route.replies).map(([status, reply]) => [status, response(route, status, reply)]),
      ),
    },
  };
}

/** No key is needed. */
const isOpenFor = (route: Route): boolean => route.isOpen === true || route.isForPages === true;

/** Any key will do, or none is needed. */
const isForAll = (route: Route): boolean => isOpenFor(route) || route.hasToken === true || route.scope === 'read';

function descriptionOf(route: Route): JsonSchema {
  const scope = isForAll(route) ? [] : [`Needs a key with scope \`${route.scope}\`.`];
  const sentences = [...(route.description ? [route.description] : []), ...scope];
  return sentences.length === 0 ? {} : { description: sentences.join(' ') };
}

function parameters(schema: Route['query'], place: 'path' | 'query'): JsonSchema[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = documentSchema(schema, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}

function headers(route: Route): JsonSchema[] {
  if (!route.isIdempotent) return [];
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'The same key with the same body returns the first response (`Idempotent-Replay: true`). With another body: 409.',
      schema: { type: 'string', maxLength: 255 },
      example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
    },
  ];
}

/** Bodies and replies as a whole have the name of their operation, unless they have one of their own. */
function whole(route: Route, schema: JsonSchema, end: string): JsonSchema {
  const [first = '', ...rest] = route.operationId;
  return { [NAME]: `${first.toUpperCase()}${rest.join('')}${end}`, ...schema };
}

function response(route: Route, status: string, reply: Reply): JsonSchema {
  const content = Object.entries(reply.examples).map(([type, example]) => [
    type,
    {
      schema:
        type === 'application/json' && reply.schema
          ? whole(route, documentSchema(reply.schema, 'output'), replyName(route, status))
          : { type: typeof example },
      example,
    },
  ]);
  return { description: reply.description, headers: REPLY_HEADERS, content: Object.fromEntries(content) };
}

function replyName({ replies }: Route, status: string): string {
  const usual = Object.entries(replies).find(([, reply]) => reply.schema)![0];
  return replies[Number(status)]!.schema === replies[Number(usual)]!.schema ? 'Reply' : `Reply${status}`;
}

const byName = (schemas: Record<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));

const REPLY_HEADERS = {
  'X-Request-Id': { description: 'Also in every log line about this request.', schema: { type: 'string' } },
};

/** One response per status; several codes with the same status become several examples. */
function problemReplies(codes: ErrorCode[]): JsonSchema {
  const byStatus: Record<string, ErrorCode[]> = {};
  for (const code of new Set(codes)) {
    const status = String(ERRORS[code].status);
    byStatus[status] ??= [];
    byStatus[status].push(code);
  }
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, found]) => [
      status,
      {
        description: found.map((code) => ERRORS[code].sentence).join(' '),
        headers:
          status === '429' || status === '503'
            ? { ...REPLY_HEADERS, 'Retry-After': { schema: { type: 'integer' } } }
            : REPLY_HEADERS,
        content: {
          [PROBLEM_TYPE]: {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(found.map((code) => [code, { value: problemExample(code) }])),
          },
        },
      },
    ]),
  );
}

function problemExample(code: ErrorCode): JsonSchema {
  const { status, sentence } = ERRORS[code];
  return {
    type: `urn:windrow:problem:${code}`,
    title: STATUS_CODES[status],
    status,
    detail: sentence,
    code,
    request_id: 'req_5f0c2b9e8d714a36',
    errors:
      code === 'invalid_params'
        ? [{ pointer: '/articles/3/url', detail: 'has to start with http:// or https://, not ftp:' }]
        : [],
  };
}

const PROBLEM_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id', 'errors'],
  properties: {
    type: { type: 'string', description: 'Kind of the problem. Stable.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What is wrong and what to do, for people.' },
    code: { type: 'string', enum: Object.keys(ERRORS) },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'JSON Pointer to the field, such as /articles/3/url.' },
          detail: { type: 'string' },
        },
      },
    },
  },
};
