// Crawls and maps as their users meet them: over HTTP, by the client and the command line, on a whole Windrow with the sandbox web.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { createWindrow, type Windrow } from '../../../src/library/index.ts';
import { onDatabase } from '../../support/outputs/contents.ts';
import { freePort, freshDatabase } from '../../support/own-servers.ts';
import { runWindrow } from '../../support/windrow.ts';

let windrow: Windrow;
let database: Awaited<ReturnType<typeof freshDatabase>>;
let url: string;
let folder: string;

beforeAll(async () => {
  const [fresh, port] = await Promise.all([freshDatabase(), freePort()]);
  database = fresh;
  url = `http://127.0.0.1:${port}`;
  folder = await mkdtemp(join(tmpdir(), 'windrow-crawls-'));
  windrow = await createWindrow({
    databaseUrl: database.url,
    sandbox: true,
    api: { port },
    settings: { databaseAnswerMs: 60_000, maxRetryAttempts: 0, sourcePace: ['crawl=8/0'], crawlMaxPages: 5_000 },
  });
});
afterAll(async () => {
  await windrow?.close();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const client = () => createClient({ url });

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const reply = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return { status: reply.status, headers: reply.headers, json: (await reply.json()) as any };
}

const SMALL = { url: 'https://n30.maze.example/', exclude_paths: ['/calendar', '/deeper/**'] };

test('a crawl is accepted with where to look, counts what it reads and leaves out, and gives its pages as they are asked for', async () => {
  const accepted = await post('/crawl', SMALL, { 'idempotency-key': 'crawl-1' });
  expect(accepted.status).toBe(202);
  const { run_id } = accepted.json;
  expect(accepted.headers.get('location')).toBe(`/crawl/${run_id}`);
  const again = await post('/crawl', SMALL, { 'idempotency-key': 'crawl-1' });
  expect(again.json.run_id).toBe(run_id);
  const run = await client().runs.wait(run_id);
  expect(run).toMatchObject({ kind: 'crawl', status: 'completed', about: SMALL.url, path: `/crawl/${run_id}` });

  const crawl = await client().call('GET /crawl/{run_id}', { path: { run_id } });
  expect(crawl).toMatchObject({ status: 'completed', pages: { waiting: 0, queued: 0, failed: 0 }, sitemaps: 2 });
  expect(crawl.outcomes.article).toBeGreaterThanOrEqual(30);
  expect(crawl.left_out).toMatchObject({ outside: 1, excluded: 2 });

  const articles = new Set<string>();
  const rows = client().rows('GET /crawl/{run_id}/pages', { path: { run_id }, query: { limit: 7 } });
  for await (const page of rows) if (page.article) articles.add(page.url);
  expect(articles).toContain('https://n30.maze.example/p/29');
  expect(articles.size).toBe(crawl.outcomes.article);

  const lines = await (
    await fetch(`${url}/crawl/${run_id}/pages?content=0`, { headers: { accept: 'application/x-ndjson' } })
  ).text();
  expect(
    lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).article),
  ).toEqual(Array(crawl.pages.done).fill(null));
  const csv = await (
    await fetch(`${url}/crawl/${run_id}/pages?status=left_out`, { headers: { accept: 'text/csv' } })
  ).text();
  expect(csv).toContain('https://elsewhere.example/story');
  await expect(client().call('DELETE /crawl/{run_id}', { path: { run_id } })).rejects.toMatchObject({
    code: 'not_cancellable',
  });
});

test.each([
  [{ url: 'acme.example' }, 'url', 'absolute URL'],
  [{ url: 'ftp://acme.example/' }, 'url', 'http'],
  [{ ...SMALL, limit: 5_001 }, 'limit', 'CRAWL_MAX_PAGES'],
  [{ ...SMALL, limit: 0 }, 'limit', ''],
  [{ ...SMALL, include_paths: ['/ok', 'blog'] }, 'include_paths/1', '/blog/**'],
  [{ ...SMALL, path_prefix: 'docs' }, 'path_prefix', ''],
  [{ ...SMALL, sitemap: 'only', max_depth: 0 }, 'max_depth', 'at least 1'],
  [{ ...SMALL, depth: 3 }, 'depth', ''],
])('%j is refused, with the field %s', async (body, field, sentence) => {
  const { status, json } = await post('/crawl', body);
  expect(status).toBe(422);
  expect(json.errors[0].pointer).toBe(`/${field}`);
  expect(json.errors[0].detail).toContain(sentence);
});

test('a crawl that cannot begin fails and says why, and an id that is none is not found', async () => {
  const { json } = await post('/crawl', { url: 'http://169.254.169.254/latest' });
  const run = await client().runs.wait(json.run_id);
  expect(run.status).toBe('failed');
  const { pages } = await client().call('GET /crawl/{run_id}/pages', { path: { run_id: json.run_id } });
  expect(pages).toMatchObject([{ state: 'failed', error: expect.stringContaining('not allowed') }]);
  for (const path of ['/crawl/crawl_0000000000000000', '/crawl/nothing/pages', '/map/map_0000000000000000'])
    expect((await fetch(url + path)).status).toBe(404);
});

/** Of a crawl that has ended. */
const insertLetter = (params: object): Promise<string> =>
  onDatabase(database.url, async (sql) => {
    const message = { params, priority: 5, max_retries: 0, timeout: 60, run_id: 'crawl_0000000000000000' };
    const { rows } = await sql.query<{ id: string }>(
      `with made as (
         insert into tasks (id, key, source, lane, run_seq, message) values (gen_random_uuid(), gen_random_uuid(), 'crawl', 'http', 0, $1) returning id
       ), ended as (
         insert into outcomes (task_id, state, attempts, error)
         select id, 'failed', 1, '{"category": "http_5xx", "code": "http_5xx", "message": "500", "retryable": true}' from made
       )
       insert into dead_letters (task_id, source, category, code) select id, 'crawl', 'http_5xx', 'http_5xx' from made returning task_id as id`,
      [JSON.stringify(message)],
    );
    return rows[0]!.id;
  });

test('a page of a crawl that failed is retried as an article, at another URL if that is given', async () => {
  const letter = await insertLetter({ url: 'https://n30.maze.example/moved', engine: 'http' });
  const path = `/dead-letters/${letter}/retry`;
  const refused = await post(path, { params: { url: 'https://n30.maze.example/p/3', engine: 'browser' } });
  expect(refused.status).toBe(422);
  expect(refused.json.errors).toMatchObject([
    { pointer: '/params/engine', detail: expect.stringContaining('only its url') },
  ]);
  const retried = await post(path, { params: { url: 'https://n30.maze.example/p/3', engine: 'http' } });
  expect(retried.status).toBe(202);
  const run = await client().runs.wait(retried.json.job_id);
  expect(run).toMatchObject({ kind: 'article', status: 'completed' });
  const { tasks } = await client().call('GET /runs/{run_id}/tasks', { path: { run_id: run.run_id } });
  expect(tasks).toMatchObject([{ entry: { url: 'https://n30.maze.example/p/3' }, source: 'article' }]);
});

test('what means nothing without its crawl is not retried, says what to do instead, and stays when others are', async () => {
  const letterOf = async (path: string): Promise<string> => {
    const { json } = await post(path, { url: 'https://n30.maze.example/none' });
    await client().runs.wait(json.run_id);
    const { dead_letters: letters } = await client().call('GET /dead-letters', { query: { run_id: json.run_id } });
    return letters[0]!.task_id;
  };
  const first = await letterOf('/crawl');
  const map = await letterOf('/map');
  const sitemap = await insertLetter({ url: 'https://n30.maze.example/sitemap.xml', what: 'sitemap', scope: {} });
  const page = await insertLetter({ url: 'https://n30.maze.example/p/4' });
  for (const [id, remedy] of [
    [first, 'POST /crawl'],
    [map, 'POST /map'],
    [sitemap, 'sitemap=skip'],
  ] as const)
    for (const body of [null, { dry_run: true }, { params: { url: 'https://n30.maze.example/p/3' } }]) {
      const { status, json } = await post(`/dead-letters/${id}/retry`, body as object);
      expect({ status, code: json.code }).toEqual({ status: 409, code: 'not_retryable' });
      expect(json.detail).toContain(remedy);
    }
  const all = { task_ids: [sitemap, first, page, map] };
  expect((await post('/dead-letters/retry', all)).json).toMatchObject({ retried: 1, has_more: false });
  expect((await post('/dead-letters/retry', all)).json).toMatchObject({ code: 'not_retryable' });
  const { dead_letters: left } = await client().call('GET /dead-letters', { query: { source: 'crawl' } });
  expect(left.map((one) => one.task_id)).toEqual(expect.arrayContaining([sitemap, first, map]));
  expect(left.map((one) => one.task_id)).not.toContain(page);
});

test('a map lists URLs without reading the pages, and finds those that contain a text', async () => {
  const { status, json } = await post('/map', { url: SMALL.url });
  expect(status).toBe(200);
  expect(json.status).toBe('completed');
  const urls = json.urls as { url: string; found_in: string }[];
  expect(urls).toContainEqual({ url: 'https://n30.maze.example/p/29', found_in: 'sitemap' });
  expect(urls[0]).toEqual({ url: SMALL.url, found_in: 'start' });
  const some = await post('/map', { url: SMALL.url, search: '/P/2' });
  expect(some.json.urls.map((one: { url: string }) => new URL(one.url).pathname)).toContain('/p/28');
  expect(some.json.urls.every((one: { url: string }) => one.url.includes('/p/2'))).toBe(true);
  const late = await post('/map', { url: SMALL.url, wait_seconds: 0 });
  expect(late.status).toBe(202);
  await client().runs.wait(late.json.run_id);
  expect((await client().call('GET /map/{run_id}', { path: { run_id: late.json.run_id } })).urls).toHaveLength(
    urls.length,
  );
});

test('windrow crawl shows its pages and what it left out, and windrow map one URL a line', async () => {
  const env = { WINDROW_URL: url };
  const args = ['crawl', 'n30.maze.example', '--limit', '5', '--exclude', '/calendar', '--watch'];
  const crawl = await runWindrow(args, { cwd: folder, env });
  expect(crawl.code).toBe(0);
  expect(crawl.stdout).toMatch(/^crawl_[0-9a-f]{16}\n/);
  expect(crawl.stdout).toContain('Room 0');
  expect(crawl.stderr).toMatch(/5 of 5 pages read/);
  expect(crawl.stderr).toMatch(/left out: .*limit/);
  const map = await runWindrow(['map', 'https://n30.maze.example/'], { cwd: folder, env });
  expect(map.stdout.split('\n')).toContain('https://n30.maze.example/p/29');
  const wrong = await runWindrow(['crawl', SMALL.url, '--include', 'blog'], { cwd: folder, env });
  expect(wrong.code).not.toBe(0);
  expect(wrong.stderr).toContain('/blog/**');
});
