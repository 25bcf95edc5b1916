import { expect, test } from 'vitest';
import { estimateWait, paceOf, quantile, type Speed } from './waiting.ts';

const speed: Speed = { searches: 300, seconds: 30, liveTasks: 300, allItems: 300, slots: 50, mostPerSecond: 1 };

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

test('searches that are known to be work are not shared once more', () => {
  const shared = { ...speed, liveTasks: 100 };
  expect(estimateWait({ carts: 99, items: 297, searches: 50 }, 3, paceOf(shared, [])).seconds).toBe(15);
});

test('before anything was measured the slots and the usual time of a search are the guess', () => {
  const cold = { searches: 0, seconds: 0, liveTasks: 3, allItems: 3, slots: 1, mostPerSecond: null };
  expect(estimateWait({ carts: 0, items: 0 }, 3, paceOf(cold, [])).seconds).toBe(12);
});

test('more slots than the shop’s pace has use for make nothing faster, and what was measured is believed', () => {
  const paced = { searches: 9, seconds: 9, liveTasks: 300, allItems: 300, slots: 50, mostPerSecond: 0.5 };
  expect(estimateWait({ carts: 99, items: 297 }, 3, paceOf(paced, [])).seconds).toBe(600);
  expect(estimateWait({ carts: 99, items: 297 }, 3, paceOf({ ...paced, slots: 1 }, [])).seconds).toBeGreaterThan(1_000);
  expect(estimateWait({ carts: 99, items: 297 }, 3, paceOf({ ...paced, searches: 10, seconds: 10 }, [])).seconds).toBe(
    300,
  );
});

test('p90 follows the errors of earlier estimates and is never less than the estimate', () => {
  const errors = Array.from({ length: 100 }, (_, n) => n / 50);
  const { seconds, p90Seconds } = estimateWait({ carts: 0, items: 297 }, 3, paceOf(speed, errors));
  expect(p90Seconds / seconds).toBeCloseTo(1.8, 1);
  const early = Array.from({ length: 20 }, () => 0.1);
  expect(estimateWait({ carts: 0, items: 0 }, 3, paceOf(speed, early)).p90Seconds).toBe(1);
  // A few that were quick do not make the others certain.
  expect(paceOf(speed, early.slice(0, 10)).p90Factor).toBe(2);
  expect(quantile([], 0.5)).toBe(null);
});
