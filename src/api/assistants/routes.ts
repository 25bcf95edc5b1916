// The tools for assistants over streamable HTTP. Each request of a tool goes through the routes of this API with the key that the assistant sent, so keys, scopes,
// owners and rate limits hold as they do everywhere; nothing is kept between requests, so any API process may answer the next one.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Api } from '../../mcp/api.ts';
import { AppError, ERRORS, type ErrorCode } from '../../model/errors.ts';
import type { Needs } from '../deps.ts';
import { type Route, route } from '../http/route.ts';

const HIDDEN = {
  path: '/mcp',
  scope: 'read',
  tag: 'Assistants',
  isHidden: true,
  replies: { 200: { description: 'JSON-RPC.', examples: {} } },
} as const;

export const assistants = ({ version }: Needs<object, 'version'>): Route[] => [
  route({
    ...HIDDEN,
    method: 'POST',
    operationId: 'callTool',
    summary: 'Model Context Protocol',
    body: z.union([z.looseObject({}), z.array(z.looseObject({}))]),
    handle: (request, reply) => serve(request, reply, version),
  }),
  // Clients ask for a stream of notifications here, and go without it after a 405.
  route({
    ...HIDDEN,
    method: 'GET',
    operationId: 'streamNotifications',
    summary: 'No stream of notifications',
    handle: (_request, reply) => reply.code(405).header('allow', 'POST').send(),
  }),
];

async function serve(request: FastifyRequest, reply: FastifyReply, version: string): Promise<unknown> {
  // Only here: an API that no assistant asks does without the SDK.
  const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('../../mcp/server.ts'),
  ]);
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const handler = createMcpHandler(() => createMcpServer(apiFor(request), version), {
    // No list of ours changes, and a stream would hold a connection for nothing.
    maxSubscriptions: 0,
  });
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && name !== 'content-length' ? [[name, value]] : [],
  );
  const asked = new Request('http://localhost/mcp', {
    method: 'POST',
    headers,
    body: JSON.stringify(request.body ?? null),
    signal: gone.signal,
  });
  const answer = await handler.fetch(asked, { parsedBody: request.body ?? null });
  reply.code(answer.status).headers(Object.fromEntries(answer.headers));
  return reply.send(answer.body ? Readable.fromWeb(answer.body as ReadableStream) : undefined);
}

function apiFor(request: FastifyRequest): Api {
  const { authorization, 'x-api-key': key, host } = request.headers;
  const headers = {
    'x-request-id': request.id,
    ...(host ? { host } : {}),
    ...(authorization ? { authorization } : {}),
    ...(typeof key === 'string' ? { 'x-api-key': key } : {}),
  };
  const ask = async <T>(method: 'GET' | 'POST', url: string, payload?: unknown): Promise<T> => {
    const answer = await request.server.inject({
      method,
      url,
      remoteAddress: request.ip,
      headers:
        payload === undefined
          ? headers
          : { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
    });
    if (answer.statusCode >= 400) throw refusal(answer.json());
    return answer.json() as T;
  };
  return { get: (path) => ask('GET', path), submit: (path, body) => ask('POST', path, body) };
}

interface Problem {
  code?: string;
  detail?: string;
  /** Of an unknown cart. */
  message?: string;
  errors?: { pointer: string; detail: string }[];
}

function refusal({ code = '', detail, message, errors = [] }: Problem): AppError {
  const known = Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : 'unknown_id';
  return new AppError(known, detail ?? message, errors.length > 0 ? { errors } : {});
}
