// Pages that hold their reader up: F15, H6. `windrow up` on its embedded store, and separate processes; a site of the test serves the pages, and sources of
// one's own do what the page says (hostile-sources.ts). Times are held against each other: a page that is never read to its end takes as long as its limit,
// and what does not wait for it is over before.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../conformance/world.ts';
import { HttpClient } from '../support/http-client.ts';
import { freePort, freshDatabase, startRedis } from '../support/own-servers.ts';
import { type RoleProcess, Roles } from '../support/processes.ts';
import { HOSTILE, HOSTILE_BOARDS, page } from '../support/web/hostile.ts';
import { serve, type TestServer } from '../support/web/servers.ts';

const LIMIT_MS = 180_000;
const SOURCES = resolve(import.meta.dirname, '../support/roles/hostile-sources.ts');
const names = Object.keys(HOSTILE);
const boards = Object.keys(HOSTILE_BOARDS);

const roles = new Roles();
const home = mkdtempSync(join(tmpdir(), 'windrow-hostile-'));
let site: TestServer;
let up: RoleProcess;
let client: HttpClient;
let env: Record<string, string>;
let fresh = 0;

const normal = (count: number) =>
  Array.from({ length: count }, () => ({ url: `https://news.example/story/${fresh++}` }));
const hits = (path: string) => site.log.filter((line) => line.includes(path)).length;
const start = () => roles.start(['up'], { env });
const isOver = async (of: HttpClient, runId: string) => (await of.status(runId)).status !== 'running';

beforeAll(async () => {
  site = await serve((request, response) => {
    const { pathname } = new URL(request.url!, 'http://a.test');
    const board = HOSTILE_BOARDS[boards[Number(pathname.split('/board/')[1])] ?? ''];
    if (board) {
      response.end(board.answer());
      return;
    }
    response.setHeader('content-type', 'text/html; charset=utf-8');
    const hostile = HOSTILE[names[Number(pathname.split('/hostile/')[1])] ?? ''];
    response.end(hostile ? hostile() : pathname.startsWith('/story') ? page('', '') : pathname.split('/')[1]);
  });
  const port = await freePort();
  env = {
    WINDROW_HOME: home,
    PORT: String(port),
    WEB_HOST_MAP: `*=${site.origin}`,
    WEB_ROBOTS: 'off',
    WINDROW_SOURCES: SOURCES,
    // Long enough for a run beside it, and no longer.
    PAGE_CPU_SECONDS: '3',
    LOG_LEVEL: 'info',
  };
  client = new HttpClient(`http://127.0.0.1:${port}`);
  up = start();
  await up.waitForHttp(`${client.origin}/livez`, LIMIT_MS);
  // Its threads have read a page: what is measured below is not how they start.
  const { runId } = await client.submit({ articles: normal(3) });
  await until('the first pages are read', () => isOver(client, runId), LIMIT_MS);
}, LIMIT_MS);

afterAll(async () => {
  await roles.reap();
  await site?.[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
}, LIMIT_MS);

test(
  'H6: pages that once took a reader up to 45 s are read or refused, and everything else goes on',
  async () => {
    const hostile = await client.submit({
      articles: names.map((_, index) => ({ url: `https://news.example/hostile/${index}` })),
    });
    const beside = await client.submit({ articles: normal(5) });
    await until('all of them end', () => isOver(client, hostile.runId), LIMIT_MS);
    await until('the run beside them ends', () => isOver(client, beside.runId), LIMIT_MS);
    expect(await client.status(beside.runId)).toMatchObject({ completed: 5 });
    for (const { error } of (await client.results(hostile.runId)).failures) expect(error).not.toContain('crashed');
    expect(up.isRunning).toBe(true);
  },
  LIMIT_MS,
);

test.each(boards)(
  'H6: %s is read or refused, while another run ends and /livez answers',
  async (name) => {
    const number = boards.indexOf(name);
    const url = `https://board-${number}.example/board/${number}`;
    const company = `Board ${number}`;
    await client.call('POST', '/companies', {
      body: { name: company, website: url, scraping_config: HOSTILE_BOARDS[name]!.settings(url) },
    });
    const { json } = await client.call('POST', `/companies/${company}/scrape`, { body: { incremental: false } });
    const { run_id: runId } = json.data as { run_id: string };
    await until('it was fetched', () => hits(`/board/${number}`) > 0, LIMIT_MS);
    const beside = await client.submit({ articles: normal(5) });
    const runOf = async () => (await client.call('GET', `/runs/${runId}`)).json;
    let longestMs = 0;
    let run = await runOf();
    for (; run.status === 'running' || run.status === 'queued'; run = await runOf()) {
      const asked = performance.now();
      expect((await fetch(`${client.origin}/livez`)).status).toBe(200);
      longestMs = Math.max(longestMs, performance.now() - asked);
      await sleep(20);
    }
    await until('the run beside it has ended', () => isOver(client, beside.runId), LIMIT_MS);
    expect(await client.status(beside.runId)).toMatchObject({ completed: 5 });
    console.log(`${name}: ${run.status}, the slowest /livez took ${Math.round(longestMs)} ms`);
    expect(longestMs).toBeLessThan(10_000);
    expect(hits(`/board/${number}`), 'asked for once').toBe(1);
    const tasks = (await client.call('GET', `/runs/${runId}/tasks`)).json.tasks as { attempts: number }[];
    expect(tasks.map(({ attempts }) => attempts)).toEqual([1]);
    expect(up.isRunning).toBe(true);
  },
  LIMIT_MS,
);

test.each(['loop', 'backtrack'])(
  'F15: a page that makes its reader %s for ever ends as unreadable; /livez and another run do not wait for it',
  async (act) => {
    const began = performance.now();
    const hostile = await client.submit({ articles: [{ url: `https://hostile.example/${act}` }] });
    await until('it was fetched', () => hits(`/${act}?page=1`) > 0, LIMIT_MS);
    const beside = await client.submit({ articles: normal(5) });
    let isBesideFirst = false;
    let longestMs = 0;
    while (!(await isOver(client, hostile.runId))) {
      const asked = performance.now();
      await client.call('GET', '/livez');
      longestMs = Math.max(longestMs, performance.now() - asked);
      isBesideFirst ||= await isOver(client, beside.runId);
      await sleep(20);
    }
    const tookMs = performance.now() - began;
    const { failures } = await client.results(hostile.runId);
    expect(failures).toEqual([
      expect.objectContaining({ error: expect.stringContaining('unreadable page: took too long'), attempts: 1 }),
    ]);
    expect(isBesideFirst, 'the other run was over first').toBe(true);
    // Where the page stopped the event loop, the answer came when the page was over, or never.
    expect(longestMs).toBeLessThan(tookMs / 2);
    expect(hits(`/${act}?page=1`)).toBe(1);
    expect(up.events.filter(({ event }) => event === 'lease.lost')).toEqual([]);
  },
  LIMIT_MS,
);

test(
  'F15: a page that fills the memory of its reader ends as unreadable, and a run beside it goes on',
  async () => {
    const hostile = await client.submit({ articles: [{ url: 'https://hostile.example/fill' }] });
    const beside = await client.submit({ articles: normal(5) });
    await until(
      'both end',
      async () => (await isOver(client, hostile.runId)) && isOver(client, beside.runId),
      LIMIT_MS,
    );
    const { failures } = await client.results(hostile.runId);
    expect(failures).toEqual([
      expect.objectContaining({ error: expect.stringContaining('unreadable page:'), attempts: 1 }),
    ]);
    expect(await client.status(beside.runId)).toMatchObject({ completed: 5 });
    expect(up.isRunning).toBe(true);
  },
  LIMIT_MS,
);

test(
  'F15: a page that holds detection up is given up, and the API goes on',
  async () => {
    const detection = client.call('POST', '/companies/detect', { body: { url: 'https://hostile.example/loop' } });
    const outcome = detection.then(
      () => null,
      (error) => error,
    );
    let pings = 0;
    let isOpen = true;
    void outcome.finally(() => {
      isOpen = false;
    });
    while (isOpen) {
      await client.call('GET', '/livez');
      pings += 1;
      await sleep(20);
    }
    // On a busy machine its time limit may come before that of the page.
    expect(['unreadable', 'timeout']).toContain((await outcome).code);
    expect(pings).toBeGreaterThan(10);
  },
  LIMIT_MS,
);

test(
  'F15: killed while it reads such a page, the server is not stopped by it again',
  async () => {
    const { runId } = await client.submit({ articles: [{ url: 'https://hostile.example/loop/again' }] });
    await until('it was fetched', () => hits('/loop/again') > 0, LIMIT_MS);
    await up.kill();
    up = start();
    await up.waitForHttp(`${client.origin}/livez`, LIMIT_MS);
    await until('it has ended', () => isOver(client, runId), LIMIT_MS);
    const { failures } = await client.results(runId);
    expect(failures).toEqual([
      expect.objectContaining({ error: expect.stringContaining('unreadable page: took too long') }),
    ]);
    expect(hits('/loop/again')).toBeLessThan(4);
  },
  LIMIT_MS,
);

test(
  'F15: the same with separate processes: one worker reads the page, and its other tasks go on',
  async () => {
    const [database, redis, port] = await Promise.all([freshDatabase(), startRedis(), freePort()]);
    const shared = { ...env, DATABASE_URL: database.url, REDIS_URL: redis.url, PORT: String(port) };
    const processes = ['api', 'orchestrator', 'worker'].map((role) => roles.start([role], { env: shared }));
    try {
      const other = new HttpClient(`http://127.0.0.1:${port}`);
      await processes[0]!.waitForHttp(`${other.origin}/livez`, LIMIT_MS);
      const hostile = await other.submit({ articles: [{ url: 'https://hostile.example/loop/apart' }] });
      await until('it was fetched', () => hits('/loop/apart') > 0, LIMIT_MS);
      const beside = await other.submit({ articles: normal(5) });
      let isBesideFirst = false;
      while (!(await isOver(other, hostile.runId))) {
        isBesideFirst ||= await isOver(other, beside.runId);
        await sleep(20);
      }
      expect((await other.results(hostile.runId)).failures).toEqual([
        expect.objectContaining({ error: expect.stringContaining('unreadable page: took too long'), attempts: 1 }),
      ]);
      expect(isBesideFirst).toBe(true);
      expect(processes.every((one) => one.isRunning)).toBe(true);
    } finally {
      await Promise.all(processes.map((one) => one.kill()));
      await redis.stop();
      await database.drop();
    }
  },
  LIMIT_MS,
);
