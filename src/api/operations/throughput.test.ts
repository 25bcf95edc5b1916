import { expect, test } from 'vitest';
import type { RunUpdate } from '../../model/run/run.ts';
import { createThroughput } from './throughput.ts';

const update = (runId: string, completed: number, status: RunUpdate['status'] = 'running'): RunUpdate => ({
  runId,
  kind: 'article',
  status,
  total: 100,
  completed,
  failed: 0,
  itemId: null,
});

test('what ended within the last minute is counted, what was there before is not', () => {
  let now = 1_000_000;
  const throughput = createThroughput(() => now);
  throughput.begin('a', 20);
  throughput.see([update('a', 30)]);
  expect(throughput.perMinute()).toBe(10);
  now += 30_000;
  throughput.see([update('a', 100, 'completed')]);
  expect(throughput.perMinute()).toBe(80);
  now += 31_000;
  expect(throughput.perMinute()).toBe(70);
  now += 60_000;
  expect(throughput.perMinute()).toBe(0);
});

test('a run first seen in the middle counts from there', () => {
  const throughput = createThroughput();
  throughput.see([update('b', 50)]);
  throughput.see([update('b', 60)]);
  expect(throughput.perMinute()).toBe(11);
});
