import { expect, test } from 'vitest';
import { parseRetryAfter, statusError, timeoutError, transportError } from './http-errors.ts';

test.each([
  [404, 'not_found', '404 Not Found'],
  [410, 'not_found', '410 Gone'],
  [403, 'http_4xx', '403 Forbidden'],
  [408, 'timeout', '408 Request Timeout'],
  [429, 'rate_limited', '429 Too Many Requests'],
  [500, 'http_5xx', '500 Internal Server Error'],
  [599, 'http_5xx', '599 Unknown'],
])('status %i is %s', (status, code, message) => {
  expect(statusError(status, {}, 0)).toMatchObject({ code, message, details: { status } });
});

test('Retry-After is read as seconds and as a date', () => {
  const now = Date.parse('2026-11-15T08:00:00Z');
  expect(parseRetryAfter('120', now)).toBe(120_000);
  expect(parseRetryAfter('Sun, 15 Nov 2026 08:00:30 GMT', now)).toBe(30_000);
  expect(parseRetryAfter('Sun, 15 Nov 2026 07:00:00 GMT', now)).toBe(0);
  expect(parseRetryAfter('999999999', now)).toBe(24 * 3_600_000);
  expect(parseRetryAfter('soon', now)).toBeUndefined();
  expect(statusError(503, { 'retry-after': '7' }, now)).toMatchObject({ code: 'http_5xx', retryAfterMs: 7_000 });
});

test('timeouts name their limit', () => {
  expect(timeoutError(30_000).message).toBe('timeout after 30s');
  expect(timeoutError(150).message).toBe('timeout after 0.2s');
});

test.each([
  ['ECONNRESET', 'network', 'connection reset'],
  ['ECONNREFUSED', 'network', 'connection refused'],
  ['CERT_HAS_EXPIRED', 'tls', 'the TLS connection failed (CERT_HAS_EXPIRED)'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls', 'the TLS connection failed (DEPTH_ZERO_SELF_SIGNED_CERT)'],
  ['ENOTFOUND', 'dns', 'The host name could not be resolved.'],
  ['UND_ERR_HEADERS_OVERFLOW', 'too_large', 'headers larger than the limit'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout', 'timeout after 1s'],
  ['WHATEVER', 'network', 'the connection failed'],
])('%s is %s', (code, expected, message) => {
  expect(transportError(Object.assign(new Error('10.0.0.1:80'), { code }), 1000)).toMatchObject({
    code: expected,
    message,
  });
});
