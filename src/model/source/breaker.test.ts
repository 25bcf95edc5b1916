import { expect, test } from 'vitest';
import { BREAKER, reasonToOpen, type Verdict, verdictOf } from './breaker.ts';

const reason = (verdicts: Verdict[], ageMs = 0) =>
  reasonToOpen(
    verdicts.map((verdict) => ({ ...verdict, ageMs })),
    BREAKER,
  );
const tasks = (count: number, trouble: string | null, isThrottled = false): Verdict[] =>
  Array.from({ length: count }, (_, i) => ({ taskId: `${trouble} ${i}`, trouble, isThrottled }));

test('a site that fails most tasks trips it; one bad address, or a few failures among many answers, does not', () => {
  expect(reason(tasks(10, 'away'))).toBe('away');
  expect(reason(tasks(9, 'away'))).toBeNull();
  expect(reason(Array(40).fill({ taskId: 'same', trouble: 'away', isThrottled: false }))).toBeNull();
  expect(reason([...tasks(12, 'away'), ...tasks(12, null)])).toBeNull();
});

test('rate limits trip it too, and sooner, unless the site answers others', () => {
  expect(reason(tasks(5, '429', true), BREAKER.windowMs + 1)).toBe('429');
  expect(reason(tasks(4, '429', true))).toBeNull();
  expect(reason([...tasks(6, '429', true), ...tasks(1, null)])).toBeNull();
  expect(reason([...tasks(5, '429', true), ...tasks(5, 'away')])).toBe('429');
});

test('what was long ago says nothing', () => {
  expect(reason(tasks(20, 'away'), BREAKER.windowMs + 1)).toBeNull();
  expect(reason(tasks(20, '429', true), BREAKER.throttled.windowMs + 1)).toBeNull();
});

const error = (category: string, code = category) => ({ category, code, message: category, retryable: true });

test('a page that is gone or refused by robots.txt is an answer, a timeout, a 429 or a CAPTCHA is trouble', () => {
  const troubleOf = (category: string) => verdictOf('t', error(category))?.trouble;
  expect(verdictOf('t', null)?.trouble).toBeNull();
  expect(['not_found', 'robots', 'layout_changed'].map(troubleOf)).toEqual([null, null, null]);
  const troubles = ['timeout', 'network', 'http_5xx', 'blocked', 'captcha', 'rate_limited'];
  expect(troubles.map(troubleOf)).toEqual(troubles);
});

test('an attempt that did not ask the site says nothing of it', () => {
  expect(verdictOf('t', error('rate_limited', 'paced'))).toBeNull();
  expect(verdictOf('t', error('internal', 'unknown_source'))).toBeNull();
  expect(verdictOf('t', error('internal', 'unavailable'))).toBeNull();
});
