import { expect, test } from 'vitest';
import type { Result } from '../../model/task/messages.ts';
import { createCountAccepted } from './accepted.ts';
import { createMetrics } from './api.ts';
import { createOrchestratorMetrics } from './orchestrator.ts';
import { createMetricRegistry, metricsText, sourceLabels } from './registry.ts';
import { createWorkerMetrics } from './worker.ts';

const fresh = (version = 'test') => createMetricRegistry({ version, isWithProcess: false });

test('requests, accepted runs and queue depths come out under windrow_ names', async () => {
  const registry = fresh('1.2.3');
  const metrics = createMetrics(registry);
  metrics.answersOf('POST', '/jobs/submit')(201, 0.003);
  metrics.watchQueue(async () => [
    { lane: 'http', band: 'high', waiting: 7, delayed: 1, paused: 4, active: 2, oldestWaitingSeconds: 3.5 },
  ]);
  const text = await registry.metrics();
  expect(text).toContain('windrow_build_info{version="1.2.3"} 1');
  expect(text).toContain(
    'windrow_http_request_duration_seconds_count{method="POST",route="/jobs/submit",status="201"} 1',
  );
  expect(text).toContain('windrow_queue_depth{lane="http",band="high",state="waiting"} 7');
  expect(text).toContain('windrow_queue_oldest_age_seconds{lane="http",band="high"} 3.5');
});

test('a store that does not answer leaves its gauges out instead of repeating old numbers', async () => {
  const registry = fresh();
  let isUp = true;
  createMetrics(registry).watchQueue(async () => {
    if (!isUp) throw new Error('down');
    return [{ lane: 'http', band: 'low', waiting: 1, delayed: 0, paused: 0, active: 0, oldestWaitingSeconds: null }];
  });
  expect(await registry.metrics()).toContain('lane="http"');
  isUp = false;
  expect(await registry.metrics()).not.toContain('lane="http"');
});

test('two roles of one process count accepted runs in one metric', async () => {
  const registry = fresh();
  createCountAccepted(registry)('article', { total: 3, cached: 1 });
  createCountAccepted(registry)('search', { total: 1, cached: 0 });
  const text = await registry.metrics();
  expect(text).toContain('windrow_runs_accepted_total{kind="article"} 1');
  expect(text).toContain('windrow_runs_accepted_total{kind="search"} 1');
  expect(text).toContain('windrow_run_entries_accepted_total{kind="article",how="made"} 2');
  expect(text).toContain('windrow_run_entries_accepted_total{kind="article",how="reused"} 1');
});

test('counters of the web are the totals of the worker, however often they are scraped', async () => {
  const registry = fresh();
  const totals = {
    requests: 3,
    bytes: 9,
    blocks: 1,
    captchas: 0,
    throttled: 0,
    unchanged: 0,
    proxy_requests: 2,
    browser_seconds: 0.5,
  };
  createWorkerMetrics(registry).read({
    busy: () => 4,
    unsent: () => 0,
    web: () => ({ indeed: totals }),
    proxies: () => [{ label: 'p1:8080', uses: 2, blocks: 1, isDead: true }],
  });
  await registry.metrics();
  const text = await registry.metrics();
  expect(text).toContain('# TYPE windrow_web_requests_total counter');
  expect(text).toContain('windrow_web_requests_total{source="indeed"} 3');
  expect(text).toContain('windrow_web_browser_seconds_total{source="indeed"} 0.5');
  expect(text).toContain('windrow_worker_tasks_running 4');
  expect(text).toContain('windrow_proxy_up{proxy="p1:8080"} 0');
});

test('the pages of a browser are counted where there is one', async () => {
  const registry = fresh();
  const counts = { openPages: 2, waitingPages: 1, pages: 9, failedPages: 3, launches: 2 };
  createWorkerMetrics(registry).readBrowser(() => counts);
  const text = await registry.metrics();
  expect(text).toContain('windrow_browser_pages_open 2');
  expect(text).toContain('windrow_browser_pages_total 9');
  expect(text).toContain('windrow_browser_starts_total 2');
});

test('an attempt counts by source and outcome, a stale one as an attempt only', async () => {
  const registry = fresh();
  const metrics = createOrchestratorMetrics(registry);
  const result = { scraper_type: 'indeed', execution_time: 2, positions: [] } as unknown as Result;
  metrics.settled({ result, outcome: 'retried', category: 'timeout' });
  metrics.settled({ result, outcome: 'done', category: null });
  metrics.settled({ result, outcome: 'stale', category: null });
  metrics.loopFailed('record');
  const text = await registry.metrics();
  expect(text).toContain('windrow_task_attempts_total{source="indeed",outcome="stale"} 1');
  expect(text).toContain('windrow_tasks_total{source="indeed",outcome="done"} 1');
  expect(text).not.toContain('windrow_tasks_total{source="indeed",outcome="retried"}');
  expect(text).toContain('windrow_task_errors_total{source="indeed",category="timeout"} 1');
  expect(text).toContain('windrow_task_attempt_duration_seconds_count{source="indeed"} 2');
  expect(text).toContain('windrow_loop_errors_total{loop="record"} 1');
});

test('of two processes on one port counts are added and what both read is taken once', async () => {
  const sets = [fresh(), fresh()].map((registry) => {
    createCountAccepted(registry)('article', { total: 1, cached: 0 });
    createMetrics(registry).watchDeadLetters(async () => [{ source: 'article', count: 5 }]);
    return registry;
  });
  const text = await metricsText(sets[0]!, () => Promise.all(sets.map((one) => one.getMetricsAsJSON())));
  expect(text).toContain('windrow_runs_accepted_total{kind="article"} 2');
  expect(text).toContain('windrow_dead_letters{source="article"} 5');
});

test('names of sources are bounded', () => {
  const label = sourceLabels();
  for (let i = 0; i < 1_000; i++) label(`s${i}`);
  expect([label('s5'), label('one more')]).toEqual(['s5', 'other']);
});
