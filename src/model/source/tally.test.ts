import { expect, test } from 'vitest';
import { toPosting } from '../posting/posting.ts';
import type { Result } from '../task/messages.ts';
import { addAttempt, addItems, addTally, latencyAt, newTally, successRate } from './tally.ts';

const result = (seconds: number, more: Partial<Result> = {}): Result => ({
  type: 'result',
  task_id: 't',
  run_id: 'r',
  attempt: 1,
  part: 1,
  last: true,
  status: 'success',
  scraper_type: 'indeed',
  execution_time: seconds,
  metadata: {
    proxy_used: null,
    requests_made: 2,
    rate_limited: false,
    captcha_encountered: true,
    pages_requested: 1,
    pages_completed: 1,
    bytes: 100,
    worker: 'w',
    blocks: 1,
  },
  completed_at: '',
  error: null,
  ...more,
});

test('waiting for a rate limit that we keep is no attempt; what it asked of the web counts', () => {
  const tally = newTally();
  const error = { category: 'rate_limited', code: 'paced', message: 'later', retryable: true };
  addAttempt(tally, { result: result(1, { error }), outcome: 'retried', atMs: 1 });
  expect(tally).toMatchObject({ done: 0, retried: 0, failed: 0, requests: 2, lastError: null });
  expect(successRate(tally)).toBeNull();
  addAttempt(tally, { result: result(1, { error }), outcome: 'failed', atMs: 2 });
  expect(tally).toMatchObject({ failed: 1, lastError: { error } });
});

test('attempts are counted with their cost, and the last error is kept', () => {
  const tally = newTally();
  addAttempt(tally, { result: result(0.2), outcome: 'done', atMs: 1 });
  const error = { category: 'timeout', message: 'timeout after 30s', retryable: true };
  addAttempt(tally, { result: result(30, { error }), outcome: 'retried', atMs: 2 });
  addAttempt(tally, { result: result(0.3), outcome: 'done', atMs: 3 });
  expect(tally).toMatchObject({ done: 2, retried: 1, failed: 0, requests: 6, bytes: 300, blocks: 3, captchas: 3 });
  expect(tally.lastError).toEqual({ error, atMs: 2 });
  expect(successRate(tally)).toBe(0.6667);
  expect(successRate(newTally())).toBeNull();
});

test('a latency lies between the bounds of its slot, and two tallies are one', () => {
  const tally = newTally();
  for (let i = 0; i < 90; i++) addAttempt(tally, { result: result(0.2), outcome: 'done', atMs: 0 });
  const slow = newTally();
  for (let i = 0; i < 10; i++) addAttempt(slow, { result: result(1_000), outcome: 'failed', atMs: 0 });
  addTally(tally, slow);
  expect(latencyAt(tally.latencies, 0.5)).toBeGreaterThan(0.1);
  expect(latencyAt(tally.latencies, 0.5)).toBeLessThanOrEqual(0.25);
  expect(latencyAt(tally.latencies, 0.99)).toBe(300);
  expect(latencyAt(newTally().latencies, 0.5)).toBeNull();
});

test('fields of items are counted where they say something', () => {
  const tally = newTally();
  const said = { source: 'indeed', external_id: '1', title: 'Nurse', job_url: 'https://x.example' };
  addItems(
    tally,
    result(1, { jobs_data: [toPosting(said), toPosting({ ...said, company: 'Acme', seniority: 'senior' })] }),
  );
  expect(tally.items).toBe(2);
  expect(tally.filled).toEqual({ company: 1, seniority: 1 });
});
