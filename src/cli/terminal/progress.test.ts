import { expect, test } from 'vitest';
import { paceText, progressBar } from './progress.ts';

test('a bar is full exactly at the end', () => {
  expect(progressBar({ completed: 0, failed: 0, total: 0 })).toContain('0/0 done');
  expect(progressBar({ completed: 23, failed: 0, total: 24 })).toContain(' ] 23/24 done');
  expect(progressBar({ completed: 23, failed: 1, total: 24 })).toMatch(/^\[█{24}\] 24\/24 done · 1 failed$/);
});

test.each([
  [{ done: 20, left: 100, seconds: 10 }, '2.0/s, about 50 s left'],
  [{ done: 5, left: 300, seconds: 10 }, '30/min, about 10 min left'],
  [{ done: 1, left: 500, seconds: 30 }, '2.0/min, about 4 h 10 min left'],
  [{ done: 300, left: 0, seconds: 10 }, '30/s'],
  [{ done: 0, left: 10, seconds: 30 }, ''],
  [{ done: 9, left: 10, seconds: 0.5 }, ''],
])('%j is "%s"', (state, text) => {
  expect(paceText(state)).toBe(text);
});
