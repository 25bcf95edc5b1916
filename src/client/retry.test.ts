import { expect, test } from 'vitest';
import { DEFAULT_POLICY, waitBeforeRetry } from './retry.ts';

const once = { failed: 1, isRepeatable: false };
const half = () => 0.5;

test('what was refused for now is sent again after the time that the server says, whatever it is', () => {
  expect(waitBeforeRetry({ status: 503, retryAfter: 7 }, once, DEFAULT_POLICY, half)).toBe(7_000);
  expect(waitBeforeRetry({ status: 429, retryAfter: null }, once, DEFAULT_POLICY, half)).toBe(375);
});

test('a connection that broke is tried again only where a second request does no second work', () => {
  for (const status of [0, 502, 504]) {
    expect(waitBeforeRetry({ status, retryAfter: null }, once, DEFAULT_POLICY)).toBeNull();
    expect(
      waitBeforeRetry({ status, retryAfter: null }, { ...once, isRepeatable: true }, DEFAULT_POLICY),
    ).toBeGreaterThan(0);
  }
});

test('what is wrong stays wrong, and waits have an end', () => {
  for (const status of [400, 401, 403, 404, 409, 422, 500])
    expect(waitBeforeRetry({ status, retryAfter: 1 }, { ...once, isRepeatable: true }, DEFAULT_POLICY)).toBeNull();
  expect(waitBeforeRetry({ status: 503, retryAfter: 61 }, once, DEFAULT_POLICY)).toBeNull();
  expect(waitBeforeRetry({ status: 503, retryAfter: 1 }, { ...once, failed: 5 }, DEFAULT_POLICY)).toBeNull();
});
