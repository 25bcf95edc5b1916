import { expect, test } from 'vitest';
import { z } from 'zod';
import { AppError } from '../model/errors.ts';
import type { Result, TaskMessage } from '../model/task/messages.ts';
import type { Source } from '../sources/define.ts';
import type { Web } from '../web/port.ts';
import { runAttempt } from './attempt.ts';
import { runHere } from './run-source.ts';

const task = (extra: Partial<TaskMessage> = {}): TaskMessage => ({
  task_id: '00000000-0000-4000-8000-000000000001',
  run_id: 'job_000000000000',
  scraper_type: 'article',
  params: { url: 'http://a.test/' },
  priority: 5,
  created_at: '',
  timeout: 5,
  retry_count: 0,
  max_retries: 3,
  request_id: null,
  attempt: 1,
  suspect: false,
  ...extra,
});

const article = (url: string) => ({
  url,
  title: 't',
  content: 'c',
  author: null,
  published_at: null,
  language: null,
  image: null,
});

const source = (scrape: Source['scrape']): Source =>
  ({
    name: 'article',
    title: 'Articles',
    kind: 'article',
    lane: 'http',
    hosts: [],
    pace: { concurrency: 1, delayMs: 0 },
    params: z.object({ url: z.string() }),
    scrape,
  }) as unknown as Source;

const ledger = { requests: 2, bytes: 7, rateLimited: false, captchaEncountered: false, proxyUsed: null };

function attempt(
  of: Source | undefined | Promise<Source | undefined>,
  extra: Partial<TaskMessage> = {},
  partEveryMs?: number,
) {
  const stop = new AbortController();
  const parts: Result[] = [];
  const result = runAttempt({
    task: task(extra),
    runSource: runHere(() => of),
    worker: 'w',
    stop,
    webFor: (_source, signal) => ({ signal, ledger }) as unknown as Web,
    onPart: (part) => parts.push(part),
    ...(partEveryMs === undefined ? {} : { partEveryMs }),
  });
  return { result, stop, parts };
}

test('what a source yields becomes a success with its items and what it cost', async () => {
  const { result } = attempt(
    source(async function* () {
      yield article('http://a.test/');
    }),
  );
  expect(await result).toMatchObject({
    status: 'success',
    part: 1,
    last: true,
    articles_data: [{ url: 'http://a.test/' }],
    metadata: { requests_made: 2, bytes: 7, worker: 'w', pages_completed: 1 },
    error: null,
  });
});

test('what was found is sent on while the source waits for the next', async () => {
  const gate = Promise.withResolvers<void>();
  const { result, parts } = attempt(
    source(async function* () {
      yield article('http://a.test/1');
      await gate.promise;
      yield article('http://a.test/2');
    }),
    {},
    5,
  );
  await expect.poll(() => parts.length).toBe(1);
  gate.resolve();
  const last = await result;
  expect([...parts, last].map(({ part, last: isLast }) => [part, isLast])).toEqual([
    [1, false],
    [2, true],
  ]);
  expect([...parts, last].map((one) => one.articles_data?.length)).toEqual([1, 1]);
});

test('many items are sent on in parts, numbered, and the last says so', async () => {
  const { result, parts } = attempt(
    source(async function* () {
      for (let n = 0; n < 250; n++) yield article(`http://a.test/${n}`);
    }),
  );
  const last = await result;
  expect([...parts, last].map(({ part, last: isLast }) => [part, isLast])).toEqual([
    [1, false],
    [2, false],
    [3, true],
  ]);
  expect([...parts, last].flatMap((one) => one.articles_data ?? [])).toHaveLength(250);
});

test('F14: a source that never gives control back is cut off at the deadline, and its signal with it', async () => {
  let signal: AbortSignal | undefined;
  const { result } = attempt(
    source(async function* (_params, web) {
      signal = web.signal;
      await new Promise(() => {});
      yield article('never');
    }),
    { timeout: 0.03 },
  );
  expect(await result).toMatchObject({
    status: 'failed',
    error: { category: 'timeout', code: 'task_timeout', retryable: true },
  });
  expect(signal?.aborted).toBe(true);
});

test('a cancelled attempt ends at once, as cancelled', async () => {
  const { result, stop } = attempt(
    source(async function* () {
      await new Promise(() => {});
    }),
  );
  stop.abort(new AppError('cancelled'));
  expect(await result).toMatchObject({ status: 'failed', error: { category: 'cancelled', retryable: false } });
});

test('whatever is thrown, at any time, becomes a failure with its policy', async () => {
  const throwing = (thrown: unknown) =>
    source(
      // biome-ignore lint/correctness/useYield: it never gets that far.
      async function* () {
        throw thrown;
      },
    );
  const errorOf = async (of: Parameters<typeof attempt>[0], extra = {}) => (await attempt(of, extra).result).error;
  expect(await errorOf(throwing(new AppError('rate_limited', 'slow down', { retryAfterMs: 1_500 })))).toMatchObject({
    category: 'rate_limited',
    retryable: true,
    retry_after: 2,
  });
  expect(await errorOf(throwing(new Error('odd')))).toMatchObject({ category: 'internal', message: 'odd' });
  expect(await errorOf(throwing('text'))).toMatchObject({ category: 'internal', message: 'text' });
  expect(await errorOf(undefined)).toMatchObject({ code: 'unknown_source', retryable: true });
  expect(await errorOf(throwing(0), { params: {} })).toMatchObject({ category: 'invalid_params' });
  expect(await errorOf(Promise.reject(new Error('no such file')))).toMatchObject({ category: 'internal' });
});

test('how far it has come is sent with the items until then, and once more when it fails', async () => {
  const scraping = (fails: boolean) =>
    source(async function* (_params, _web, notes) {
      for (let n = 0; n < 150; n++) {
        if (n % 50 === 0) notes?.reached?.({ row: n });
        yield article(`http://a.test/${n}`);
      }
      if (fails) throw new AppError('http_5xx');
    });
  const places = async (fails: boolean) => {
    const { result, parts } = attempt(scraping(fails));
    const last = await result;
    return [...parts, last].map((one) => (one.checkpoint as { place: unknown } | undefined)?.place);
  };
  expect(await places(true)).toEqual([{ row: 50 }, { row: 100 }]);
  expect(await places(false)).toEqual([{ row: 50 }, undefined]);
});
