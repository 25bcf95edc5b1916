import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClient } from './client.ts';
import type { ConnectionOptions } from './request.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
}

/** A server that gives one answer after the other, the last one for ever; what it was asked is in `seen`. */
async function server(answers: ((response: ServerResponse) => void)[], options: ConnectionOptions = {}) {
  const seen: Seen[] = [];
  const http = createServer((request, response) => {
    seen.push({ method: request.method!, url: request.url!, headers: request.headers });
    (answers[seen.length - 1] ?? answers.at(-1)!)(response);
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  closing.push(() => {
    http.close();
    http.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return { seen, client: createClient({ url, ...options }) };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    const type = status < 400 ? 'application/json' : 'application/problem+json';
    response.writeHead(status, { 'content-type': type, ...headers }).end(JSON.stringify(body));
  };
const away = json(503, { code: 'unavailable', detail: 'The store is down.' }, { 'retry-after': '0' });
const broken = (response: ServerResponse): void => void response.destroy();

test('a path, a query and a key are sent as the reference says', async () => {
  const { client, seen } = await server([json(200, { tasks: [] })], { key: 'k1' });
  await client.call('GET /runs/{run_id}/tasks', { path: { run_id: 'a/b' }, query: { limit: 5 } });
  expect(seen[0]).toMatchObject({
    method: 'GET',
    url: '/runs/a%2Fb/tasks?limit=5',
    headers: { authorization: 'Bearer k1' },
  });
});

test('a submission is repeated under one idempotency key, after a refusal and after a broken connection', async () => {
  const { client, seen } = await server([away, broken, json(201, { job_id: 'job_1' })]);
  const reply = await client.call('POST /jobs/submit', { body: { articles: [{ url: 'https://a.example/' }] } });
  expect(reply.job_id).toBe('job_1');
  const keys = seen.map((one) => one.headers['idempotency-key']);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys).toEqual([keys[0], keys[0], keys[0]]);
});

test('what makes something without a key is not repeated after a broken connection', async () => {
  const { client, seen } = await server([broken]);
  const body = { name: 'ci', scope: 'read' as const };
  await expect(client.call('POST /keys', { body: body as never })).rejects.toMatchObject({
    code: 'unreachable',
    status: 0,
  });
  expect(seen).toHaveLength(1);
});

test('a refusal is an error with code, fields and request id', async () => {
  const errors = [{ pointer: '/articles/0/url', detail: 'is not a URL' }];
  const problem = { code: 'invalid_params', detail: 'One field is wrong.', request_id: 'r1', errors };
  const { client } = await server([json(422, problem)]);
  await expect(client.call('POST /jobs/submit', { body: { articles: [] } })).rejects.toMatchObject({
    name: 'ApiError',
    status: 422,
    code: 'invalid_params',
    message: 'One field is wrong.',
    requestId: 'r1',
    fields: errors,
  });
});

test('rows come page after page, also where a page has a second list', async () => {
  const { client, seen } = await server([
    json(200, { results: [{ url: 'a' }, { url: 'b' }], failed_articles: [{ url: 'x' }], next_cursor: 'c 1' }),
    json(200, { results: [{ url: 'c' }], failed_articles: [], next_cursor: null }),
  ]);
  const urls: string[] = [];
  for await (const row of client.rows('GET /jobs/{job_id}/results', { path: { job_id: 'job_1' } })) urls.push(row.url);
  expect(urls).toEqual(['a', 'b', 'c']);
  expect(seen[1]!.url).toBe('/jobs/job_1/results?cursor=c+1');
});

test('an answer that does not come in time, and a caller who gives up, end the request', async () => {
  const { client } = await server([() => {}], { timeoutMs: 100, retries: 0 });
  await expect(client.call('GET /runs')).rejects.toThrow('did not answer in time');
  await expect(client.stream('GET /postings', {})).rejects.toThrow('did not answer in time');
  const stop = new AbortController();
  const asked = client.call('GET /runs', { signal: stop.signal, timeoutMs: 60_000 });
  stop.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
});
