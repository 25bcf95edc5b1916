import { expect, test } from 'vitest';
import { type EndedRun, runEvent } from './run-event.ts';
import type { SiteTask } from './scrape-run.ts';

const at = new Date('2026-02-04T10:00:00Z');
const run = (over: Partial<EndedRun>): EndedRun => ({
  id: 'job_a1b2c3d4e5f6',
  kind: 'article',
  trigger: 'manual',
  status: 'completed',
  total: 3,
  cached: 0,
  completed: 3,
  failed: 0,
  requestId: 'req-1',
  owner: null,
  createdAt: at,
  finishedAt: at,
  keepSeconds: null,
  sites: null,
  ...over,
});
const site = (over: Partial<SiteTask>): SiteTask => ({
  site: 'indeed',
  state: 'done',
  found: 2,
  error: null,
  metadata: null,
  finishedAt: at,
  ...over,
});

test('a run with some failures is completed, and says that it is partial', () => {
  expect(runEvent(run({}))).toMatchObject({ type: 'run.completed', data: { status: 'completed' } });
  expect(runEvent(run({ completed: 2, failed: 1 }))).toMatchObject({
    type: 'run.completed',
    data: { status: 'partial', path: '/jobs/job_a1b2c3d4e5f6/results', request_id: 'req-1' },
  });
  expect(runEvent(run({ status: 'failed', completed: 0, failed: 3 })).type).toBe('run.failed');
  expect(runEvent(run({ status: 'cancelled', completed: 1 })).type).toBe('run.cancelled');
});

test('for searches the sites decide, as they do in the API', () => {
  const failed = site({
    state: 'failed',
    found: 0,
    error: { category: 'blocked', message: 'blocked', retryable: true },
  });
  const of = (sites: SiteTask[]) => runEvent(run({ kind: 'posting', sites }));
  expect(of([site({})])).toMatchObject({ type: 'run.completed', data: { status: 'completed', jobs_found: 2 } });
  expect(of([site({}), failed])).toMatchObject({ type: 'run.failed', data: { message: 'indeed: blocked' } });
  expect(of([site({ ...failed, found: 4 })])).toMatchObject({ type: 'run.completed', data: { status: 'partial' } });
});

test('results that are kept for an hour say until when, and so does their delivery', () => {
  const { data, expiresAt } = runEvent(run({ kind: 'cart', keepSeconds: 3_600 }));
  expect(expiresAt).toEqual(new Date('2026-02-04T11:00:00Z'));
  expect(data).toMatchObject({ expires_at: '2026-02-04T11:00:00.000Z' });
});
