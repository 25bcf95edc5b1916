// The article contract over HTTP, against a real database and a worker.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorld, startApiWorld } from './api-world.ts';

let world: ApiWorld;

beforeAll(async () => {
  world = await startApiWorld();
});
afterAll(() => world?.stop());

let counter = 0;
const page = () => `/news/${++counter}`;
const articles = (...paths: string[]) => paths.map((path) => ({ url: `https://example.com${path}` }));

test('the walk of the seed: submit, status, results, list', async () => {
  const submitted = await world.call('POST', '/jobs/submit', {
    articles: [
      { url: 'https://example.com/article1', source: 'TechNews', category: 'AI', priority: 1 },
      { url: 'https://example.com/gone/2', source: 'TechNews', category: 'ML', priority: 2 },
    ],
  });
  expect(submitted.status).toBe(201);
  expect(submitted.body).toEqual({
    job_id: expect.stringMatching(/^job_[0-9a-f]{12}$/),
    status: 'IN_PROGRESS',
    total_articles: 2,
    new_articles: 2,
    cached_articles: 0,
    message: 'Job submitted successfully',
  });
  const { job_id } = submitted.body;
  const state = await world.ended(job_id);
  expect(state).toEqual({
    job_id,
    status: 'COMPLETED',
    total_articles: 2,
    completed: 1,
    failed: 1,
    pending: 0,
    created_at: expect.stringMatching(/Z$/),
    updated_at: expect.stringMatching(/Z$/),
    completed_at: expect.stringMatching(/Z$/),
  });
  const { body } = await world.call('GET', `/jobs/${job_id}/results`);
  expect(body).toEqual({
    job_id,
    status: 'COMPLETED',
    total_articles: 2,
    successful: 1,
    failed: 1,
    results: [
      {
        article_id: expect.stringMatching(/^art_[0-9a-f]{32}$/),
        url: 'https://example.com/article1',
        source: 'TechNews',
        category: 'AI',
        title: '=Title of https://example.com/article1',
        content: 'Text of https://example.com/article1',
        author: null,
        published_at: null,
        modified_at: null,
        kind: null,
        language: null,
        image: null,
        scraped_at: expect.stringMatching(/Z$/),
        cached: false,
      },
    ],
    failed_articles: [
      {
        url: 'https://example.com/gone/2',
        error: '404 Not Found',
        attempted_at: expect.stringMatching(/Z$/),
        attempts: 1,
      },
    ],
    next_cursor: null,
  });
  const list = await world.call('GET', '/jobs/?status_filter=COMPLETED&limit=10');
  expect(list.body).toMatchObject({ total: 1, limit: 10, skip: 0, jobs: [{ job_id }] });
});

test('what was scraped before is reused, unless it is too old for the caller', async () => {
  const path = page();
  const first = await world.submit([path]);
  await world.ended(first);
  const again = await world.call('POST', '/jobs/submit', { articles: articles(path) });
  expect(again.body).toMatchObject({ status: 'COMPLETED', new_articles: 0, cached_articles: 1 });
  const results = await world.call('GET', `/jobs/${again.body.job_id}/results`);
  expect(results.body.results[0]).toMatchObject({ cached: true });
  const fresh = await world.call('POST', '/jobs/submit', { articles: articles(path), max_age_seconds: 0 });
  expect(fresh.body).toMatchObject({ status: 'IN_PROGRESS', new_articles: 1 });
});

test('a job whose every article failed is FAILED', async () => {
  expect(await world.ended(await world.submit(['/gone/a', '/gone/b']))).toMatchObject({ status: 'FAILED', failed: 2 });
});

test('an Idempotency-Key brings the first answer again, quoted or not, and refuses another body', async () => {
  const body = { articles: articles(page()) };
  const first = await world.call('POST', '/jobs/submit', body, { 'idempotency-key': '"key-1"' });
  const again = await world.call('POST', '/jobs/submit', body, { 'idempotency-key': 'key-1' });
  expect(again.status).toBe(201);
  expect(again.body).toEqual(first.body);
  expect(first.headers.get('idempotent-replay')).toBeNull();
  expect(again.headers.get('idempotent-replay')).toBe('true');
  const other = await world.call(
    'POST',
    '/jobs/submit',
    { articles: articles(page()) },
    { 'idempotency-key': 'key-1' },
  );
  expect(other.status).toBe(409);
  expect(other.body.code).toBe('idempotency_key_reused');
  const odd = await world.call('POST', '/jobs/submit', body, { 'idempotency-key': 'with space' });
  expect(odd.body.errors).toEqual([{ pointer: '/Idempotency-Key', detail: expect.any(String) }]);
});

test('ten requests with one key at once make one job', async () => {
  const body = { articles: articles(page()) };
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => world.call('POST', '/jobs/submit', body, { 'idempotency-key': 'at-once' })),
  );
  expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(201));
  expect(new Set(answers.map((answer) => answer.body.job_id)).size).toBe(1);
  expect(answers.filter((answer) => answer.headers.get('idempotent-replay') === 'true')).toHaveLength(9);
});

test('a cancel stops what waits and what runs, once; an ended job cannot be cancelled', async () => {
  const held = await world.submit(Array.from({ length: 5 }, (_, n) => `/hold/${n}`));
  const cancelled = await world.call('DELETE', `/jobs/${held}`);
  expect(cancelled.status).toBe(200);
  expect(cancelled.body).toEqual({
    job_id: held,
    status: 'CANCELLED',
    message: 'Job cancelled. Removed 5 pending tasks.',
  });
  const state = await world.call('GET', `/jobs/${held}/status`);
  expect(state.body).toMatchObject({ status: 'CANCELLED', completed: 0, failed: 0, pending: 5 });
  const done = await world.submit([page()]);
  await world.ended(done);
  const late = await world.call('DELETE', `/jobs/${done}`);
  expect(late.status).toBe(400);
  expect(late.body).toMatchObject({ code: 'not_cancellable', status: 400 });
});

test.each([
  ['GET', '/jobs/job_000000000000/status'],
  ['GET', '/jobs/job_000000000000/results'],
  ['DELETE', '/jobs/job_000000000000'],
  ['GET', '/jobs/nonsense/status'],
  ['GET', '/jobs/%00/status'],
  ['GET', "/jobs/'%3B--/results"],
  ['DELETE', '/jobs/..%2F..%2Fetc'],
  ['GET', '/no/such/path'],
])('%s %s is 404', async (method, path) => {
  const { status, body, headers } = await world.call(method, path);
  expect(status).toBe(404);
  expect(headers.get('content-type')).toContain('application/problem+json');
  expect(body).toMatchObject({
    type: expect.any(String),
    title: 'Not Found',
    status: 404,
    detail: expect.any(String),
    errors: [],
  });
});

test('results come in pages, as lines and as a table, and all of them say the same', async () => {
  const paths = Array.from({ length: 250 }, () => page());
  const job = await world.submit([...paths, '/gone/x']);
  await world.ended(job);
  const wanted = paths.map((path) => `https://example.com${path}`);

  const paged: string[] = [];
  const failed: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const {
      body,
    }: { body: { results: { url: string }[]; failed_articles: { url: string }[]; next_cursor: string | null } } =
      await world.call('GET', `/jobs/${job}/results?limit=60${cursor ? `&cursor=${cursor}` : ''}`);
    expect(body.results.length + body.failed_articles.length).toBeLessThanOrEqual(60);
    paged.push(...body.results.map((result) => result.url));
    failed.push(...body.failed_articles.map((result) => result.url));
    cursor = body.next_cursor;
  }
  expect(paged).toEqual(wanted);
  expect(failed).toEqual(['https://example.com/gone/x']);

  const lines = await world.call('GET', `/jobs/${job}/results`, undefined, { accept: 'application/x-ndjson' });
  expect(lines.headers.get('content-type')).toContain('application/x-ndjson');
  const parsed = lines.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(parsed.map((result) => result.url)).toEqual(wanted);

  const table = await world.call('GET', `/jobs/${job}/results`, undefined, { accept: 'text/csv' });
  const rows = table.text.trim().split('\r\n');
  expect(rows).toHaveLength(251);
  expect(rows[0]).toBe(
    'article_id,url,source,category,title,content,author,published_at,language,image,scraped_at,cached,modified_at,kind',
  );
  // What a spreadsheet would run as a formula stays text.
  expect(rows[1]).toContain(",'=Title of https://example.com");
});

test('the text comes as it was stored, as Markdown or as HTML, without scraping again', async () => {
  const job = await world.submit(['/marked/1']);
  await world.ended(job);
  const contentAs = async (query: string) =>
    (await world.call('GET', `/jobs/${job}/results${query}`)).body.results[0].content;
  const plain = await contentAs('');
  expect(await contentAs('?format=text')).toBe(plain);
  expect(await contentAs('?format=markdown')).toBe(`## Text\n\n${plain.slice(5)}`);
  expect(await contentAs('?format=html')).toMatch(/^<h2>Text<\/h2>\n<p>of https:/);
  const { results } = (await world.call('GET', `/jobs/${job}/results?explain=1`)).body;
  expect(results[0]).toMatchObject({ kind: 'article', modified_at: '2026-05-02', details: { kind: 'article' } });
  expect(results[0].details).not.toHaveProperty('markup');
  expect((await world.call('GET', `/jobs/${job}/results?format=pdf`)).status).toBe(422);
});

test('the list pages by skip and by cursor, with and without the slash', async () => {
  const made = await Promise.all(Array.from({ length: 5 }, () => world.submit([page()])));
  await Promise.all(made.map((job) => world.ended(job)));
  const whole = await world.call('GET', '/jobs?limit=5');
  const skipped = await world.call('GET', '/jobs/?limit=2&skip=2');
  expect(skipped.body.jobs).toEqual(whole.body.jobs.slice(2, 4));
  const first = await world.call('GET', '/jobs/?limit=2');
  const second = await world.call('GET', `/jobs/?limit=2&cursor=${first.body.next_cursor}`);
  expect(second.body.jobs.map((job: { job_id: string }) => job.job_id)).toEqual(
    whole.body.jobs.slice(2, 4).map((job: { job_id: string }) => job.job_id),
  );
  expect((await world.call('GET', '/jobs/?status_filter=PENDING')).body).toMatchObject({ jobs: [], total: 0 });
});

test.each([
  ['/jobs/?limt=5', '/limt'],
  ['/jobs/?limit=0', '/limit'],
  ['/jobs/?limit=1e9', '/limit'],
  ['/jobs/?skip=-1', '/skip'],
  ['/jobs/?status_filter=DONE', '/status_filter'],
  ['/jobs/?cursor=abc', '/cursor'],
  ['/jobs/job_000000000000/results?limit=x', '/limit'],
  ['/livez?x=1', '/x'],
])('%s is 422 naming %s', async (path, pointer) => {
  const { status, body } = await world.call('GET', path);
  expect(status).toBe(422);
  expect(body.errors).toEqual([{ pointer, detail: expect.any(String) }]);
});

test('an id given with the request is in the answer and in every line about it; a bad one is replaced', async () => {
  const reply = await world.call(
    'POST',
    '/jobs/submit',
    { articles: articles(page()) },
    { 'x-request-id': 'trace-77' },
  );
  expect(reply.headers.get('x-request-id')).toBe('trace-77');
  expect(world.lines.find((line) => line.request_id === 'trace-77')).toMatchObject({
    event: 'run.accepted',
    run_id: reply.body.job_id,
  });
  const odd = await world.call('GET', '/jobs/nonsense/status', undefined, { 'x-request-id': 'with space' });
  expect(odd.headers.get('x-request-id')).toMatch(/^req_/);
  expect(odd.body.request_id).toBe(odd.headers.get('x-request-id'));
});

test('dead letters are listed, tried again and thrown away, one by one and many at once', async () => {
  const job = await world.submit(['/gone/d1', '/gone/d2', '/gone/d3']);
  await world.ended(job);
  const { body } = await world.call('GET', '/dead-letters?source=article&category=not_found&limit=1000');
  const mine = body.dead_letters.filter((letter: { run_id: string }) => letter.run_id === job);
  expect(mine).toHaveLength(3);
  expect(mine[0]).toMatchObject({
    source: 'article',
    lane: 'http',
    error: { category: 'not_found', message: '404 Not Found' },
  });
  const [one, two] = mine;
  expect((await world.call('GET', `/dead-letters/${one.task_id}`)).body).toMatchObject(one);

  const retried = await world.call('POST', `/dead-letters/${one.task_id}/retry`);
  expect(retried.status).toBe(202);
  expect(retried.body).toMatchObject({ job_id: expect.stringMatching(/^job_/), retried: 1 });
  expect((await world.ended(retried.body.job_id)).status).toBe('FAILED');
  expect((await world.call('POST', `/dead-letters/${one.task_id}/retry`)).status).toBe(404);

  expect((await world.call('DELETE', `/dead-letters/${two.task_id}`)).body).toEqual({ removed: 1, has_more: false });
  expect((await world.call('DELETE', `/dead-letters/${two.task_id}`)).status).toBe(404);
  expect((await world.call('DELETE', '/dead-letters')).status).toBe(422);
  expect((await world.call('POST', '/dead-letters/retry', {})).status).toBe(422);
  const bulk = await world.call('POST', '/dead-letters/retry', { category: 'not_found' });
  expect(bulk.status).toBe(202);
  await world.ended(bulk.body.job_id);
  expect((await world.call('DELETE', '/dead-letters?all=true')).body.removed).toBeGreaterThan(0);
  expect((await world.call('GET', '/dead-letters')).body.dead_letters).toEqual([]);
});

test('a retry sent twice with one key is one retry, and takes nothing with it that died since', async () => {
  const bulk = () =>
    world.call('POST', '/dead-letters/retry', { category: 'not_found' }, { 'idempotency-key': 'again' });
  await world.ended(await world.submit(['/gone/k1']));
  const first = await bulk();
  expect(first.status).toBe(202);
  await world.ended(first.body.job_id);
  await world.ended(await world.submit(['/gone/k2']));
  const waiting = (await world.call('GET', '/dead-letters')).body.dead_letters.length;
  const second = await bulk();
  expect(second).toMatchObject({ status: 202, body: { job_id: first.body.job_id } });
  expect(second.headers.get('idempotent-replay')).toBe('true');
  expect((await world.call('GET', '/dead-letters')).body.dead_letters).toHaveLength(waiting);
  await world.call('DELETE', '/dead-letters?all=true');
  expect((await bulk()).body.job_id).toBe(first.body.job_id);
});

test('queue and health tell what is there', async () => {
  // What the API knows of workers is up to two seconds old.
  await expect
    .poll(async () => (await world.call('GET', '/jobs/queue/status')).body, { timeout: 60_000 })
    .toMatchObject({
      status: 'success',
      data: { wire: 'up', workers: [{ worker: 'w1', slots: 20 }] },
    });
  const { queues } = (await world.call('GET', '/jobs/queue/status')).body.data;
  // Also those in which nothing is.
  expect(Object.keys(queues)).toEqual(expect.arrayContaining(['http:high', 'http:medium', 'http:low']));
  expect(queues['http:low']).toMatchObject({ waiting: 0, active: 0, delayed: 0, paused: 0 });
  expect((await world.call('GET', '/jobs/health')).body).toMatchObject({ status: 'healthy', workers: 1 });
  await expect
    .poll(async () => (await world.call('GET', '/health')).body, { timeout: 60_000 })
    .toMatchObject({
      status: 'ok',
      version: 'test',
      parts: {
        store: { status: 'up' },
        wire: { status: 'up' },
        workers: { status: 'up', detail: '1 worker, 20 slots' },
      },
    });
  const metrics = await world.call('GET', '/metrics');
  expect(metrics.text).toMatch(/windrow_runs_accepted_total\{kind="article"\} \d+/);
  expect(metrics.text).toContain('windrow_part_up{part="store"} 1');
});
