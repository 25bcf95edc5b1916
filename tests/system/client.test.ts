// `windrow/client` against a live server on the sandbox, with keys: what a program of a user does.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '../../src/client/index.ts';
import { freePort, freshDatabase } from '../support/own-servers.ts';
import { Roles } from '../support/processes.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';

const KEY = 'a-key-of-the-test-0123456789';
const roles = new Roles();
let database: Awaited<ReturnType<typeof freshDatabase>>;
let client: Client;
let url: string;

beforeAll(async () => {
  database = await freshDatabase();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const up = roles.start(['up', '--sandbox'], {
    env: { PORT: String(port), DATABASE_URL: database.url, API_KEYS: KEY },
  });
  await up.waitForHttp(`${url}/livez`, 300_000);
  client = createClient({ url, key: KEY });
});
afterAll(async () => {
  await roles.reap();
  await database?.drop();
});

test('a run is submitted, followed to its end, and its results are read page by page', async () => {
  const articles = Array.from({ length: 5 }, (_, n) => ({ url: `https://orchard-review.example/news/story-${n + 1}` }));
  const { job_id } = await client.call('POST /jobs/submit', { body: { articles } });
  const counts: number[] = [];
  for await (const { run_id, completed, failed } of client.runs.follow(job_id)) {
    expect(run_id).toBe(job_id);
    counts.push(completed + failed);
  }
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(counts.at(-1)).toBe(5);
  const titles: (string | null)[] = [];
  for await (const row of client.rows('GET /jobs/{job_id}/results', { path: { job_id }, query: { limit: 2 } }))
    titles.push(row.title);
  expect(titles).toHaveLength(5);
  expect(titles.every(Boolean)).toBe(true);
});

test('a search is waited for, and its postings are listed', async () => {
  const { data } = await client.call('POST /jobs/scrape', {
    body: { site_name: 'indeed', search_term: 'nurse', results_wanted: 10 },
  });
  expect(await client.runs.wait(data.run_id)).toMatchObject({
    run_id: data.run_id,
    status: 'completed',
    kind: 'posting',
  });
  let seen = 0;
  for await (const posting of client.rows('GET /postings', { query: { limit: 3 } })) {
    expect(posting.title).toEqual(expect.any(String));
    seen++;
  }
  expect(seen).toBe(10);
  const csv = await new Response(
    await client.stream('GET /postings', { query: { format: 'csv' }, accept: 'text/csv' }),
  ).text();
  expect(csv.split('\n')[0]).toContain('title');
});

test('what a worker has in hand is listed while it has it', async () => {
  const url = 'https://orchard-review.example/news/story-50?fault=slow:3000';
  const { job_id } = await client.call('POST /jobs/submit', { body: { articles: [{ url }] } });
  const { data } = await client.call('GET /jobs/queue/status');
  const path = { worker: data.workers[0]!.worker };
  await expect
    .poll(async () => (await client.call('GET /workers/{worker}/tasks', { path })).tasks)
    .toEqual([expect.objectContaining({ source: 'article', run_id: job_id, attempt: 1, params: { url } })]);
  await client.runs.wait(job_id);
  expect((await client.call('GET /workers/{worker}/tasks', { path })).tasks).toEqual([]);
});

test('a run that is not there, and a key that does not work, are errors with their codes', async () => {
  await expect(client.runs.wait('job_000000000000')).rejects.toMatchObject({ code: 'unknown_id', status: 404 });
  await expect(createClient({ url }).call('GET /runs')).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
  const stranger = createClient({ url, key: 'not-a-key-of-this-server' });
  await expect(stranger.runs.wait('job_000000000000')).rejects.toMatchObject({ status: 401 });
});

test('whoever follows a run stays with it while the connection is lost, and may leave it', async () => {
  const proxy = await TcpProxy.to(url);
  const far = createClient({ url: proxy.through(url), key: KEY });
  await client.call('POST /sources/{name}/pause', { path: { name: 'article' }, body: { reason: 'a test' } });
  const submit = (n: number) =>
    client.call('POST /jobs/submit', {
      body: { articles: [{ url: `https://orchard-review.example/news/story-${n}` }] },
    });
  const [{ job_id }, left] = [await submit(71), await submit(72)];
  const followed = far.runs.follow(job_id);
  expect((await followed.next()).value).toMatchObject({ status: 'IN_PROGRESS', completed: 0 });

  const gone = new AbortController();
  const abandoned = far.runs.follow(left.job_id, { signal: gone.signal });
  await abandoned.next();
  gone.abort(new Error('enough'));
  await expect(rest(abandoned)).rejects.toThrow('enough');

  proxy.drop();
  await client.call('POST /sources/{name}/resume', { path: { name: 'article' } });
  await client.runs.wait(job_id);
  proxy.pass();
  expect((await rest(followed)).at(-1)).toMatchObject({ status: 'COMPLETED', completed: 1 });
  await proxy.close();
});

async function rest<T>(followed: AsyncIterable<T>): Promise<T[]> {
  const states: T[] = [];
  for await (const state of followed) states.push(state);
  return states;
}
