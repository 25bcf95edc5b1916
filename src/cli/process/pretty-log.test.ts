import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { LOG_SENTENCES } from './log-sentences.ts';
import { forPeople, prettyLine } from './pretty-log.ts';

const SRC = resolve(import.meta.dirname, '../..');

const line = (level: string, event: string, fields: object): string =>
  prettyLine(JSON.stringify({ level, ts: '2026-01-02T03:04:05.678Z', event, ...fields }));

test('a log line for a person has the time, the level, a sentence and the other fields', () => {
  const fields = { task_id: 't1', site_name: 'indeed', attempt: 2, error: 'Not found', worker: null, status: 'error' };
  expect(line('warn', 'task.failed', { ...fields, request_id: 'r1' })).toBe(
    '03:04:05 warn  Task t1 of indeed failed on attempt 2: Not found status=error',
  );
});

test('A6: what a site or a caller wrote stays on its line and says nothing to the terminal', () => {
  const nasty = 'a\r\n03:04:05 error FAKE \u001b[31m\u001b]0;title\u0007 \u202eb\u2028c\u009b';
  const shown = line('warn', 'task.failed', {
    task_id: nasty,
    site_name: nasty,
    attempt: 1,
    error: nasty,
    other: nasty,
  });
  expect(shown).toContain('FAKE');
  expect(shown).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
});

test('a part of a sentence whose field is missing is left out', () => {
  expect(line('info', 'embedded.ready', {})).toBe('03:04:05 info  Embedded PostgreSQL is ready');
  expect(line('info', 'embedded.ready', { folder: '/data' })).toMatch(/is ready in \/data$/);
});

test('the end of a run is one line, with what it brought and how fast', () => {
  const end = (fields: object) =>
    line('info', 'run.settled', { run_id: 'r1', status: 'completed', failed: 0, ...fields });
  expect(end({ kind: 'posting', sources: ['indeed', 'linkedin'], completed: 2, items: 50, seconds: 3.2 })).toBe(
    '03:04:05 info  ✓ search indeed, linkedin  50 postings in 3.2 s (16/s) run_id=r1',
  );
  expect(end({ kind: 'article', completed: 1, failed: 2, items: 1, seconds: 125 })).toBe(
    '03:04:05 info  ! 1 article in 2 min 5 s (0.0/s), 2 failed run_id=r1',
  );
  expect(end({ kind: 'cart', status: 'failed', completed: 0, failed: 3, items: 0, seconds: 1 })).toBe(
    '03:04:05 info  ✗ cart  0 items in 1.0 s, 3 failed run_id=r1',
  );
});

test('a terminal shows the lines of tasks only if it is asked to, and warnings always', () => {
  const isShown = (isVerbose: boolean, level: string): boolean => {
    const stream = new PassThrough();
    const fields = { event: 'task.retried', task_id: 't', site_name: 's', attempt: 1, error: 'e' };
    const people = forPeople(stream as unknown as NodeJS.WriteStream, { isVerbose });
    people.write(JSON.stringify({ level, ts: '2026-01-02T03:04:05.678Z', ...fields }));
    return stream.readableLength > 0;
  };
  expect([isShown(false, 'info'), isShown(true, 'info'), isShown(false, 'warn')]).toEqual([false, true, true]);
});

test('one of a thing is named in the singular', () => {
  expect(line('info', 'source.paused', { site_name: 'indeed', tasks: 1 })).toMatch(/Paused indeed: 1 task waiting$/);
  expect(line('info', 'source.paused', { site_name: 'indeed', tasks: 21 })).toMatch(/: 21 tasks waiting$/);
});

test('errors of libraries are told in plain words', () => {
  const fields = { address: '127.0.0.1:6379', error: 'connect ECONNREFUSED 127.0.0.1:6379' };
  expect(line('warn', 'wire.error', fields)).toBe(
    '03:04:05 warn  Cannot reach Redis at 127.0.0.1:6379 (REDIS_URL): connection refused. Retrying…',
  );
  const limit = 'MaxRetriesPerRequestError: Reached the max retries per request limit (which is 1).';
  expect(line('warn', 'worker.take_failed', { worker: 'w', error: limit })).toMatch(
    /Worker w cannot take tasks: Redis does not answer\. Retrying…$/,
  );
  expect(
    line('error', 'request.failed', { route: '/runs', status: 500, error: { message: 'no', stack: '…' } }),
  ).toMatch(/Request to \/runs failed with 500: no$/);
});

/** Events that code hands to a log: by a level's method, or by a callback that takes level or event first. */
function loggedEvents(): Set<string> {
  const events = new Set<string>();
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  );
  for (const file of files) {
    const text = readFileSync(join(SRC, file), 'utf8');
    for (const [, args] of text.matchAll(/\b(?:log|say|onProblem|end|debug|info|warn|error)(?:\?\.)?\(([^;{]{0,200})/g))
      for (const [, event] of args!.matchAll(/['`]([a-z_]+\.(?:[a-z_]+|\$(?=\{|$)))['`]?/g)) events.add(event!);
  }
  return events;
}

test('every event that the code logs has a sentence, and every sentence an event', () => {
  const logged = loggedEvents();
  expect(logged.size).toBeGreaterThan(50);
  const rows = Object.keys(LOG_SENTENCES);
  // An event that is put together (`task.${outcome}`) stands for all rows of its noun.
  const isPrefix = (event: string): boolean => event.endsWith('$');
  const hasRow = (event: string): boolean =>
    isPrefix(event) ? rows.some((row) => row.startsWith(event.slice(0, -1))) : rows.includes(event);
  expect([...logged].filter((event) => !hasRow(event))).toEqual([]);
  const isLogged = (row: string): boolean =>
    logged.has(row) || [...logged].some((event) => isPrefix(event) && row.startsWith(event.slice(0, -1)));
  expect(rows.filter((row) => !isLogged(row))).toEqual([]);
});
