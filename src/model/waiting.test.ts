import { expect, test } from 'vitest';
import { estimateWait, quantile } from './waiting.ts';

const speed = { perMinute: 600, liveTasks: 300, allItems: 300, slots: 50 };

test('the wait is what is ahead and one’s own, by the speed measured', () => {
  expect(estimateWait({ carts: 99, items: 297 }, 3, speed, []).seconds).toBe(30);
});

test('shared items are waited for once', () => {
  const shared = { ...speed, liveTasks: 100 };
  expect(estimateWait({ carts: 99, items: 297 }, 3, shared, []).seconds).toBe(10);
});

test('before anything was measured the slots and the usual time of a search are the guess', () => {
  const cold = { perMinute: 0, liveTasks: 3, allItems: 3, slots: 1 };
  expect(estimateWait({ carts: 0, items: 0 }, 3, cold, []).seconds).toBe(12);
});

test('p90 follows the errors of earlier estimates and is never less than the estimate', () => {
  const errors = Array.from({ length: 100 }, (_, n) => n / 50);
  const { seconds, p90Seconds } = estimateWait({ carts: 0, items: 297 }, 3, speed, errors);
  expect(p90Seconds / seconds).toBeCloseTo(1.8, 1);
  expect(estimateWait({ carts: 0, items: 0 }, 3, speed, [0.1]).p90Seconds).toBe(1);
  expect(quantile([], 0.5)).toBe(null);
});
