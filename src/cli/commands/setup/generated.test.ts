// Files that are written by a command are current: whoever changes the table or the messages runs the command again.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { settingsMarkdown } from '../../settings/markdown.ts';
import { messageSchemas } from './schemas.ts';

const ROOT = join(import.meta.dirname, '../../../..');

test('docs/configuration.md is what `windrow config --markdown` prints', () => {
  expect(readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8')).toBe(settingsMarkdown());
});

test('the schemas folder is what `windrow schemas` writes', () => {
  const written = readdirSync(join(ROOT, 'schemas')).map((name) => [
    name,
    readFileSync(join(ROOT, 'schemas', name), 'utf8'),
  ]);
  expect(Object.fromEntries(written)).toEqual(messageSchemas());
});

/** The examples of the message contract, with values where it has names for them. */
const task = {
  task_id: '0199a0de-0000-7000-8000-000000000001',
  run_id: 'manual_a1b2c3d4',
  scraper_type: 'indeed',
  params: {
    search_term: 'software engineer',
    location: 'San Francisco, CA',
    results_wanted: 50,
    proxy: 'user:pass@proxy:port',
    user_agent: 'Mozilla/5.0',
    delay_range: [1, 3],
  },
  priority: 5,
  created_at: '2024-01-01T00:00:00Z',
  timeout: 300,
  retry_count: 0,
  max_retries: 3,
  request_id: 'req_1',
};
const result = {
  task_id: task.task_id,
  run_id: task.run_id,
  attempt: 1,
  status: 'success',
  scraper_type: 'indeed',
  execution_time: 45.2,
  jobs_found: 47,
  jobs_data: [
    {
      title: 'Software Engineer',
      company: 'Example Corp',
      location: 'San Francisco, CA',
      salary_min: 120_000,
      salary_max: 180_000,
      job_url: 'https://example.com/1',
      description: 'Builds things.',
      posted_date: '2024-01-01',
      job_hash: 'ab'.repeat(32),
    },
  ],
  metadata: {
    proxy_used: 'proxy1:8080',
    requests_made: 15,
    rate_limited: false,
    captcha_encountered: false,
    pages_requested: 5,
    pages_completed: 5,
    bytes: 120_345,
    worker: 'w1',
  },
  completed_at: '2024-01-01T00:05:45Z',
  error: null,
};
const error = { category: 'rate_limited', message: 'Too many requests', retryable: true, retry_after: 30 };
const held = { type: 'held', worker: 'w1', tasks: [{ task_id: task.task_id, attempt: 1 }] };
const heartbeat = {
  worker: 'w1',
  host: 'here',
  pid: 7,
  version: '1',
  lanes: ['http'],
  slots: 5,
  busy: 1,
  rss_bytes: 1,
  started_at: '2024-01-01T00:00:00Z',
  sent_at: '2024-01-01T00:00:00Z',
  draining: false,
};

const validator = (name: string) =>
  new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(messageSchemas()[name]!) as object);

test.each([
  ['task', task],
  ['result', result],
  ['result', { ...result, part: 1, last: false }],
  ['result', { ...result, status: 'failed', jobs_data: undefined, error }],
  ['result', { ...result, jobs_data: [{ title: 'Nurse', job_url: 'https://example.com/2' }] }],
  ['result', { ...result, jobs_data: undefined, articles_data: [{ url: 'https://example.com/3', content: 'B' }] }],
  ['report', { ...result, type: 'result' }],
  ['report', held],
  ['report', { ...held, type: 'returned' }],
  ['held', { ...held, waiting: held.tasks, sent_at: '1' }],
  ['returned', { ...held, type: 'returned' }],
  ['heartbeat', heartbeat],
  ['cancel', held.tasks],
  ['error', { ...result, error, worker: 'w1', at: result.completed_at }],
])('the schema of a %s accepts what the contract shows', (name, message) => {
  const validate = validator(`${name}.json`);
  validate(JSON.parse(JSON.stringify(message)));
  expect(validate.errors ?? []).toEqual([]);
});

test('the schemas refuse what lacks an id, and what is no report', () => {
  expect(validator('task.json')({ ...task, task_id: undefined })).toBe(false);
  expect(validator('result.json')({ ...result, status: 'fine' })).toBe(false);
  expect(validator('result.json')({ ...result, jobs_data: [{ title: 'Nurse' }] })).toBe(false);
  expect(validator('report.json')({ ...held, type: 'gone' })).toBe(false);
});
