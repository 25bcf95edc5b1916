// Proxies that come with a request: the pages leave by them, another attempt by another one, and their passwords are never seen again.
import { Server as ChainServer } from 'proxy-chain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { attemptFor } from '../../../src/compose/attempt.ts';
import { toPosting } from '../../../src/model/posting/posting.ts';
import { retryWaits } from '../../../src/model/task/retry-table.ts';
import { startOrchestrator } from '../../../src/orchestrator/orchestrator.ts';
import { defineSource } from '../../../src/sources/define.ts';
import { createWeb } from '../../../src/web/web.ts';
import { runHere } from '../../../src/worker/run-source.ts';
import { startWorker } from '../../../src/worker/worker.ts';
import { serve } from '../../support/web/servers.ts';
import { type ApiWorld, startApiWorld } from '../api/api-world.ts';

const PASSWORD = 'hunter2';

async function startProxy() {
  const asked: string[] = [];
  const server = new ChainServer({
    port: 0,
    host: '127.0.0.1',
    prepareRequestFunction({ username, password, hostname }) {
      asked.push(hostname);
      return { requestAuthentication: username !== 'me' || password !== PASSWORD };
    },
  });
  await server.listen();
  return { server, asked, label: `127.0.0.1:${server.port}` };
}

type Proxy = Awaited<ReturnType<typeof startProxy>>;
let proxies: Proxy[];
let page: Awaited<ReturnType<typeof serve>>;
let world: ApiWorld;
let stop: () => Promise<void>;

const board = (address: string) =>
  defineSource({
    name: 'board',
    title: 'A board',
    kind: 'posting',
    lane: 'http',
    hosts: [],
    pace: { concurrency: 2, delayMs: 0 },
    params: z.object({ search_term: z.string() }),
    async *scrape({ search_term }, web) {
      await web.get(`${address}/${search_term}`);
      yield toPosting({ source: 'board', external_id: search_term, title: search_term, job_url: `${address}/1` });
    },
  });

beforeAll(async () => {
  proxies = [await startProxy(), await startProxy()];
  // The first time each page is asked for it fails, so that a task needs a second attempt; what is gone stays gone.
  const seen = new Set<string>();
  page = await serve((request, response) => {
    const isFirst = !seen.has(request.url!);
    seen.add(request.url!);
    response.statusCode = request.url!.includes('gone') ? 404 : isFirst && request.url!.includes('twice') ? 500 : 200;
    // A tunnel a page, so that what a proxy was asked for can be counted.
    response.setHeader('connection', 'close').end('<p>here</p>');
  });
  const source = board(page.origin);
  world = await startApiWorld({
    isWithWorker: false,
    catalogue: {
      all: () => [{ name: 'board', title: 'A board', kind: 'posting', params: {} }],
      check: (name, params) => (name === 'board' ? { params: source.params.parse(params) } : null),
    },
  });
  const webs = createWeb({ robots: 'off', guard: { allow: ['127.0.0.1'] } });
  const log = (level: string, event: string, fields: object) => void world.lines.push({ level, event, ...fields });
  const orchestrator = startOrchestrator({
    store: world.store,
    wire: world.wire,
    leaseSeconds: 60,
    sweepSeconds: 5,
    maxWindow: 100,
    policy: { waits: retryWaits(['all=20ms']), maxCrashes: 1 },
    retention: { runDays: 30, deadLetterDays: 30, idempotencyHours: 24, articleDays: 0, batch: 1_000 },
    log,
  });
  const worker = startWorker({
    name: 'w1',
    wire: world.wire,
    lanes: ['http'],
    slots: 4,
    runSource: runHere(() => source),
    webFor: (...of) => webs.forAttempt(attemptFor(...of)),
    heartbeatMs: 500,
    version: 'test',
    log,
  });
  stop = async () => {
    await worker.drain(0);
    await orchestrator.stop();
    await webs.close();
  };
});

afterAll(async () => {
  await stop?.();
  await world?.stop();
  await page?.[Symbol.asyncDispose]();
  for (const { server } of proxies ?? []) await server.close(true);
});

/** Once as an address, once as resellers write it. */
const written = () => [`http://me:${PASSWORD}@${proxies[0]!.label}`, `${proxies[1]!.label}:me:${PASSWORD}`];

async function search(term: string) {
  const { status, body, text } = await world.call('POST', '/jobs/scrape', {
    site_name: 'board',
    search_term: term,
    proxies: written(),
  });
  expect(status, text).toBe(202);
  for (;;) {
    const run = await world.call('GET', `/jobs/scrape/${body.data.run_id}`);
    if (!['queued', 'running'].includes(run.body.data.status)) return run;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

const askedOf = () => proxies.map((proxy) => proxy.asked.length);

test('a search leaves by one of its proxies, and the run names it without its password', async () => {
  const before = askedOf();
  const run = await search('once');
  expect(run.body.data).toMatchObject({ status: 'succeeded', jobs_found: 1 });
  const used = askedOf().findIndex((count, i) => count > before[i]!);
  expect(run.body.data.metadata.proxy_used).toBe(proxies[used]!.label);
  expect(run.text).not.toContain(PASSWORD);
});

test('the next attempt leaves by the next proxy', async () => {
  const before = askedOf();
  const run = await search('twice');
  expect(run.body.data.status).toBe('succeeded');
  expect(askedOf().map((count, i) => count - before[i]!)).toEqual([1, 1]);
});

test('a dead letter shows its proxies by host and port, and is tried again through them', async () => {
  expect((await search('gone')).body.data.status).toBe('failed');
  const letters = await world.call('GET', '/dead-letters');
  expect(letters.body.dead_letters[0].params).toEqual({
    search_term: 'gone',
    proxies: proxies.map((proxy) => proxy.label),
  });
  const before = askedOf().reduce((a, b) => a + b);
  const again = await world.call('POST', `/dead-letters/${letters.body.dead_letters[0].task_id}/retry`);
  expect(again.status).toBe(202);
  await expect.poll(() => askedOf().reduce((a, b) => a + b)).toBe(before + 1);
  expect(letters.text + again.text).not.toContain(PASSWORD);
});

test('proxies that are none are refused by their place, without being repeated', async () => {
  const { status, body, text } = await world.call('POST', '/jobs/scrape', {
    site_name: 'board',
    search_term: 'x',
    proxies: ['a.example:1', `ftp://me:${PASSWORD}@b.example:2`],
  });
  expect(status).toBe(422);
  expect(body.errors).toEqual([expect.objectContaining({ pointer: '/proxies/1' })]);
  expect(text).not.toContain(PASSWORD);
});

test('no log line and no answer about the queue holds a password', async () => {
  expect(JSON.stringify(world.lines)).not.toContain(PASSWORD);
  const { body } = await world.call('GET', '/jobs/queue/status');
  expect(JSON.stringify(body)).not.toContain(PASSWORD);
});
