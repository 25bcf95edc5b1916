// Puts the policies of this folder together into what a source sees. One of these serves every attempt of a worker process:
// sockets and what was learnt about hosts are shared, the ledger and the AbortSignal are the attempt's own.
import { Agent } from 'undici';
import { decode } from '../extract/charset.ts';
import { AppError } from '../model/errors.ts';
import { guardedConnector, plainConnector } from './connect.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import { parseHostMap } from './host-map.ts';
import { exchange, follow, type HttpRequest, type HttpResponse } from './http.ts';
import { statusError } from './http-errors.ts';
import type { Web, WebLedger, WebRequest, WebResponse } from './port.ts';

export interface WebOptions {
  /** Limit for one page, redirects included (SCRAPE_TIMEOUT). */
  timeoutMs?: number;
  /** Decoded bytes of one body. */
  maxBytes?: number;
  maxHeaderBytes?: number;
  /** WEB_HOST_MAP as it is written. */
  hostMap?: string;
  guard?: GuardOptions;
  /** More certificates to trust, PEM. */
  ca?: string;
  userAgent?: string;
}

export interface Attempt {
  signal: AbortSignal;
  /** Name of the source, for pace, robots switches and the ledger. */
  source: string;
  timeoutMs?: number;
}

export interface Webs {
  forAttempt(attempt: Attempt): Web;
  /** Breaks off whatever is still running. */
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;
const DEFAULT_MAX_HEADER_BYTES = 32 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;
const DEFAULT_USER_AGENT = 'Mozilla/5.0 (compatible; Windrow/0.1)';

export function createWeb(options: WebOptions = {}): Webs {
  const guard = createGuard(options.guard);
  const hostMap = parseHostMap(options.hostMap);
  const defaultTimeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  const connect = {
    timeoutMs: Math.min(CONNECT_TIMEOUT_MS, defaultTimeoutMs),
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  };
  const pool = { maxHeaderSize: options.maxHeaderBytes ?? DEFAULT_MAX_HEADER_BYTES, allowH2: false };
  const agent = new Agent({ ...pool, connect: guardedConnector(guard, connect) });
  // Only ever given origins of the host map, which the operator wrote; hence without the guard.
  const mappedAgent = new Agent({ ...pool, connect: plainConnector(connect) });
  const userAgent = options.userAgent ?? DEFAULT_USER_AGENT;

  const routeFor = (url: URL) => {
    guard.checkUrl(url);
    const mapped = hostMap.isEmpty ? null : hostMap.originFor(url.hostname);
    return mapped === null ? { dispatcher: agent, origin: url.origin } : { dispatcher: mappedAgent, origin: mapped };
  };

  return {
    forAttempt(attempt) {
      const timeoutMs = attempt.timeoutMs ?? defaultTimeoutMs;
      const ledger: WebLedger = {
        requests: 0,
        bytes: 0,
        rateLimited: false,
        captchaEncountered: false,
        proxyUsed: null,
      };

      const fetchPage = (url: string, request: WebRequest = {}): Promise<HttpResponse> => {
        const limits = { maxBytes, timeoutMs, deadlineAt: performance.now() + timeoutMs, signal: attempt.signal };
        return follow(toHttp(url, request, userAgent), async (hop) => {
          const route = routeFor(hop.url);
          ledger.requests += 1;
          const answer = await exchange(hop, route, limits);
          ledger.bytes += answer.wireBytes;
          return answer;
        });
      };

      const get = async (url: string, request: WebRequest = {}): Promise<WebResponse> => {
        const answer = await fetchPage(url, request);
        const { status, headers } = answer;
        if ((status < 200 || status > 299) && !request.accept?.includes(status)) {
          if (status === 429) ledger.rateLimited = true;
          throw statusError(status, headers, Date.now());
        }
        return { url: answer.url.href, status, headers, text: textOf(answer) };
      };

      return {
        get,
        async text(url, request) {
          return (await get(url, request)).text;
        },
        async json(url, schema, request) {
          const page = await get(url, { ...request, headers: { accept: 'application/json', ...request?.headers } });
          return parseJson(page.text, schema);
        },
        signal: attempt.signal,
        ledger,
      };
    },
    async close() {
      await Promise.all([agent.destroy(), mappedAgent.destroy()]);
    },
  };
}

function toHttp(address: string, request: WebRequest, userAgent: string): HttpRequest {
  if (!URL.canParse(address)) throw new AppError('invalid_params', 'not a web address');
  const headers: Record<string, string> = {
    'user-agent': userAgent,
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-language': 'en-US,en;q=0.9',
    'accept-encoding': 'gzip, deflate, br, zstd',
  };
  for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value;
  if (request.body === undefined) return { url: new URL(address), method: request.method ?? 'GET', headers };
  const isText = typeof request.body === 'string';
  if (!isText) headers['content-type'] ??= 'application/json';
  const body = isText ? (request.body as string) : JSON.stringify(request.body);
  return { url: new URL(address), method: request.method ?? 'POST', headers, body };
}

/** Text as it can be stored: PostgreSQL takes no NUL. */
function textOf(answer: HttpResponse): string {
  const text = decode(answer.body, answer.headers['content-type']);
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

function parseJson<T>(
  text: string,
  schema: { safeParse(value: unknown): { success: true; data: T } | { success: false; error: Error } },
): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError('layout_changed', 'the answer is not JSON', { cause });
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new AppError('layout_changed', 'the answer does not have the expected shape', { cause: parsed.error });
  return parsed.data;
}
