// A source of one's own in a fleet of separate processes on PostgreSQL and Redis: its tasks go to the workers that have it, and to no other.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../conformance/world.ts';
import { openSql, type Sql } from '../../support/invariants.ts';
import { freePort, freshDatabase, type OwnRedis, startRedis } from '../../support/own-servers.ts';
import { type RoleProcess, Roles } from '../../support/processes.ts';
import { runWindrow } from '../../support/windrow.ts';
import { type OwnSourceWorld, openOwnSourceWorld } from '../../support/worlds/own-source.ts';

const LIMIT_MS = 120_000;
const WAITS = 'no worker has the source acme-jobs, so its task waits';
const roles = new Roles();
let world: OwnSourceWorld;
let redis: OwnRedis;
let database: { url: string; drop(): Promise<void> };
let sql: { sql: Sql; close(): Promise<void> };
let origin: string;
let env: Record<string, string>;

beforeAll(async () => {
  const [opened, own, fresh, port] = await Promise.all([
    openOwnSourceWorld(),
    startRedis(),
    freshDatabase(),
    freePort(),
  ]);
  [world, redis, database] = [opened, own, fresh];
  origin = `http://127.0.0.1:${port}`;
  env = {
    PORT: String(port),
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    WEB_HOST_MAP: world.hostMap,
    WEB_ROBOTS: 'off',
    LOG_LEVEL: 'info',
  };
  const api = roles.start(['api'], { env, cwd: world.folder });
  await api.waitForHttp(`${origin}/livez`, LIMIT_MS);
  const orchestrator = roles.start(['orchestrator'], { env, cwd: world.folder });
  await orchestrator.waitForLine(/process\.started/, LIMIT_MS);
  sql = await openSql(database.url);
}, LIMIT_MS);

afterAll(async () => {
  await roles.reap();
  await sql?.close();
  await Promise.all([world?.close(), redis?.stop(), database?.drop()]);
}, LIMIT_MS);

async function startWorker(cwd: string): Promise<RoleProcess> {
  const worker = roles.start(['worker'], { env, cwd });
  await worker.waitForLine(/process\.started/, LIMIT_MS);
  return worker;
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${origin}${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

interface Run {
  status: string;
  message: string | null;
  jobs: { title: string; company: string }[];
}

const runOf = async (id: string): Promise<Run> => (await call<{ data: Run }>('GET', `/jobs/scrape/${id}`)).data;

async function search(team = 'all'): Promise<string> {
  const body = { site_name: 'acme-jobs', team };
  return (await call<{ data: { run_id: string } }>('POST', '/jobs/scrape', body)).data.run_id;
}

/** How often the waiting tasks of the source were handed out. */
async function handedOut(): Promise<number[]> {
  const rows = await sql.sql<{ attempt: number }>(
    `select q.attempt from windrow.queue q join windrow.tasks t on t.id = q.task_id where t.source = 'acme-jobs'`,
  );
  return rows.map((row) => row.attempt);
}

/** Who did the tasks of the source, and in how many attempts. */
const outcomes = () =>
  sql.sql<{ worker: string; attempts: number }>(
    `select o.metadata->>'worker' as worker, o.attempts from windrow.outcomes o join windrow.tasks t on t.id = o.task_id
     where t.source = 'acme-jobs'`,
  );

const nameOf = (role: RoleProcess) => role.events.find(({ event }) => event === 'worker.started')?.worker;

const succeeded = (id: string) =>
  until(`${id} has succeeded`, async () => (await runOf(id)).status === 'succeeded', LIMIT_MS);

test('tasks go to the workers that have the source; without one a run waits, says so, and spends no attempt', {
  timeout: LIMIT_MS * 3,
}, async () => {
  const without = await startWorker(world.elsewhere);
  const id = await search();
  await until('the run says why it waits', async () => (await runOf(id)).message === WAITS, LIMIT_MS);
  expect(await runOf(id)).toMatchObject({ status: 'queued', jobs: [] });
  // The worker works: what it has, it scrapes. Only this it does not have.
  const { job_id: article } = await call<{ job_id: string }>('POST', '/jobs/submit', {
    articles: [{ url: 'https://jobs.acme.example/nothing' }],
  });
  const stateOf = async () => (await call<{ status: string }>('GET', `/jobs/${article}/status`)).status;
  await until('the other task has ended', async () => (await stateOf()) !== 'IN_PROGRESS', LIMIT_MS);
  expect(await handedOut()).toEqual([0]);
  expect(await call('GET', '/sources/acme-jobs')).toMatchObject({
    lane: 'http+acme-jobs',
    module: './windrow.config.ts',
    workers: 0,
    waiting_reason: 'no worker has the source acme-jobs',
  });
  const shown = await runWindrow(['run', id, '--url', origin], { cwd: world.elsewhere });
  expect(shown.stdout).toContain('no worker has the source acme-jobs');
  const listed = await runWindrow(['sources', '--url', origin], { cwd: world.elsewhere });
  expect(listed.stdout).toMatch(/^acme-jobs +no worker has the source acme-jobs/m);

  const having = await startWorker(world.folder);
  await succeeded(id);
  expect(await runOf(id)).toMatchObject({
    message: null,
    jobs: [
      { title: 'Welder', company: 'Acme' },
      { title: 'Dock Planner', company: 'Acme' },
    ],
  });
  for (const one of await Promise.all(Array.from({ length: 12 }, (_, n) => search(`team-${n}`)))) await succeeded(one);
  const ended = await outcomes();
  expect(ended).toHaveLength(13);
  expect(new Set(ended.map(({ worker }) => worker))).toEqual(new Set([nameOf(having)]));
  expect(new Set(ended.map(({ attempts }) => attempts))).toEqual(new Set([1]));

  await having.terminate(LIMIT_MS);
  const last = await search('last');
  await until('the next run waits again', async () => (await runOf(last)).message === WAITS, LIMIT_MS);
  expect(without.isRunning).toBe(true);
  expect(without.output).not.toContain('acme-jobs');
});
