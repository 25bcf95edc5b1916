// One function for every request, typed by the routes of the OpenAPI document: `call('GET /runs/{run_id}', { path: { run_id } })`. It only ever asks the
// server that the page came from.

import type { Routes } from '../../client/routes.generated.ts';
import { asProblem, Problem, problemOf } from './problem.ts';

export type RouteName = keyof Routes;
export type Reply<R extends RouteName> = Routes[R]['reply'];
export type Query<R extends RouteName> = Routes[R]['query'];

/** What a route takes, without the parts that it does not have. */
export type Given<R extends RouteName> = {
  [Part in 'path' | 'query' | 'body' as Routes[R][Part] extends undefined ? never : Part]: Routes[R][Part];
} & { signal?: AbortSignal; idempotencyKey?: string };

type Args<R extends RouteName> = undefined extends Routes[R]['path']
  ? undefined extends Routes[R]['body']
    ? [given?: Given<R>]
    : [given: Given<R>]
  : [given: Given<R>];

const LIMIT_MS = 30_000;
/** Told when the server says that nobody is signed in (any more). */
const onSignedOut = new Set<() => void>();

export function whenSignedOut(listener: () => void): () => void {
  onSignedOut.add(listener);
  return () => onSignedOut.delete(listener);
}

interface AnyGiven {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
  idempotencyKey?: string;
}

/** The path of a route with its parameters: for requests, downloads and examples. */
export function addressOf(name: RouteName, { path = {}, query = {} }: Pick<AnyGiven, 'path' | 'query'> = {}): string {
  const plain = name.slice(name.indexOf(' ') + 1);
  const filled = plain.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(path[key])));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') search.set(key, String(value));
  return search.size === 0 ? filled : `${filled}?${search}`;
}

export async function call<R extends RouteName>(name: R, ...[given]: Args<R>): Promise<Reply<R>> {
  const { body, signal, idempotencyKey, ...where } = (given ?? {}) as AnyGiven;
  const limit = AbortSignal.timeout(LIMIT_MS);
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  let reply: Response;
  let text: string;
  try {
    reply = await fetch(addressOf(name, where), {
      method: name.slice(0, name.indexOf(' ')),
      headers,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    text = await reply.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw limit.aborted
      ? new Problem('The server did not answer within 30 seconds.', {})
      : new Problem('The server cannot be reached.', {});
  }
  const document = /json/.test(reply.headers.get('content-type') ?? '') ? parsed(text) : text;
  // The body of a 503 of /health is its answer.
  if (reply.ok || (reply.status === 503 && !isProblem(reply))) return document as Reply<R>;
  if (reply.status === 401) for (const listener of onSignedOut) listener();
  throw problemOf(document, reply.status, Number(reply.headers.get('retry-after')) || null);
}

const isProblem = (reply: Response): boolean => (reply.headers.get('content-type') ?? '').includes('problem+json');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw asProblem(error);
  }
}
