import { expect, test } from 'vitest';
import type { RunStatus, RunUpdate } from '../../model/run/run.ts';
import { createUpdateTick, later } from './update-tick.ts';

const update = (runId: string, completed: number, status: RunStatus = 'running'): RunUpdate => ({
  runId,
  kind: 'article',
  status,
  total: 10,
  completed,
  failed: 0,
  itemId: null,
});

test('only the latest state of each run is handed on, once a tick', async () => {
  const told: RunUpdate[][] = [];
  const tick = createUpdateTick(10, (updates) => void told.push(updates));
  tick.add([update('a', 1), update('b', 1)]);
  tick.add([update('a', 2), update('a', 3)]);
  expect(told).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(told).toEqual([[update('a', 3), update('b', 1)]]);
});

test('a final state is not replaced by one that arrives late', () => {
  const told: RunUpdate[][] = [];
  const tick = createUpdateTick(10_000, (updates) => void told.push(updates));
  tick.add([update('a', 10, 'completed')]);
  tick.add([update('a', 9)]);
  tick.flush();
  expect(told).toEqual([[update('a', 10, 'completed')]]);
  tick.stop();
});

test('of two running states the one with more done is the later, in whatever order they come', () => {
  expect(later(update('a', 5), update('a', 4)).completed).toBe(5);
  expect(later(update('a', 4), update('a', 5)).completed).toBe(5);
  expect(later(update('a', 4), update('a', 0, 'cancelled')).status).toBe('cancelled');
});

test('nothing is handed on after the stop', async () => {
  const told: RunUpdate[][] = [];
  const tick = createUpdateTick(1, (updates) => void told.push(updates));
  tick.add([update('a', 1)]);
  tick.stop();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(told).toEqual([]);
});
