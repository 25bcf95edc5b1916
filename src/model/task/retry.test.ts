import { expect, test } from 'vitest';
import { afterFailure, afterLoss, backoffMs, isSuspect, type Next, RETRY_POLICY } from './retry.ts';

const past = { band: 'low', failures: 0, crashes: 0, waits: 0 } as const;
const error = (category: string, extra: object = {}) => ({ category, message: 'x', retryable: true, ...extra });
const options = { maxRetries: 3, backoff: 'usual', policy: RETRY_POLICY, random: () => 0.5 } as const;

test('a failure is retried in the high band, with a delay that grows', () => {
  const delays = [0, 1, 2].map((failures) => {
    const next = afterFailure({ ...past, failures }, error('http_5xx'), options);
    expect(next).toMatchObject({ retry: true, failures: failures + 1, band: 'high' });
    return next.retry ? next.delayMs : 0;
  });
  expect(delays).toEqual([500, 1_000, 2_000]);
});

test('the scrape of a company is tried again after 5, 10 and 20 minutes, then it is over', () => {
  const company = { ...options, backoff: 'company' } as const;
  const minutes = [0, 1, 2, 3].map((failures) => {
    const next = afterFailure({ ...past, failures }, error('http_5xx'), company);
    return next.retry ? next.delayMs / 60_000 : null;
  });
  expect(minutes).toEqual([5, 10, 20, null]);
});

test('after the last retry it is over', () => {
  expect(afterFailure({ ...past, failures: 3 }, error('http_5xx'), options)).toEqual({ retry: false });
});

test.each(['not_found', 'invalid_params', 'robots', 'cancelled'])('%s is never retried', (category) => {
  expect(afterFailure(past, error(category), options)).toEqual({ retry: false });
});

test('what the worker calls hopeless is not retried', () => {
  expect(afterFailure(past, error('http_4xx', { retryable: false }), options)).toEqual({ retry: false });
});

test('Retry-After wins where it is longer', () => {
  expect(afterFailure(past, error('http_5xx', { retry_after: 40 }), options)).toMatchObject({ delayMs: 40_000 });
});

test('Retry-After of years does not keep a run for years', () => {
  expect(afterFailure(past, error('rate_limited', { retry_after: 1e300 }), options)).toMatchObject({
    delayMs: 24 * 3_600_000,
  });
});

test('being throttled costs no attempt, keeps the band, and ends all the same', () => {
  expect(afterFailure(past, error('rate_limited', { retry_after: 7 }), options)).toMatchObject({
    retry: true,
    failures: 0,
    waits: 1,
    delayMs: 7_000,
    band: 'low',
  });
  const worn = { ...past, waits: RETRY_POLICY.maxWaits, failures: 3 };
  expect(afterFailure(worn, error('rate_limited'), options)).toEqual({ retry: false });
});

test('full jitter spreads a thousand simultaneous failures over the whole step', () => {
  const buckets = new Array<number>(8).fill(0);
  for (let i = 0; i < 1_000; i++) {
    const bucket = Math.floor(backoffMs(3, RETRY_POLICY, () => i / 1_000) / 1_000);
    buckets[bucket] = (buckets[bucket] ?? 0) + 1;
  }
  expect(Math.max(...buckets)).toBeLessThan(3 * (1_000 / 8));
});

test('a task becomes a suspect when it was lost with two workers after it had started', () => {
  const once = afterLoss(past, { started: true, policy: RETRY_POLICY });
  expect(once).toMatchObject({ retry: true, crashes: 1, band: 'low', delayMs: 0 });
  expect([0, 1, 2].map(isSuspect)).toEqual([false, false, true]);
  const held = afterLoss({ ...past, crashes: 1 }, { started: false, policy: RETRY_POLICY });
  expect(held).toMatchObject({ retry: true, crashes: 1 });
  // It may have died of the task before it could say that it had begun.
  expect(afterLoss({ ...past, crashes: 1 }, { started: null, policy: RETRY_POLICY })).toMatchObject({ crashes: 2 });
});

test('only a suspect that takes its worker down while running alone is given up, and one that nobody ever speaks of', () => {
  expect(afterLoss({ ...past, crashes: 2 }, { started: true, policy: RETRY_POLICY })).toEqual({ retry: false });
  expect(afterLoss({ ...past, crashes: 2 }, { started: false, policy: RETRY_POLICY })).toMatchObject({ crashes: 2 });
  let losses = 0;
  for (let one: Next = { ...past, retry: true, delayMs: 0 }; one.retry; losses++)
    one = afterLoss(one, { started: null, policy: RETRY_POLICY });
  expect(losses).toBe(RETRY_POLICY.maxCrashes + 1);
});

test('a loss that was forgiven in advance leaves no suspicion', () => {
  expect(afterLoss({ ...past, crashes: -1 }, { started: true, policy: RETRY_POLICY })).toMatchObject({
    retry: true,
    crashes: 0,
  });
});

test('a worker that lacks the source costs no attempt, waits longer each time, and is not asked for ever', () => {
  const lacking = error('internal', { code: 'unknown_source' });
  expect(afterFailure({ ...past, failures: 3 }, lacking, options)).toMatchObject({
    retry: true,
    failures: 3,
    waits: 1,
    band: 'low',
  });
  const delays = [0, 5, 29].map((waits) => {
    const next = afterFailure({ ...past, waits }, lacking, options);
    return next.retry ? next.delayMs : null;
  });
  expect(delays).toEqual([1_000, 16_000, 150_000]);
  expect(afterFailure({ ...past, failures: 3, waits: 30 }, lacking, options)).toEqual({ retry: false });
});
