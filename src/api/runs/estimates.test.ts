import { expect, test } from 'vitest';
import type { Run, RunUpdate } from '../../model/run/run.ts';
import { createMetrics } from '../../observe/metrics/api.ts';
import { createMetricRegistry } from '../../observe/metrics/registry.ts';
import { createEstimates } from './estimates.ts';

const run = (over: Partial<Run> = {}): Run => ({
  id: 'job_1',
  kind: 'article',
  status: 'running',
  total: 10,
  cached: 2,
  completed: 5,
  failed: 1,
  createdAt: new Date(0),
  updatedAt: new Date(8_000),
  finishedAt: null,
  requestId: null,
  owner: null,
  ...over,
});
const ended: RunUpdate = {
  runId: 'job_1',
  kind: 'article',
  status: 'completed',
  total: 10,
  completed: 9,
  failed: 1,
  itemId: null,
};

test('the rest takes as long as what is done, and how right that was is a metric', async () => {
  const metrics = createMetrics(createMetricRegistry({ version: 'test', isWithProcess: false }));
  let now = 0;
  const estimates = createEstimates(metrics, () => now);
  expect(estimates.of(run())).toBe(8);
  now = 1_000;
  expect(estimates.of(run({ completed: 7, updatedAt: new Date(9_000) }))).toBe(3);
  now = 16_000;
  estimates.see([{ ...ended, status: 'running' }, ended, ended]);
  const text = await metrics.registry.metrics();
  expect(text).toContain('windrow_run_wait_ratio_sum{kind="article"} 2');
  expect(text).toContain('windrow_run_wait_ratio_count{kind="article"} 1');
});

test('nothing is told before something was done, and after the end', () => {
  const estimates = createEstimates(createMetrics(createMetricRegistry({ version: 'test', isWithProcess: false })));
  expect(estimates.of(run({ completed: 2, failed: 0 }))).toBeNull();
  expect(estimates.of(run({ status: 'completed', completed: 10, failed: 0 }))).toBeNull();
});
