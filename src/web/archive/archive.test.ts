import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { serve } from '../../../tests/support/web/servers.ts';
import { createWeb } from '../web.ts';
import { createArchive } from './archive.ts';
import { readArchive } from './read-archive.ts';
import { replayWeb } from './replay.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'windrow-warc-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const files = () => readdirSync(dir).map((name) => join(dir, name));
const never = new AbortController().signal;

test('what was fetched can be read again without a network, redirects, charsets and errors included', async () => {
  const site = await serve((request, response) => {
    if (request.url === '/old') response.writeHead(301, { location: '/new' }).end();
    else if (request.url === '/gone') response.writeHead(404).end('nothing');
    else if (request.url === '/json') response.end('{"a":[1,2]}');
    else if (request.url === '/search') {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => response.end(`page ${(JSON.parse(body) as { page: number }).page}`));
    } else
      response
        .writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1', 'set-cookie': 's=secret' })
        .end(Buffer.from('Gr\xfc\xdfe', 'latin1'));
  });
  const webs = createWeb({ guard: { allow: ['127.0.0.1'] }, robots: 'off', archive: { dir } });
  const web = webs.forAttempt({ signal: never, source: 'article', runId: 'run_1', taskId: 'task_1' });
  const live = await web.get(`${site.origin}/old`, {
    headers: { authorization: 'Bearer hunter2', 'x-tenant': 'hunter2', accept: 'text/html' },
  });
  await web.get(`${site.origin}/json?n=1`, { method: 'POST', body: { client_secret: 'hunter2', q: 'welder' } });
  await web.text(`${site.origin}/json`);
  for (const page of [1, 2]) await web.text(`${site.origin}/search`, { body: { page, client_secret: 'hunter2' } });
  web.note!({ asked: { attempt: 1, goesOn: false, params: { url: `${site.origin}/old` } } });
  web.note!({ items: [{ title: 'lost' }] });
  const params = { url: `${site.origin}/old`, headers: { 'x-key': 'hunter2' } };
  web.note!({ asked: { attempt: 2, goesOn: false, params } });
  web.note!({ items: [{ title: 'a' }] });
  web.note!({ asked: { attempt: 3, goesOn: true, params } });
  web.note!({ items: [{ title: 'b' }] });
  await expect(web.text(`${site.origin}/gone`)).rejects.toMatchObject({ code: 'not_found' });
  await webs.close();
  await site[Symbol.asyncDispose]();

  const missing: string[] = [];
  const { tasks } = await readArchive(files(), 'run_1');
  expect(tasks).toMatchObject([
    { id: 'task_1', runId: 'run_1', source: 'article', items: [{ title: 'a' }, { title: 'b' }] },
  ]);
  expect(tasks[0]!.params).toEqual({ url: `${site.origin}/old`, headers: { 'x-key': '[redacted]' } });
  const options = { signal: never, setting: () => null, onMissing: (request: string) => void missing.push(request) };
  const offline = replayWeb(tasks[0]!, new Map(), options);
  expect(await offline.get(`${site.origin}/old`)).toMatchObject({ url: live.url, status: 200, text: 'Grüße' });
  expect(await offline.json(`${site.origin}/json`, z.object({ a: z.array(z.number()) }))).toEqual({ a: [1, 2] });
  for (const page of [1, 2])
    expect(await offline.text(`${site.origin}/search`, { body: { page, client_secret: 'other' } })).toBe(
      `page ${page}`,
    );
  await expect(offline.text(`${site.origin}/gone`)).rejects.toMatchObject({
    code: 'not_found',
    message: '404 Not Found',
  });
  await expect(offline.text(`${site.origin}/never`)).rejects.toMatchObject({ code: 'network' });
  expect(missing).toEqual([`GET ${site.origin}/never`]);
  expect((await readArchive(files(), 'run_2')).tasks).toEqual([]);
  expect((await readArchive(files(), 'task_1')).tasks).toHaveLength(1);
  const raw = files()
    .map((file) => gunzipSync(readFileSync(file)).toString('latin1'))
    .join('');
  expect(raw).toContain('Windrow-Task: task_1');
  expect(raw).toContain('"q":"welder"');
  expect(raw).not.toMatch(/hunter2|s=secret/);
});

test('files rotate by size and the oldest go when the folder is full', async () => {
  let second = 0;
  const archive = createArchive({
    dir,
    fileBytes: 1_000,
    maxBytes: 4_000,
    now: () => new Date(Date.UTC(2026, 10, 15, 8, 0, second)),
  });
  for (second = 0; second < 12; second += 1) {
    const url = new URL(`https://a.example/${second}`);
    const body = Buffer.from(Array.from({ length: 900 }, (_, i) => (i * 7919 * (second + 3)) % 251));
    await archive.record(
      { url, method: 'GET', headers: {} },
      { url, status: 200, headers: {}, setCookies: [], body, wireBytes: 900 },
    );
  }
  await archive.close();
  const names = readdirSync(dir).sort();
  expect(names.length).toBeLessThan(6);
  expect(names.at(-1)).toContain('20261115080011');
});

test('a key in an address is not written', async () => {
  const site = await serve((_request, response) => response.end('{}'));
  const webs = createWeb({ guard: { allow: ['127.0.0.1'] }, robots: 'off', archive: { dir } });
  await webs.forAttempt({ signal: never, source: 'serpapi' }).text(`${site.origin}/search?q=milk&api_key=hunter2`);
  await webs.close();
  await site[Symbol.asyncDispose]();
  const raw = files()
    .map((file) => gunzipSync(readFileSync(file)).toString('latin1'))
    .join('');
  expect(raw).toContain('q=milk');
  expect(raw).not.toContain('hunter2');
});
