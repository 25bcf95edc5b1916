import { expect, test } from 'vitest';
import { afterFailure, afterLoss, isSuspect, type Next, RETRY_POLICY } from './retry.ts';
import { kindOf } from './retry-table.ts';

const past = { band: 'low', failures: 0, crashes: 0, waits: 0 } as const;
const error = (category: string, extra: object = {}) => ({ category, message: 'x', retryable: true, ...extra });
const options = { maxRetries: 3, backoff: 'usual', policy: RETRY_POLICY, random: () => 0 } as const;

test('a site that is away is asked again over minutes, in the high band', () => {
  const delays = [0, 1, 2].map((failures) => {
    const next = afterFailure({ ...past, failures }, error('http_5xx'), options);
    expect(next).toMatchObject({ retry: true, failures: failures + 1, band: 'high' });
    return next.retry ? next.delayMs : 0;
  });
  expect(delays).toEqual([15_000, 60_000, 240_000]);
});

test('the scrape of a company is tried again after 5, 10 and 20 minutes, then it is over', () => {
  const company = { ...options, backoff: 'company', random: () => 0.7 } as const;
  const minutes = [0, 1, 2, 3].map((failures) => {
    const next = afterFailure({ ...past, failures }, error('http_5xx'), company);
    return next.retry ? next.delayMs / 60_000 : null;
  });
  expect(minutes).toEqual([5, 10, 20, null]);
});

test.each(['blocked', 'captcha', 'login'])('%s is not asked again within seconds', (kind) => {
  const next = afterFailure(past, error(kind === 'login' ? 'blocked' : kind, { code: kind }), options);
  expect(next).toMatchObject({ retry: true, failures: 1 });
  expect(next.retry && next.delayMs).toBeGreaterThanOrEqual(120_000);
});

test('after the last retry it is over', () => {
  expect(afterFailure({ ...past, failures: 3 }, error('http_5xx'), options)).toEqual({ retry: false });
});

test.each(['http_5xx', 'rate_limited', 'blocked', 'captcha', 'internal', 'anything'])(
  '%s is not tried again where nothing is (MAX_RETRY_ATTEMPTS=0)',
  (category) => {
    const none = { ...options, maxRetries: 0 };
    expect(afterFailure(past, error(category), none)).toEqual({ retry: false });
    expect(afterFailure(past, error(category, { retry_after: 1 }), none)).toEqual({ retry: false });
  },
);

test.each(['not_found', 'invalid_params', 'robots', 'cancelled'])('%s is never retried', (category) => {
  expect(afterFailure(past, error(category), options)).toEqual({ retry: false });
});

test('what the worker calls hopeless is not retried', () => {
  expect(afterFailure(past, error('http_4xx', { retryable: false }), options)).toEqual({ retry: false });
});

test('Retry-After wins where it is longer, up to an hour', () => {
  expect(afterFailure(past, error('http_5xx', { retry_after: 40 }), options)).toMatchObject({ delayMs: 40_000 });
  expect(afterFailure(past, error('rate_limited', { retry_after: 1e300 }), options)).toMatchObject({
    delayMs: 3_600_000,
  });
});

test.each([
  ['with Retry-After', { retry_after: 7 }, 7_000],
  ['without', {}, 30_000],
])('a 429 %s costs no attempt, keeps the band, and ends all the same', (_, extra, delayMs) => {
  expect(afterFailure(past, error('rate_limited', extra), options)).toMatchObject({
    retry: true,
    failures: 0,
    waits: 1,
    delayMs,
    band: 'low',
  });
  expect(afterFailure({ ...past, waits: 5 }, error('rate_limited', extra), options)).toEqual({ retry: false });
});

test('a 429 for ever is over within an hour, waits included', () => {
  let waitedMs = 0;
  for (let next = afterFailure(past, error('rate_limited'), options); next.retry; ) {
    waitedMs += next.delayMs;
    next = afterFailure(next, error('rate_limited'), { ...options, random: () => 1 });
  }
  expect(waitedMs).toBeLessThan(3_600_000);
});

test('waiting for a turn of our own rate limit costs nothing and has no end, until the source is given up', () => {
  const paced = error('rate_limited', { code: 'paced', retry_after: 300 });
  expect(afterFailure(past, paced, { ...options, maxRetries: 0 })).toEqual({ ...past, retry: true, delayMs: 300_000 });
  expect(afterFailure(past, paced, { ...options, isGivenUp: true })).toEqual({ retry: false });
  const soon = { ...paced, retry_after: 3 };
  expect(afterFailure(past, soon, { ...options, isGivenUp: true })).toMatchObject({ retry: true, delayMs: 3_000 });
});

test('R6: losing a part of ours costs nothing and has no end, whatever else is true of the task', () => {
  const away = error('internal', { code: 'unavailable', retry_after: 1 });
  for (const more of [{ maxRetries: 0 }, { isGivenUp: true }, { backoff: 'company' as const }])
    expect(afterFailure({ ...past, failures: 9, waits: 99 }, away, { ...options, ...more })).toMatchObject({
      retry: true,
      failures: 9,
      waits: 99,
      band: past.band,
    });
  // A worker of another make that says so of a site.
  expect(kindOf({ ...away, category: 'http_5xx' })).toBe('http_5xx');
});

test('tasks of a source that is given up go once each', () => {
  for (const category of ['timeout', 'rate_limited'])
    expect(afterFailure(past, error(category), { ...options, isGivenUp: true })).toEqual({ retry: false });
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
  expect(delays).toEqual([1_000, 32_000, 300_000]);
  expect(afterFailure({ ...past, failures: 3, waits: 30 }, lacking, options)).toEqual({ retry: false });
});
