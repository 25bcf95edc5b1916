// A crawl of 10,000 pages of which a twentieth fails once or twice: is every page read once, with workers and an orchestrator killed and Redis emptied in between?
// And what does a page cost more than the same page in a run of articles? CPU of our processes (API, orchestrator, workers), with nothing killed; PostgreSQL's and
// Redis' own are not in it. The maze is served by a process of its own.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Maze, mazeOf, mazePaths } from '../../src/sandbox/maze/graph.ts';
import { openSql, problems, type Sql } from '../../tests/support/invariants.ts';
import { freePort, freshDatabase, startRedis } from '../../tests/support/own-servers.ts';
import { type RoleProcess, Roles } from '../../tests/support/processes.ts';
import { crawlVerdict } from '../../tests/support/worlds/crawl-verdict.ts';
import { found } from '../found.ts';

const PAGES = Number(process.env.BENCH_PAGES ?? 10_000);
const COSTED = Number(process.env.BENCH_COSTED ?? 1_500);

interface Fleet {
  base: string;
  roles: RoleProcess[];
  sql: Sql;
  redis: { flush(): Promise<unknown> };
  start(name: string): Promise<RoleProcess>;
}

const serve = async (hasFaults: boolean): Promise<{ origin: string; process: ChildProcess }> => {
  const child = fork(fileURLToPath(new URL('./maze.ts', import.meta.url)), hasFaults ? ['faults'] : []);
  const [{ origin }] = (await once(child, 'message')) as [{ origin: string }];
  return { origin, process: child };
};

async function onFleet(hasFaults: boolean, work: (fleet: Fleet) => Promise<void>): Promise<void> {
  const [maze, redis, database, port] = await Promise.all([
    serve(hasFaults),
    startRedis(),
    freshDatabase(),
    freePort(),
  ]);
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    PORT: String(port),
    LOG_LEVEL: 'info',
    WORKER_LANES: 'http',
    WORKER_CONCURRENCY: '16',
    WEB_HOST_MAP: `*=${maze.origin}`,
    WEB_ALLOW_PRIVATE: '127.0.0.1',
    SOURCE_PACE: 'crawl=32/0,article=32/0',
    RETRY_WAITS: 'all=500ms',
    LEASE_SECONDS: '8',
    HEARTBEAT_SECONDS: '1',
    SWEEP_SECONDS: '1',
  };
  const running = new Roles();
  const roles: RoleProcess[] = [];
  const base = `http://127.0.0.1:${port}`;
  const start = async (name: string): Promise<RoleProcess> => {
    const role = running.start([name], { env });
    roles.push(role);
    await (name === 'api' ? role.waitForHttp(`${base}/livez`) : role.waitForLine(/process\.started/));
    return role;
  };
  await start('api');
  const { sql, close } = await openSql(database.url);
  try {
    await Promise.all(['orchestrator', 'worker', 'worker'].map(start));
    await work({ base, roles, sql, redis, start });
  } finally {
    await running.reap();
    await close();
    maze.process.kill();
    await Promise.all([redis.stop(), database.drop()]);
  }
}

async function post(base: string, path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

const crawlOf = async (base: string, { host }: Maze): Promise<string> =>
  String(
    (
      await post(base, '/crawl', {
        url: `https://${host}/`,
        limit: 100_000,
        max_depth: 20,
        exclude_paths: ['/calendar'],
      })
    ).run_id,
  );

async function until(
  sql: Sql,
  runId: string,
  isSo: (run: { status: string; ended: number }) => boolean,
): Promise<void> {
  for (;;) {
    const [run] = await sql<{ status: string; ended: number }>(
      'select status, completed + failed as ended from windrow.runs where id = $1',
      [runId],
    );
    if (isSo(run!) || run!.status !== 'running') return;
    await sleep(100);
  }
}

/** Of a process so far, in seconds; ticks are hundredths. */
function cpuOf(role: RoleProcess): number {
  const fields = readFileSync(`/proc/${role.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const cpuOfAll = (roles: readonly RoleProcess[]): number => roles.reduce((sum, role) => sum + cpuOf(role), 0);

await onFleet(true, async ({ base, roles, sql, redis, start }) => {
  const site = mazeOf(`n${PAGES}.maze.example`)!;
  const began = performance.now();
  const runId = await crawlOf(base, site);
  const after = (share: number) => until(sql, runId, ({ ended }) => ended >= share * PAGES);
  const [, orchestrator, first] = roles;
  await after(0.1);
  await first!.kill();
  await start('worker');
  await after(0.3);
  await orchestrator!.kill();
  await start('orchestrator');
  await after(0.5);
  await redis.flush();
  await after(0.7);
  await roles[3]!.kill();
  await start('worker');
  await until(sql, runId, () => false);
  const seconds = (performance.now() - began) / 1_000;
  const verdict = await crawlVerdict(sql, runId, site);
  const wrong = await problems(sql, { isQuiet: true });
  console.log(`crawl of ${PAGES} pages: ${JSON.stringify({ ...verdict, wrong })}, ${seconds.toFixed(0)} s`);
  found('pages of a crawl with 5 % faults and kills, read', verdict.articles, 'pages', { atLeast: PAGES });
  const amiss = verdict.missing.length + verdict.failed.length + verdict.twice.length + wrong.length;
  found('pages missing, failed or twice, and broken rules', amiss, 'pages', { atMost: 0 });
});

await onFleet(false, async ({ base, roles, sql }) => {
  const cost = async (pages: number, begin: () => Promise<string>): Promise<number> => {
    const before = cpuOfAll(roles);
    await until(sql, await begin(), () => false);
    return ((cpuOfAll(roles) - before) * 1_000) / pages;
  };
  const submit = async (site: Maze): Promise<string> => {
    const articles = mazePaths(site).map((path) => ({ url: `https://${site.host}${path}` }));
    return String((await post(base, '/jobs/submit', { articles })).job_id);
  };
  const site = (more: number): Maze => mazeOf(`n${COSTED + more}.maze.example`)!;
  // Each once before, so that code is compiled.
  await cost(COSTED, () => submit(site(1)));
  await cost(COSTED, () => crawlOf(base, site(2)));
  const ratios: number[] = [];
  for (let round = 0; round < 3; round++) {
    const article = await cost(COSTED, () => submit(site(3 + 2 * round)));
    const crawl = await cost(COSTED, () => crawlOf(base, site(4 + 2 * round)));
    console.log(`CPU of a page: ${article.toFixed(2)} ms as an article, ${crawl.toFixed(2)} ms in a crawl`);
    ratios.push(crawl / article);
  }
  const ratio = ratios.toSorted((a, b) => a - b)[1]!;
  found('CPU of a page in a crawl next to the same page in a run of articles', ratio, 'times', { atMost: 2.5 });
});
process.exit();
