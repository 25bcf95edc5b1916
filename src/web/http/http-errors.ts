// What a failed exchange means, as a row of the error table. The messages are for people: `404 Not Found`, `timeout after 30s`.
import { STATUS_CODES } from 'node:http';
import { AppError } from '../../model/errors.ts';

const TLS_CODES =
  /^(ERR_TLS|ERR_SSL|EPROTO$|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERROR_IN_CERT|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH)/;
const RETRY_AFTER_MAX_MS = 24 * 3_600_000;

export function timeoutError(timeoutMs: number, cause?: unknown): AppError {
  return new AppError(
    'timeout',
    `timeout after ${Math.round(timeoutMs / 100) / 10}s`,
    cause === undefined ? {} : { cause },
  );
}

/** The error of a status outside 2xx; `statusText` is the server's own and not repeated, since it may say anything. */
export function statusError(status: number, headers: Record<string, string>, nowMs: number): AppError {
  const message = `${status} ${STATUS_CODES[status] ?? 'Unknown'}`;
  const retryAfterMs = parseRetryAfter(headers['retry-after'], nowMs);
  const options = { details: { status }, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  if (status === 429) return new AppError('rate_limited', message, options);
  if (status === 404 || status === 410) return new AppError('not_found', message, options);
  if (status === 408) return new AppError('timeout', message, options);
  if (status === 407) return new AppError('proxy', message, options);
  if (status >= 500) return new AppError('http_5xx', message, options);
  return new AppError('http_4xx', message, options);
}

/** `Retry-After` in seconds or as a date, never negative, never more than a day. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const trimmed = value.trim();
  const waitMs = /^\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) * 1000 : Date.parse(trimmed) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(0, waitMs), RETRY_AFTER_MAX_MS);
}

/** Whatever a socket, TLS, the resolver or undici threw. */
export function transportError(thrown: unknown, timeoutMs: number): AppError {
  if (thrown instanceof AppError) return thrown;
  const code = codeOf(thrown);
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return timeoutError(timeoutMs, thrown);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'ENODATA')
    return new AppError('dns', undefined, { cause: thrown });
  if (TLS_CODES.test(code)) return new AppError('tls', `the TLS connection failed (${code})`, { cause: thrown });
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') {
    return new AppError('too_large', 'headers larger than the limit', { cause: thrown });
  }
  if (code === 'UND_ERR_INVALID_ARG')
    return new AppError('invalid_params', 'the request cannot be sent', { cause: thrown });
  return new AppError('network', NETWORK_SENTENCES[code] ?? 'the connection failed', { cause: thrown });
}

const NETWORK_SENTENCES: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  UND_ERR_SOCKET: 'connection closed by the server',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the connection was closed before the end of the body',
  HPE_INVALID_CONSTANT: 'not an HTTP response',
};

function codeOf(thrown: unknown): string {
  if (thrown instanceof AggregateError) return codeOf(thrown.errors[0]);
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return '';
  return typeof thrown.code === 'string' ? thrown.code : '';
}
