// An exchange with a browser's TLS and HTTP/2, by impit. It opens its own sockets, so it is always sent through our guarded proxy; it
// decodes bodies itself, so the limit is counted on what it hands out. Loaded on first use: it brings 11 MB of native code.
import { AppError } from '../../model/errors.ts';
import type { HttpLimits, HttpRequest, HttpResponse } from './http.ts';
import { timeoutError, transportError } from './http-errors.ts';

export interface ImpitClient {
  exchange(request: HttpRequest, limits: HttpLimits): Promise<HttpResponse>;
}

export interface ImpitClientOptions {
  tls: string;
  proxyUrl: string;
  /** For tests with certificates of their own. */
  ignoreTlsErrors?: boolean;
}

type ImpitBrowser = NonNullable<NonNullable<ConstructorParameters<typeof import('impit').Impit>[0]>['browser']>;

export async function createImpitClient(options: ImpitClientOptions): Promise<ImpitClient> {
  const { Impit } = await import('impit');
  const impit = new Impit({
    browser: options.tls as ImpitBrowser,
    proxyUrl: options.proxyUrl,
    followRedirects: false,
    vanillaFallback: false,
    ignoreTlsErrors: options.ignoreTlsErrors ?? false,
  });
  return {
    async exchange(request, limits) {
      const leftMs = Math.ceil(limits.deadlineAt - performance.now());
      if (limits.signal.aborted) throw new AppError('cancelled');
      if (leftMs <= 0) throw timeoutError(limits.timeoutMs);
      const deadline = AbortSignal.timeout(leftMs);
      const signal = AbortSignal.any([limits.signal, deadline]);
      try {
        const response = await impit.fetch(request.url.href, {
          method: request.method,
          headers: request.headers,
          redirect: 'manual',
          signal,
          ...(request.body === undefined ? {} : { body: request.body }),
        });
        const body = await readWithin(response.body, limits.maxBytes, signal);
        const headers = Object.fromEntries(response.headers.entries());
        // Already decoded: what the server called it would only mislead.
        delete headers['content-encoding'];
        return {
          url: request.url,
          status: response.status,
          headers,
          setCookies: response.headers.getSetCookie(),
          body,
          wireBytes: body.length,
        };
      } catch (error) {
        if (limits.signal.aborted) throw new AppError('cancelled');
        if (deadline.aborted) throw timeoutError(limits.timeoutMs);
        throw impitError(error, limits.timeoutMs);
      }
    },
  };
}

async function readWithin(body: ReadableStream<Uint8Array>, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = body.getReader();
  const onAbort = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (signal.aborted) throw signal.reason;
      if (done) return Buffer.concat(chunks);
      bytes += value.length;
      if (bytes > maxBytes) {
        await reader.cancel();
        throw new AppError('too_large', `body larger than ${Math.round(maxBytes / 1024 / 1024)} MB`);
      }
      chunks.push(value);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** impit's classes, by name: they come from another realm than ours. The guard's refusal reaches us as a tunnel answered 403. */
function impitError(error: unknown, timeoutMs: number): AppError {
  if (error instanceof AppError) return error;
  const text = error instanceof Error ? `${error.name} ${error.message}` : String(error);
  if (/403|Forbidden/.test(text) && /tunnel|proxy/i.test(text)) return new AppError('forbidden_address');
  if (/certificate|InvalidCert|UnknownIssuer|tls/i.test(text)) return new AppError('tls', undefined, { cause: error });
  if (/ProxyTunnelError|ProxyError|tunnel/i.test(text))
    return new AppError('network', 'the connection failed', { cause: error });
  if (/Timeout/.test(text)) return timeoutError(timeoutMs, error);
  return transportError(error, timeoutMs);
}
