import { expect, test } from 'vitest';
import { BREAKER, createWindow, isTrouble } from './breaker.ts';

function windowOf(verdicts: [task: string, isTrouble: boolean][], atMs = 0) {
  const window = createWindow(BREAKER);
  for (const [taskId, trouble] of verdicts) window.see({ taskId, isTrouble: trouble, atMs });
  return window;
}
const tasks = (count: number, trouble: boolean): [string, boolean][] =>
  Array.from({ length: count }, (_, i) => [`${trouble} ${i}`, trouble]);

test('a site that fails most tasks trips it; one bad address, or a few failures among many answers, does not', () => {
  expect(windowOf(tasks(10, true)).isTripped(0)).toBe(true);
  expect(windowOf(tasks(9, true)).isTripped(0)).toBe(false);
  expect(windowOf(Array(40).fill(['same', true])).isTripped(0)).toBe(false);
  expect(windowOf([...tasks(12, true), ...tasks(12, false)]).isTripped(0)).toBe(false);
});

test('what was long ago says nothing', () => {
  const window = windowOf(tasks(20, true));
  expect(window.isTripped(BREAKER.windowMs + 1)).toBe(false);
});

test('a page that is gone or refused by robots.txt is an answer, a timeout or a CAPTCHA is trouble', () => {
  expect([null, 'not_found', 'robots', 'rate_limited', 'layout_changed'].map((c) => isTrouble(c as never))).toEqual(
    Array(5).fill(false),
  );
  expect(['timeout', 'network', 'http_5xx', 'blocked', 'captcha'].map((c) => isTrouble(c as never))).toEqual(
    Array(5).fill(true),
  );
});
