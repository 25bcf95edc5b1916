import { expect, test } from 'vitest';
import {
  BREAKER_FAILURES,
  type DeliveryAnswer,
  isSecret,
  judgeDelivery,
  RETRY_DELAYS_MS,
  receiverAfter,
} from './webhook.ts';

const judge = (attempt: number, answer: DeliveryAnswer, random = 0, expiresAtMs: number | null = null) =>
  judgeDelivery({ attempt, answer, nowMs: 0, expiresAtMs, random: () => random });

test('any 2xx is a delivery, everything else a failure that is tried again', () => {
  for (const status of [200, 202, 204, 299]) expect(judge(1, { status })).toEqual({ state: 'delivered' });
  for (const status of [199, 301, 302, 400, 404, 429, 500, 503]) expect(judge(1, { status }).state).toBe('waiting');
  expect(judge(1, { error: 'connection reset' })).toEqual({
    state: 'waiting',
    delayMs: 5_000,
    error: 'connection reset',
  });
});

test('ten attempts over three days, each wait up to a fifth longer than planned, then it is dead', () => {
  const delays = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * 1_000);
  expect(RETRY_DELAYS_MS).toEqual(delays);
  for (const [index, delayMs] of delays.entries()) {
    expect(judge(index + 1, { status: 500 }, 0)).toMatchObject({ state: 'waiting', delayMs });
    expect(judge(index + 1, { status: 500 }, 1)).toMatchObject({ state: 'waiting', delayMs: delayMs * 1.2 });
  }
  expect(judge(10, { status: 500 })).toEqual({ state: 'dead', error: 'answered 500', isGone: false });
});

test('Retry-After can make a wait longer, never shorter', () => {
  expect(judge(1, { status: 503, retryAfterMs: 60_000 })).toMatchObject({ delayMs: 60_000 });
  expect(judge(2, { status: 429, retryAfterMs: 1_000 })).toMatchObject({ delayMs: 300_000 });
});

test('410 is the last word; a redirect says that it was not followed', () => {
  expect(judge(1, { status: 410 })).toMatchObject({ state: 'dead', isGone: true });
  expect(judge(1, { status: 307 })).toMatchObject({ error: 'answered 307 (redirects are not followed)' });
});

test('what would come after the results have gone is not waited for', () => {
  expect(judge(1, { status: 500 }, 0, 5_001).state).toBe('waiting');
  expect(judge(1, { status: 500 }, 0, 5_000).state).toBe('expired');
});

test('a receiver is left alone after failures in a row, longer each time, and at once when it asks for it', () => {
  let state = { failures: 0, restMs: 0 };
  const rests: number[] = [];
  for (let n = 0; n < 16; n++) {
    state = receiverAfter(state.failures, { status: 500 }, () => 0.5);
    rests.push(state.restMs);
  }
  expect(rests.slice(0, BREAKER_FAILURES)).toEqual([0, 0, 0, 0, 30_000]);
  expect(rests[BREAKER_FAILURES]).toBe(60_000);
  expect(rests.at(-1)).toBe(900_000);
  expect(receiverAfter(state.failures, { status: 200 }, () => 0.5)).toEqual({ failures: 0, restMs: 0 });
  expect(receiverAfter(0, { status: 429, retryAfterMs: 7_000 }, () => 0.5)).toEqual({ failures: 1, restMs: 7_000 });
});

test('a secret is whsec_ and the base64 of 24 to 64 bytes', () => {
  for (const bytes of [24, 32, 64]) expect(isSecret(`whsec_${Buffer.alloc(bytes, 1).toString('base64')}`)).toBe(true);
  for (const bytes of [23, 65]) expect(isSecret(`whsec_${Buffer.alloc(bytes, 1).toString('base64')}`)).toBe(false);
  for (const text of ['', 'whsec_', 'secret', `whsec_${'!'.repeat(40)}`, Buffer.alloc(32).toString('base64')])
    expect(isSecret(text)).toBe(false);
});
