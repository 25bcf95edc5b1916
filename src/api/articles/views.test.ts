import { expect, test } from 'vitest';
import { failureText, jobView, resultView, runStatus, updateMessage } from './views.ts';

const failure = (category: string, message: string) => failureText({ category, message, retryable: false });

test.each([
  ['not_found', '404 Not Found', '404 Not Found'],
  ['http_5xx', '503 Service Unavailable', '503 Service Unavailable'],
  ['timeout', 'timeout after 30s', 'timeout after 30s'],
  ['captcha', 'The page shows a puzzle.', 'blocked: captcha'],
  ['blocked', '403 Forbidden', '403 Forbidden'],
  ['blocked', 'cloudflare challenge', 'blocked: cloudflare challenge'],
  ['network', 'connection reset', 'network: connection reset'],
  ['network', '', 'network'],
  ['robots', 'robots.txt does not allow this address.', 'robots.txt does not allow this address.'],
  ['something new', 'a message', 'a message'],
])('a failure of kind %s saying "%s" reads "%s"', (category, message, text) => {
  expect(failure(category, message)).toBe(text);
});

test('a failure whose reason was not kept says so', () => {
  expect(failureText(null)).toBe('failed (no reason stored)');
});

test('completed, failed and pending add up to the total', () => {
  const at = new Date('2026-02-04T10:30:00Z');
  const view = jobView({
    id: 'job_a1b2c3d4e5f6',
    kind: 'article',
    status: 'running',
    total: 10,
    cached: 2,
    completed: 7,
    failed: 1,
    createdAt: at,
    updatedAt: at,
    finishedAt: null,
    requestId: null,
    owner: null,
  });
  expect(view).toMatchObject({
    status: 'IN_PROGRESS',
    pending: 2,
    created_at: '2026-02-04T10:30:00.000Z',
    completed_at: null,
  });
});

test('a result whose article was removed by age still says which article it was', () => {
  const view = resultView({
    pos: 0,
    ref: { url: 'https://example.com/a', source: 'S' },
    cached: false,
    state: 'done',
    itemKey: '9f86d081-884c-7d65-9a2f-eaa0c55ad015',
    attempts: 1,
    error: null,
    finishedAt: null,
    article: null,
  });
  expect(view).toMatchObject({
    article_id: 'art_9f86d081884c7d659a2feaa0c55ad015',
    source: 'S',
    category: null,
    content: null,
  });
});

test('an update message has the fields of the contract in its words', () => {
  const itemId = '9f86d081-884c-7d65-9a2f-eaa0c55ad015';
  const update = {
    runId: 'job_1',
    kind: 'article',
    status: 'running' as const,
    total: 10,
    completed: 5,
    failed: 0,
    itemId,
  };
  expect(JSON.parse(updateMessage(update))).toEqual({
    type: 'job_update',
    job_id: 'job_1',
    article_id: 'art_9f86d081884c7d659a2feaa0c55ad015',
    status: 'IN_PROGRESS',
    completed: 5,
    failed: 0,
    total: 10,
  });
});

test('PENDING is a status no run has', () => {
  expect(runStatus('PENDING')).toBeNull();
  expect(runStatus('IN_PROGRESS')).toBe('running');
});
