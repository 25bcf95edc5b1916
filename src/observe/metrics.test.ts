import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('requests, accepted runs and queue depths come out under windrow_ names', async () => {
  const metrics = createMetrics({ version: '1.2.3', isWithProcess: false });
  metrics.answersOf('POST', '/jobs/submit')(201, 0.003);
  metrics.accepted('article', { made: 2, reused: 1 });
  metrics.watchQueue(async () => [
    { lane: 'http', band: 'high', waiting: 7, delayed: 1, paused: 4, active: 2, oldestWaitingSeconds: 3.5 },
  ]);
  const text = await metrics.registry.metrics();
  expect(text).toContain('windrow_build_info{version="1.2.3"} 1');
  expect(text).toContain(
    'windrow_http_request_duration_seconds_count{method="POST",route="/jobs/submit",status="201"} 1',
  );
  expect(text).toContain('windrow_run_entries_accepted_total{kind="article",how="made"} 2');
  expect(text).toContain('windrow_queue_depth{lane="http",band="high",state="waiting"} 7');
  expect(text).toContain('windrow_queue_oldest_age_seconds{lane="http",band="high"} 3.5');
});

test('a store that does not answer leaves its gauges out instead of repeating old numbers', async () => {
  const metrics = createMetrics({ version: '1', isWithProcess: false });
  let isUp = true;
  metrics.watchQueue(async () => {
    if (!isUp) throw new Error('down');
    return [{ lane: 'http', band: 'low', waiting: 1, delayed: 0, paused: 0, active: 0, oldestWaitingSeconds: null }];
  });
  expect(await metrics.registry.metrics()).toContain('lane="http"');
  isUp = false;
  expect(await metrics.registry.metrics()).not.toContain('lane="http"');
});

test('what workers asked of the web is added up by source', async () => {
  const metrics = createMetrics({ version: 'test', isWithProcess: false });
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
  const worker = { slots: 1, busy: 0, web: { indeed: totals } };
  metrics.watchWorkers(async () => [worker, worker, { slots: 1, busy: 0 }]);
  const text = await metrics.registry.metrics();
  expect(text).toContain('windrow_web_requests{source="indeed"} 6');
  expect(text).toContain('windrow_web_browser_seconds{source="indeed"} 1');
});
