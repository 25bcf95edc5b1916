// Processes that are cut off from Redis: R7 R8 R9, and F6, in which the workers are gone. Work of every kind is in hand. Losing a part of ours is never the failure of a task: none
// fails, none pays with an attempt, and all of them go on when the part is back.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { Fleet, type RoleKind } from '../support/worlds/fleet.ts';
import { createCompanies, submitMixed } from '../support/worlds/mixed-load.ts';

let sandbox: Sandbox;
/** Pages take a moment. */
let web: TcpProxy;
const PAGE_DELAY_MS = 300;
let f: Fleet;
beforeAll(async () => {
  sandbox = await startSandbox();
  web = await TcpProxy.to(sandbox.origin);
  f = await Fleet.start({
    isBehindProxies: true,
    env: {
      WEB_HOST_MAP: `*=http://127.0.0.1:${web.port}`,
      SOURCE_PACE: 'article=1/200,indeed=2/200,linkedin=2/200,google-shopping=2/200,greenhouse=2/200',
    },
  });
  await createCompanies(f.client);
});
afterAll(async () => {
  await f?.close();
  await web?.close();
  await sandbox?.close();
});

let n = 0;
beforeEach(async () => {
  // Long enough for a heartbeat to say that they are under way.
  web.delay(20 * PAGE_DELAY_MS);
  for (let more = 0; more < 3; more++) await submitMixed(f.client, n++);
  await f.until('tasks are in hand', async () => (await count('leases where worker is not null')) > 2);
  web.delay(PAGE_DELAY_MS);
});
afterEach(async () => {
  for (const role of [f.api, ...f.orchestrators, ...f.workers])
    expect(role.output).not.toMatch(/uncaught_exception|unhandled_rejection/);
});

const count = (what: string): Promise<number> =>
  f.withSql(async (sql) => (await sql<{ n: number }>(`select count(*)::int as n from windrow.${what}`))[0]!.n);

/** Everything has ended, nothing failed, and nothing cost an attempt. A run that stands still never gets there. */
async function expectAllDone(): Promise<void> {
  const back = performance.now();
  const ended = await count('outcomes');
  const isOver = async () =>
    (await count(`runs where status = 'running'`)) === 0 && (await count('submission_spool')) === 0;
  await f.until('something has ended', async () => (await count('outcomes')) > ended || isOver());
  const moved = performance.now();
  await f.until('all runs have ended', isOver);
  const seconds = [moved, performance.now()].map((at) => ((at - back) / 1_000).toFixed(1));
  console.log(`${expect.getState().currentTestName}: first end after ${seconds[0]} s, last after ${seconds[1]} s`);
  const costs = await f.withSql((sql) =>
    sql(`select t.key, o.state, o.attempts, o.error from windrow.outcomes o join windrow.tasks t on t.id = o.task_id
         where o.state <> 'done' or o.attempts <> 1`),
  );
  expect(costs).toEqual([]);
  expect(await count(`runs where status <> 'completed'`)).toBe(0);
}

/** Breaks the links of some, submits meanwhile, and mends them. */
async function cutOff(kinds: RoleKind[], how: 'blackHole' | 'drop' | 'halfOpen', seconds: number): Promise<void> {
  for (const kind of kinds) f.wayOf.get(kind)![how]();
  await submitMixed(f.client, n++);
  await sleep(seconds * 1_000);
  for (const kind of kinds) f.wayOf.get(kind)!.pass();
}

test('R7: workers that no packet reaches for 30 s go on with all they had', async () => {
  await cutOff(['workers'], 'blackHole', 30);
  await expectAllDone();
});

test('R7: orchestrators that no packet reaches go on where they were', async () => {
  await cutOff(['orchestrators'], 'blackHole', 8);
  await expectAllDone();
});

test('R7: an API that no packet reaches accepts work, and is well again by itself', async () => {
  await cutOff(['api'], 'halfOpen', 5);
  await expectAllDone();
  await f.until('health is ok', async () => (await f.client.call('GET', '/health')).json.status === 'ok');
});

test('R6: all of them at once: Redis is frozen, and does late what was asked of it', async () => {
  f.redis.pause();
  await submitMixed(f.client, n++);
  await sleep(10_000);
  f.redis.resume();
  await expectAllDone();
});

test('R8: connections that are reset again and again slow down and break nothing', async () => {
  for (let round = 0; round < 5; round++) {
    await cutOff(['workers', 'orchestrators', 'api'], 'drop', 0.3);
    await sleep(1_500);
  }
  await expectAllDone();
});

test('R9: workers that were idle during an outage take the next task after it', async () => {
  await expectAllDone();
  for (const way of f.wayOf.values()) way.blackHole();
  // Longer than a worker waits for a task at a time, and than an unanswered connection lives.
  await sleep(8_000);
  for (const way of f.wayOf.values()) way.pass();
  await submitMixed(f.client, n++);
  await expectAllDone();
});

test('F6: after all workers were killed the next ones go on, also at sites whose only place a dead one has', async () => {
  for (const worker of f.workers) await f.kill(worker);
  await submitMixed(f.client, n++);
  await f.until('nobody holds a task', async () => (await count('leases where worker is not null')) === 0);
  for (let more = 0; more < 2; more++) f.startWorker();
  await expectAllDone();
});
