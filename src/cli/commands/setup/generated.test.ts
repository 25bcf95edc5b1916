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

test('the schemas accept a task and a result as the contract shows them, and refuse what lacks an id', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const validator = (name: string) => ajv.compile(JSON.parse(messageSchemas()[name]!) as object);
  const task = {
    task_id: '0199a0de-0000-7000-8000-000000000001',
    run_id: 'job_a1b2c3d4e5f6',
    scraper_type: 'article',
    params: { url: 'https://example.com/a' },
    priority: 5,
    created_at: '2026-01-01T00:00:00Z',
    timeout: 300,
    retry_count: 0,
    max_retries: 3,
    request_id: null,
    attempt: 1,
    suspect: false,
  };
  const result = {
    task_id: task.task_id,
    run_id: task.run_id,
    attempt: 1,
    status: 'success',
    scraper_type: 'article',
    execution_time: 4.2,
    articles_data: [
      {
        url: 'https://example.com/a',
        title: 'A',
        content: 'B',
        author: null,
        published_at: null,
        language: 'en',
        image: null,
      },
    ],
    metadata: {
      proxy_used: null,
      requests_made: 1,
      rate_limited: false,
      captcha_encountered: false,
      pages_requested: 1,
      pages_completed: 1,
      bytes: 120,
      worker: 'w1',
    },
    completed_at: '2026-01-01T00:00:05Z',
    error: null,
  };
  expect(validator('task.json')(task)).toBe(true);
  expect(validator('task.json')({ ...task, task_id: undefined })).toBe(false);
  expect(validator('result.json')(result)).toBe(true);
  expect(validator('result.json')({ ...result, status: 'fine' })).toBe(false);
  expect(validator('report.json')({ type: 'held', worker: 'w1', tasks: [{ task_id: task.task_id, attempt: 1 }] })).toBe(
    true,
  );
  expect(validator('report.json')({ type: 'gone', worker: 'w1', tasks: [] })).toBe(false);
});
