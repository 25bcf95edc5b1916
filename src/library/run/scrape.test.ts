import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { type Posting, toPosting } from '../../model/posting/posting.ts';
import { defineSource } from '../../sources/define.ts';
import type { Web } from '../../web/port.ts';
import { type Progress, type ScrapeError, scrapeJobs } from '../index.ts';

const posting = (source: string, n: number): Posting =>
  toPosting({ source, external_id: String(n), title: `Job ${n}`, job_url: `https://${source}.example/${n}` });

/** A board that asks nobody. */
const board = (name: string, scrape: (web: Web, results: number) => AsyncIterable<Posting>) =>
  defineSource({
    name,
    title: name,
    kind: 'posting',
    lane: 'http',
    hosts: [],
    pace: { concurrency: 1, delayMs: 0 },
    params: z.object({ search_term: z.string(), results_wanted: z.number().default(15) }),
    scrape: ({ results_wanted: results }, web) => scrape(web, results),
  });

const plenty = (name: string, made: { count: number } = { count: 0 }) =>
  board(name, async function* () {
    for (;;) yield posting(name, made.count++);
  });

const some = (name: string) =>
  board(name, async function* (_web, results) {
    for (let n = 0; n < results; n++) yield posting(name, n);
  });

const broken = (name: string, after = 0) =>
  board(name, async function* () {
    for (let n = 0; n < after; n++) yield posting(name, n);
    throw new AppError('blocked', `${name} refused`);
  });

/** So many turns of the event loop that whoever could go on has gone on. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

test('jobs of several sites come in one loop', async () => {
  const jobs = scrapeJobs({ sites: [some('one'), some('two')], searchTerm: 'x', results: 3 });
  const found = await jobs.toArray();
  expect(found.map(({ site, id }) => `${site} ${id}`).sort()).toEqual([
    'one 0',
    'one 1',
    'one 2',
    'two 0',
    'two 1',
    'two 2',
  ]);
  expect(jobs.errors).toEqual([]);
  expect(jobs.progress).toMatchObject({ tasks: 2, completed: 2, failed: 0, found: 6 });
});

test('a site that fails is a value, with what it found before; the others bring all of theirs', async () => {
  const heard: ScrapeError[] = [];
  const jobs = scrapeJobs({
    sites: [broken('bad', 2), some('good')],
    searchTerm: 'x',
    results: 4,
    maxRetries: 0,
    onError: (error) => heard.push(error),
  });
  const found = await jobs.toArray();
  expect(found.filter(({ site }) => site === 'good')).toHaveLength(4);
  expect(found.filter(({ site }) => site === 'bad')).toHaveLength(2);
  expect(jobs.errors).toEqual([
    { site: 'bad', target: 'x', code: 'blocked', message: 'bad refused', isRetryable: true, attempts: 1, found: 2 },
  ]);
  expect(heard).toEqual(jobs.errors);
  expect(jobs.progress.sites.map(({ site, state }) => [site, state])).toEqual([
    ['bad', 'failed'],
    ['good', 'done'],
  ]);
});

test('an attempt that is made again hands nothing out twice', async () => {
  let attempts = 0;
  const flaky = board('flaky', async function* () {
    attempts += 1;
    yield posting('flaky', 1);
    yield posting('flaky', 2);
    if (attempts === 1) throw new AppError('network', 'broke off');
    yield posting('flaky', 3);
  });
  const jobs = scrapeJobs({ sites: [flaky], searchTerm: 'x' });
  expect((await jobs.toArray()).map(({ id }) => id)).toEqual(['1', '2', '3']);
  expect([attempts, jobs.errors]).toEqual([2, []]);
});

test('nothing starts before the first read', async () => {
  const made = { count: 0 };
  scrapeJobs({ sites: [plenty('endless', made)], searchTerm: 'x', results: 10_000 });
  await quiet();
  expect(made.count).toBe(0);
});

test('a reader that stops reading stops the scraping', async () => {
  const made = { count: 0 };
  const reader = scrapeJobs({ sites: [plenty('endless', made)], searchTerm: 'x', results: 10_000 })[
    Symbol.asyncIterator
  ]();
  await reader.next();
  await quiet();
  const waiting = made.count;
  expect(waiting).toBeLessThan(200);
  await quiet();
  expect(made.count).toBe(waiting);
  for (let i = 0; i < 10; i++) await reader.next();
  await quiet();
  expect(made.count).toBe(waiting + 10);
  await reader.return?.();
});

test('leaving the loop ends the source, and its finally has run', async () => {
  let isEnded = false;
  const endless = board('endless', async function* () {
    try {
      for (let n = 0; ; n++) yield posting('endless', n);
    } finally {
      isEnded = true;
    }
  });
  const jobs = scrapeJobs({ sites: [endless], searchTerm: 'x', results: 10_000 });
  let read = 0;
  for await (const _job of jobs) if (++read === 3) break;
  await quiet();
  expect([read, isEnded, jobs.errors]).toEqual([3, true, []]);
});

test('return ends a read that waits', async () => {
  const silent = board('silent', async function* (web) {
    await new Promise((resolve) => web.signal.addEventListener('abort', resolve));
    yield posting('silent', 1);
  });
  const reader = scrapeJobs({ sites: [silent], searchTerm: 'x' })[Symbol.asyncIterator]();
  const waiting = reader.next();
  await quiet();
  await reader.return?.();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(await reader.next()).toEqual({ done: true, value: undefined });
});

test('aborting throws the reason of the signal at the reader, and ends the source', async () => {
  const stop = new AbortController();
  let isAborted = false;
  const endless = board('endless', async function* (web) {
    web.signal.addEventListener('abort', () => {
      isAborted = true;
    });
    for (let n = 0; ; n++) yield posting('endless', n);
  });
  const jobs = scrapeJobs({ sites: [endless], searchTerm: 'x', results: 10_000, signal: stop.signal });
  let read = 0;
  const loop = async () => {
    for await (const _job of jobs) if (++read === 5) stop.abort(new Error('enough'));
  };
  await expect(loop()).rejects.toThrow('enough');
  expect([read, isAborted, jobs.errors]).toEqual([5, true, []]);
});

test('aborting throws also when only the reader is not done yet', async () => {
  const stop = new AbortController();
  const jobs = scrapeJobs({ sites: [some('one')], searchTerm: 'x', results: 5, signal: stop.signal });
  const reader = jobs[Symbol.asyncIterator]();
  await reader.next();
  await quiet();
  expect(jobs.progress.completed).toBe(1);
  stop.abort(new Error('enough'));
  await expect(reader.next()).rejects.toThrow('enough');
  expect(await reader.next()).toEqual({ done: true, value: undefined });
});

test('a signal that was aborted before starts nothing', async () => {
  const made = { count: 0 };
  const jobs = scrapeJobs({ sites: [plenty('endless', made)], searchTerm: 'x', signal: AbortSignal.abort() });
  await expect(jobs.toArray()).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  expect(made.count).toBe(0);
});

test('progress is told with every job and every end, and what was told stays as it was', async () => {
  const told: Progress[] = [];
  await scrapeJobs({
    sites: [some('one')],
    searchTerm: 'x',
    results: 3,
    onProgress: (progress) => told.push(progress),
  }).toArray();
  expect(told.map(({ found, completed }) => [found, completed])).toEqual([
    [1, 0],
    [2, 0],
    [3, 0],
    [3, 1],
  ]);
  expect(told.at(-1)?.sites).toEqual([
    { site: 'one', state: 'done', tasks: 1, completed: 1, failed: 0, found: 3, wanted: 3 },
  ]);
});

test.each(['onProgress', 'onError'] as const)('what %s throws ends the scrape with it', async (callback) => {
  const jobs = scrapeJobs({
    sites: [broken('bad', 1), plenty('endless')],
    searchTerm: 'x',
    results: 10_000,
    maxRetries: 0,
    [callback]: () => {
      throw new Error('my mistake');
    },
  });
  await expect(jobs.toArray()).rejects.toThrow('my mistake');
});

test('a scrape is read once', async () => {
  const jobs = scrapeJobs({ sites: [some('one')], searchTerm: 'x', results: 1 });
  await jobs.toArray();
  await expect(jobs.toArray()).rejects.toThrow('The results of a scrape can be read only once');
});

test('what a site warns of is kept beside the errors', async () => {
  const warning = board('strict', async function* (web) {
    web.warn('strict has no use for distance');
    yield posting('strict', 1);
  });
  const jobs = scrapeJobs({ sites: [warning], searchTerm: 'x' });
  await jobs.toArray();
  expect(jobs.warnings).toEqual([{ site: 'strict', target: 'x', message: 'strict has no use for distance' }]);
});

test('a site that takes too long is an error of that site', async () => {
  const slow = board('slow', async function* (web) {
    await new Promise((_resolve, reject) => web.signal.addEventListener('abort', () => reject(web.signal.reason)));
    yield posting('slow', 1);
  });
  const jobs = scrapeJobs({ sites: [slow], searchTerm: 'x', taskTimeoutSeconds: 1, maxRetries: 0 });
  expect(await jobs.toArray()).toEqual([]);
  expect(jobs.errors).toMatchObject([{ site: 'slow', code: 'task_timeout', message: 'timeout after 1s' }]);
});

test("the time that the reader takes is not the site's", async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const jobs = scrapeJobs({
      sites: [some('large')],
      searchTerm: 'x',
      results: 500,
      taskTimeoutSeconds: 60,
      maxRetries: 0,
    });
    const reader = jobs[Symbol.asyncIterator]();
    await reader.next();
    await quiet();
    vi.advanceTimersByTime(3_600_000);
    let read = 1;
    while (!(await reader.next()).done) read += 1;
    expect([read, jobs.errors]).toEqual([500, []]);
  } finally {
    vi.useRealTimers();
  }
});
