// The dashboard beside a store that has been used (load.ts): (a) every answer that its screens ask for, over and over; (b) its first view in a browser that has nothing
// of it yet; (c) what fifty open pages cost while articles are scraped: CPU seconds of the server's processes for an article, with them and without, in turns.
// `npm run bench -- dashboard --rows 1000000`; run by itself, BENCH_DATABASE_URL: a database that was loaded before. `--trace file`: a trace of one first view, for Chromium's DevTools.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startSandbox } from '../../src/sandbox/server.ts';
import { openStore } from '../../src/store/store.ts';
import { startChromium } from '../../tests/support/browser/pages.ts';
import { freePort, freshDatabase } from '../../tests/support/own-servers.ts';
import { type RoleProcess, Roles } from '../../tests/support/processes.ts';
import { found } from '../found.ts';
import { median, row } from '../peers.ts';
import { readCpu, secondsSince } from './cpu.ts';
import type { Crowd } from './crowd.ts';
import { loadStore } from './load.ts';
import { type Asked, askedBy, LONGEST_POLL_MS } from './screens.ts';
import { firstView } from './view.ts';

const { values: option } = parseArgs({
  options: { rows: { type: 'string' }, trace: { type: 'string' }, only: { type: 'string' } },
});
const ROWS = Number(option.rows ?? process.env.BENCH_ROWS ?? 1_000_000);
const ROUNDS = 20;
const CPU_ROUNDS = 20;
const SHOWN = 20;
const VIEWS = 7;
const PAGES = 50;
const ARTICLES = 1_500;
const TURNS = 3;
const SCREENS = [
  '/',
  '/ui/runs',
  '/ui/runs?q=status%3Afailed',
  '/ui/runs?q=status%3Arunning',
  '/ui/runs?q=source%3Aindeed',
  '/ui/runs?q=term%2099',
  '/ui/data/postings',
  '/ui/data/postings?q=nurse',
  '/ui/data/postings?view=charts',
  '/ui/data/products',
  '/ui/data/products?q=thing',
  '/ui/data/products?view=charts',
  '/ui/data/articles',
  '/ui/data/articles?q=story',
  '/ui/sources',
  '/ui/sources?open=article',
  '/ui/schedules',
  '/ui/companies',
  '/ui/companies?view=positions',
  '/ui/workers',
  '/ui/dead-letters',
  '/ui/dead-letters?source=article',
  '/ui/alerts',
  '/ui/webhooks',
  '/ui/keys',
  '/ui/settings',
];
/** What people leave open. */
const LEFT_OPEN = ['/', '/', '/ui/runs', '/ui/sources', '/ui/workers'];

const own = process.env.BENCH_DATABASE_URL;
const database = own ? { url: own, drop: async () => {} } : await freshDatabase();
const store = await openStore({ connection: database.url });
const client = new pg.Client({ connectionString: database.url, options: '-c search_path=windrow,public' });
await client.connect();
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const sandbox = await startSandbox();
const roles = new Roles();
const env = {
  DATABASE_URL: database.url,
  REDIS_URL: process.env.TEST_REDIS_URL!,
  REDIS_PREFIX: `bench-${process.pid}`,
  PORT: String(port),
  LOG_LEVEL: 'warn',
  WEB_HOST_MAP: `*=${sandbox.origin}`,
  RUN_RETENTION_DAYS: '365',
};
const p95 = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1]!;
const isWanted = (part: string): boolean => option.only === undefined || option.only === part;
const browser = await startChromium();

/** What one answer costs the server, whatever else the machine does; 0 where it is kept for a while. */
async function cpuMsOf(path: string, pid: number): Promise<number> {
  const before = await readCpu([pid], client);
  for (let n = 0; n < CPU_ROUNDS; n++) await (await fetch(url + path)).arrayBuffer();
  return (secondsSince(before, await readCpu([pid], client)) * 1e3) / CPU_ROUNDS;
}

/** With an orchestrator at work beside it; counting CPU without. */
async function measureQueries(api: RoleProcess, orchestrator: RoleProcess): Promise<void> {
  const { rows: known } = await client.query<{ id: string }>(
    `select distinct on (kind) id from runs where kind <> 'cart' and finished_at is not null order by kind, seq desc`,
  );
  const runs = known.map(({ id }) => `/ui/runs/${id}`);
  const asked = new Map<string, string>();
  for (const screen of [...SCREENS, ...runs.flatMap((path) => [path, `${path}?tab=tasks`])])
    for (const { path } of await askedBy(browser, url, screen, 500)) if (!asked.has(path)) asked.set(path, screen);
  const times = new Map<string, number[]>([...asked.keys()].map((path) => [path, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const path of asked.keys()) {
      const began = performance.now();
      const reply = await fetch(url + path);
      await reply.arrayBuffer();
      if (reply.status >= 500) throw new Error(`${path}: ${reply.status}`);
      times.get(path)!.push(performance.now() - began);
    }
  await orchestrator.terminate();
  row('screen', 'asks', 'median ms', 'p95 ms', 'CPU ms');
  row('---', '---', '---', '---', '---');
  const slowest = [...times].toSorted(([, a], [, b]) => p95(b) - p95(a));
  let mostCpu = 0;
  for (const [path, all] of slowest.slice(0, SHOWN)) {
    const cpu = await cpuMsOf(path, api.pid);
    mostCpu = Math.max(mostCpu, cpu);
    row(asked.get(path)!, path, median(all).toFixed(1), p95(all).toFixed(1), cpu.toFixed(1));
  }
  console.log(`\n${asked.size} questions of ${SCREENS.length + 2 * runs.length} screens, ${ROUNDS} rounds\n`);
  found('the slowest question of a screen, p95', p95(slowest[0]![1]), 'ms', { atMost: 200 });
  found('the slowest question of a screen, CPU of the server', mostCpu, 'ms');
  found('all questions of all screens, p95', p95([...times.values()].flat()), 'ms');
}

async function measureView(): Promise<void> {
  // Once for the server, which has compiled nothing yet.
  await firstView(browser, url);
  const views = [];
  for (let n = 0; n < VIEWS; n++) views.push(await firstView(browser, url));
  if (option.trace) await firstView(browser, url, option.trace);
  found('first view: something is painted', median(views.map(({ paintMs }) => paintMs)), 'ms');
  found('first view: the overview shows its numbers', median(views.map(({ shownMs }) => shownMs)), 'ms', {
    atMost: 1_000,
  });
  found('first view: over the wire', median(views.map(({ kilobytes }) => kilobytes)), 'KB', { atMost: 200 });
}

/** CPU seconds of the server's processes for each of `ARTICLES`. */
async function scrapeAll(pids: readonly number[], turn: number): Promise<number> {
  const before = await readCpu(pids, client);
  const reply = await fetch(`${url}/jobs/submit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      articles: Array.from({ length: ARTICLES }, (_, n) => ({
        url: `https://turn-${turn}-${n % 200}.example/news/story-${n}`,
        priority: 1,
      })),
    }),
  });
  const { job_id } = (await reply.json()) as { job_id: string };
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const run = (await (await fetch(`${url}/runs/${job_id}`)).json()) as { status: string };
    if (run.status !== 'running') break;
  }
  return secondsSince(before, await readCpu(pids, client)) / ARTICLES;
}

async function measurePages(pids: readonly number[]): Promise<void> {
  const kinds: Asked[][] = [];
  for (const path of LEFT_OPEN.filter((path, at) => LEFT_OPEN.indexOf(path) === at))
    kinds.push(await askedBy(browser, url, path, LONGEST_POLL_MS));
  const pages = Array.from({ length: PAGES }, (_, n) => kinds[n % kinds.length]!);
  const costs: { alone: number; watched: number }[] = [];
  await scrapeAll(pids, 0);
  for (let turn = 1; turn <= TURNS; turn++) {
    const alone = await scrapeAll(pids, turn * 2);
    const crowd = fork(new URL('./crowd.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    crowd.send({ url, pages } satisfies Crowd);
    await once(crowd, 'message');
    const watched = await scrapeAll(pids, turn * 2 + 1);
    const said = once(crowd, 'message');
    crowd.kill();
    const [{ answers, refused }] = (await said) as [{ answers: number; refused: number }];
    console.log(`bench: turn ${turn}: ${answers} answers for ${PAGES} pages, ${refused} refused`);
    costs.push({ alone, watched });
  }
  const alone = median(costs.map((cost) => cost.alone));
  const watched = median(costs.map((cost) => cost.watched));
  found('CPU for an article, nobody watching', alone * 1e3, 'ms');
  found(`CPU for an article with ${PAGES} pages open, next to none`, (watched / alone - 1) * 100, '%', { atMost: 5 });
}

try {
  const { rows } = await client.query<{ n: number }>('select count(*)::int as n from tasks');
  if (rows[0]!.n === 0) {
    await loadStore(client, ROWS, (line) => console.log(`bench: ${line}`));
    // As it is a while after the last posting came.
    while ((await store.rollUp({ budgetMs: 60_000, rest: 0 })) > 0);
  }
  const api = roles.start(['api'], { env });
  const orchestrator = roles.start(['orchestrator'], { env });
  await api.waitForHttp(`${url}/readyz`);
  if (isWanted('queries')) await measureQueries(api, orchestrator);
  if (isWanted('view')) await measureView();
  if (isWanted('pages')) {
    // What waits in the load is for nobody: it would be scraped in between.
    await client.query('truncate queue, live');
    const worker = roles.start(['worker'], { env });
    const sender = isWanted('queries') ? roles.start(['orchestrator'], { env }) : orchestrator;
    await measurePages([api.pid, sender.pid, worker.pid]);
  }
} finally {
  await roles.reap();
  await browser.close();
  await sandbox.close();
  await client.end();
  await store.close();
  await database.drop();
}
process.exit();
