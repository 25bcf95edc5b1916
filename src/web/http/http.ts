// One HTTP exchange, and the chain of redirects around it. It knows limits (time, bytes, hops) and nothing of politeness or
// identity. The deadline is for the whole page: a server that sends a byte every ten seconds is never idle, and never done.
import type { Dispatcher } from 'undici';
import { AppError } from '../../model/errors.ts';
import { Body } from './body.ts';
import { timeoutError, transportError } from './http-errors.ts';

export interface HttpRequest {
  url: URL;
  method: 'GET' | 'POST';
  /** Names in lower case. */
  headers: Record<string, string>;
  body?: string;
  /** False: a redirect is the answer. */
  followsRedirects?: boolean;
}

export interface HttpResponse {
  url: URL;
  status: number;
  headers: Record<string, string>;
  /** Each Set-Cookie line as it came; joined they could not be taken apart again. */
  setCookies: string[];
  body: Buffer;
  wireBytes: number;
}

export interface HttpLimits {
  maxBytes: number;
  /** Time for the page as a whole, redirects included. */
  timeoutMs: number;
  /** When that time is over, on the clock of `performance.now()`. */
  deadlineAt: number;
  signal: AbortSignal;
  /** Only the status counts: the body is read and dropped, and cut off where it is too large or too slow. */
  dropsBody?: boolean;
}

/** Where an exchange goes: the real origin or the one the host map names. */
export interface Route {
  dispatcher: Dispatcher;
  origin: string;
}

const MAX_REDIRECTS = 10;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Not sent on to another origin: they were meant for the first one. */
const PRIVATE_HEADERS = ['authorization', 'cookie', 'proxy-authorization'];

/** Sends one request and reads the whole answer. Rejects with an AppError, and only after the socket was given up. */
export function exchange(request: HttpRequest, route: Route, limits: HttpLimits): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const { url } = request;
    const leftMs = limits.deadlineAt - performance.now();
    if (limits.signal.aborted) return reject(cancelled());
    if (leftMs <= 0) return reject(timeoutError(limits.timeoutMs));

    let controller: Dispatcher.DispatchController | null = null;
    let body: Body | null = null;
    let answer: HttpResponse | null = null;
    let failure: AppError | null = null;

    const finish = (error: AppError | null) => {
      clearTimeout(timer);
      limits.signal.removeEventListener('abort', onAbort);
      if (error !== null) {
        body?.destroy();
        reject(error);
      } else if (answer !== null) resolve(answer);
    };
    const fail = (error: AppError) => {
      if (failure !== null) return;
      failure = error;
      if (controller !== null) controller.abort(error);
      finish(hasAllItNeeds() ? null : error);
    };
    const hasAllItNeeds = () => limits.dropsBody === true && answer !== null;
    let droppedBytes = 0;
    const onAbort = () => fail(cancelled());
    const timer = setTimeout(() => fail(timeoutError(limits.timeoutMs)), leftMs);
    limits.signal.addEventListener('abort', onAbort, { once: true });

    route.dispatcher.dispatch(
      {
        origin: route.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: { host: url.host, ...request.headers },
        body: request.body ?? null,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        onRequestStart(started) {
          controller = started;
          // It waited for a socket until now; the caller already has its error.
          if (failure !== null) started.abort(failure);
        },
        onResponseStart(started, status, headers) {
          if (status < 200) return;
          const plain = plainHeaders(headers);
          answer = {
            url,
            status,
            headers: plain,
            setCookies: [headers['set-cookie'] ?? []].flat(),
            body: EMPTY,
            wireBytes: 0,
          };
          if (limits.dropsBody) return;
          try {
            const flow = { fail, pause: () => started.pause(), resume: () => started.resume() };
            body = new Body(plain['content-encoding'], limits.maxBytes, flow);
          } catch (error) {
            fail(transportError(error, limits.timeoutMs));
            return;
          }
          if (Number(plain['content-length'] ?? 0) > limits.maxBytes) {
            fail(new AppError('too_large', `body of ${plain['content-length']} bytes is larger than the limit`));
          }
        },
        onResponseData(_, chunk) {
          if (failure !== null) return;
          body?.push(chunk);
          if (!limits.dropsBody) return;
          droppedBytes += chunk.length;
          if (droppedBytes > limits.maxBytes) fail(new AppError('too_large'));
        },
        onResponseEnd() {
          if (failure !== null || answer === null) return;
          if (body === null) return finish(null);
          const { wireBytes } = body;
          body.end().then(
            (bytes) => {
              if (answer !== null) Object.assign(answer, { body: bytes, wireBytes });
              finish(null);
            },
            (error) => finish(transportError(error, limits.timeoutMs)),
          );
        },
        onResponseError(_, error) {
          if (failure === null) finish(hasAllItNeeds() ? null : transportError(error, limits.timeoutMs));
        },
      },
    );
  });
}

/** Sends a request and follows redirects by hand, so that `hop` (guard, pace, robots) sees every address before it is asked. */
export async function follow(
  request: HttpRequest,
  hop: (request: HttpRequest) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  let next = request;
  for (let hops = 0; ; hops += 1) {
    const answer = await hop(next);
    const location = answer.headers.location;
    if (!REDIRECTS.has(answer.status) || location === undefined || request.followsRedirects === false) return answer;
    if (hops === MAX_REDIRECTS) throw new AppError('too_many_redirects', `more than ${MAX_REDIRECTS} redirects`);
    next = redirected(next, answer.status, location);
  }
}

function redirected(request: HttpRequest, status: number, location: string): HttpRequest {
  if (!URL.canParse(location, request.url)) throw new AppError('network', 'redirect to a URL that is not valid');
  const url = new URL(location, request.url);
  if (url.hash === '') url.hash = request.url.hash;
  const becomesGet = status === 303 || (request.method === 'POST' && (status === 301 || status === 302));
  const dropped = new Set<string>([
    ...(url.origin === request.url.origin ? [] : PRIVATE_HEADERS),
    ...(becomesGet ? ['content-type', 'content-length'] : []),
  ]);
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !dropped.has(name)));
  return becomesGet ? { url, method: 'GET', headers } : { ...request, url, headers };
}

const EMPTY = Buffer.alloc(0);

function cancelled(): AppError {
  return new AppError('cancelled');
}

function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) plain[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return plain;
}
