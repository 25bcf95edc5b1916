import { expect, test } from 'vitest';
import { estimateWait, paceOf, quantile, type Speed } from './waiting.ts';

const speed: Speed = { searches: 300, seconds: 30, liveTasks: 300, allItems: 300, slots: 50 };

test('the wait is what is ahead and one’s own, by the speed measured', () => {
  expect(estimateWait({ carts: 99, items: 297 }, 3, paceOf(speed, [])).seconds).toBe(30);
});

test('speed is measured over the time it was measured in, however short', () => {
  const justBegun = { ...speed, searches: 20, seconds: 2 };
  expect(estimateWait({ carts: 99, items: 297 }, 3, paceOf(justBegun, [])).seconds).toBe(30);
});

test('shared items are waited for once', () => {
  const shared = { ...speed, liveTasks: 100 };
  expect(estimateWait({ carts: 99, items: 297 }, 3, paceOf(shared, [])).seconds).toBe(10);
});

test('before anything was measured the slots and the usual time of a search are the guess', () => {
  const cold = { searches: 0, seconds: 0, liveTasks: 3, allItems: 3, slots: 1 };
  expect(estimateWait({ carts: 0, items: 0 }, 3, paceOf(cold, [])).seconds).toBe(12);
});

test('p90 follows the errors of earlier estimates and is never less than the estimate', () => {
  const errors = Array.from({ length: 100 }, (_, n) => n / 50);
  const { seconds, p90Seconds } = estimateWait({ carts: 0, items: 297 }, 3, paceOf(speed, errors));
  expect(p90Seconds / seconds).toBeCloseTo(1.8, 1);
  expect(estimateWait({ carts: 0, items: 0 }, 3, paceOf(speed, [0.1])).p90Seconds).toBe(1);
  expect(quantile([], 0.5)).toBe(null);
});
