// One function for every request. It needs nothing but `fetch`, so that it is the same in browsers and in Node.
import { ApiError, errorOf } from './errors.ts';
import { DEFAULT_POLICY, type RetryPolicy, waitBeforeRetry } from './retry.ts';
import { KEYED_ROUTES } from './routes.generated.ts';
import { type AnyGiven, type Args, addressOf, methodOf, type Reply, type RouteName } from './routes.ts';
import { pause } from './wait.ts';

export interface ConnectionOptions extends Partial<RetryPolicy> {
  /** Where the API is, such as `http://127.0.0.1:8000`. In a browser the default is the page's own origin. */
  url?: string;
  /** API key, where the server wants one. */
  key?: string;
  /** Milliseconds for one attempt. Default: 30,000. */
  timeoutMs?: number;
  /** Instead of the global one. */
  fetch?: typeof fetch;
}

export interface Connection {
  call<R extends RouteName>(name: R, ...given: Args<R>): Promise<Reply<R>>;
  /** The answer as it comes, for large results: `format=csv`, NDJSON. */
  stream(name: RouteName, given: AnyGiven & { accept?: string }): Promise<ReadableStream<Uint8Array>>;
  /** Address of a path of this server, for downloads and links. */
  address(path: string): URL;
  readonly key: string | undefined;
}

const TIMEOUT_MS = 30_000;
const SAFE = new Set(['GET', 'HEAD', 'PATCH']);

export function createConnection(options: ConnectionOptions = {}): Connection {
  const policy = { ...DEFAULT_POLICY, ...options };
  const origin = options.url ?? globalThis.location?.origin;
  if (origin === undefined) throw new TypeError('createClient needs a url, such as http://127.0.0.1:8000');
  const send = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args));
  const address = (path: string): URL => new URL(path, origin);

  async function once(name: RouteName, { body, path, query, signal }: AnyGiven, headers: Record<string, string>) {
    try {
      const reply = await send(address(addressOf(name, { path, query } as AnyGiven)), {
        method: methodOf(name),
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal ? { signal } : {}),
      });
      return reply;
    } catch (cause) {
      throw noAnswer(cause, signal);
    }
  }

  const headersOf = (name: RouteName, given: AnyGiven, accept: string): Record<string, string> => ({
    accept,
    ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(options.key ? { authorization: `Bearer ${options.key}` } : {}),
    ...(given.idempotencyKey || KEYED_ROUTES.has(name)
      ? { 'idempotency-key': given.idempotencyKey ?? crypto.randomUUID() }
      : {}),
  });

  async function repeated<T>(name: RouteName, given: AnyGiven, attempt: (signal: AbortSignal) => Promise<T>) {
    const isRepeatable = SAFE.has(methodOf(name)) || KEYED_ROUTES.has(name);
    for (let failed = 1; ; failed++) {
      const limit = AbortSignal.timeout(given.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS);
      try {
        return await attempt(given.signal ? AbortSignal.any([given.signal, limit]) : limit);
      } catch (error) {
        given.signal?.throwIfAborted();
        const waitMs = error instanceof ApiError ? waitBeforeRetry(error, { failed, isRepeatable }, policy) : null;
        if (waitMs === null) throw error;
        await pause(waitMs, given.signal);
      }
    }
  }

  return {
    key: options.key,
    address,
    async call(name, ...[given = {}]) {
      // Once for all attempts: the key of a request is the same however often it is sent.
      const headers = headersOf(name, given as AnyGiven, 'application/json');
      return repeated(name, given as AnyGiven, async (signal) => {
        const reply = await once(name, { ...(given as AnyGiven), signal }, headers);
        const text = await reply.text().catch((cause: unknown) => Promise.reject(noAnswer(cause, signal)));
        const type = reply.headers.get('content-type') ?? '';
        const document = type.includes('json') ? parsed(text, reply.status) : text;
        // The body of a 503 of /health is its answer; problems have a type of their own.
        if (reply.ok || (reply.status === 503 && !type.includes('problem'))) return document as never;
        throw errorOf(document, reply.status, retryAfterOf(reply));
      });
    },
    async stream(name, { accept = 'application/x-ndjson', ...given }) {
      const headers = headersOf(name, given, accept);
      return repeated(name, given, async (limit) => {
        // The limit is for the beginning of the answer: then the reader may take any time, and its own signal ends it.
        const late = new AbortController();
        const isLate = (): void => late.abort(limit.reason);
        limit.addEventListener('abort', isLate, { once: true });
        const signal = given.signal ? AbortSignal.any([given.signal, late.signal]) : late.signal;
        const reply = await once(name, { ...given, signal }, headers).finally(() =>
          limit.removeEventListener('abort', isLate),
        );
        if (reply.ok && reply.body) return reply.body;
        const text = await reply.text();
        throw errorOf(parsed(text, reply.status), reply.status, retryAfterOf(reply));
      });
    },
  };
}

function noAnswer(cause: unknown, signal: AbortSignal | undefined): ApiError {
  const isLate = signal?.aborted && (signal.reason as Error | undefined)?.name === 'TimeoutError';
  return new ApiError(isLate ? 'The server did not answer in time.' : 'The server cannot be reached.', { cause });
}

function parsed(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ApiError('The answer is not the JSON that it claims to be.', { status, code: 'internal', cause });
  }
}

const retryAfterOf = (reply: Response): number | null => {
  const seconds = Number(reply.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
};
