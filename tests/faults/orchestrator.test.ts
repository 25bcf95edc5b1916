// Faults of the orchestrator and of the whole: F3, F7, F8, and the death of each role in turn.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { readServerFile } from '../../src/store/embedded/home.ts';
import { comingBack, HttpClient } from '../support/http-client.ts';
import { expectInvariants } from '../support/invariants.ts';
import { freePort } from '../support/own-servers.ts';
import { type RoleProcess, Roles } from '../support/processes.ts';
import { TargetSite } from '../support/web/target.ts';
import { Fleet } from '../support/worlds/fleet.ts';

let fleet: Fleet | undefined;
const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  await fleet?.close();
  fleet = undefined;
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

test('F3: an orchestrator killed after its commit and before the wire was told leads to no second item and no second run of the task', async () => {
  const f = await Fleet.start({ orchestrators: 0, workers: 1 });
  fleet = f;
  const dying = f.startOrchestrator({}, resolve(import.meta.dirname, '../support/roles/crash-before-ack.ts'));
  f.excuse(dying);
  const urls = f.urls(5);
  const { runId } = await f.submit(urls);
  expect(await dying.waitForExit()).toEqual({ code: null, signal: 'SIGKILL' });
  const committed = await f.withSql((sql) => sql('select 1 from windrow.outcomes'));
  expect(committed.length).toBeGreaterThan(0);
  const unacknowledged = await f.client.status(runId);
  f.startOrchestrator();
  expect(await f.ended(runId)).toEqual({ status: 'completed', total: 5, completed: 5, failed: 0 });
  expect(unacknowledged.completed).toBeGreaterThan(0);
  for (const url of urls) expect(f.hitsOf(url).length).toBeLessThanOrEqual(2);
  // What was committed came again and was found to be known.
  await f.until('the reports came again', () =>
    f.orchestrators[1]!.events.some((event) => event.event === 'task.stale'),
  );
  await f.verify();
});

test('every role is killed in turn while runs go on, and nothing acknowledged is lost', async () => {
  const f = await Fleet.start({ orchestrators: 2, workers: 2, env: { WORKER_CONCURRENCY: '5' } });
  fleet = f;
  const runs = [await f.submit(f.urls(60, '?slow=300'))];
  await f.until('some are under way', () => f.target.hits.length > 0);
  await f.kill(f.orchestrators[0]!);
  runs.push(await f.submit(f.urls(10)));
  await f.kill(f.orchestrators[1]!);
  await f.kill(f.api);
  f.startOrchestrator();
  await f.startApi();
  runs.push(await f.submit(f.urls(10)));
  await f.kill(f.workers[0]!);
  await f.kill(f.workers[1]!);
  f.startWorker();
  for (const { runId, total } of runs)
    expect(await f.ended(runId)).toEqual({ status: 'completed', total, completed: total, failed: 0 });
  await f.verify();
});

test('F4: a crowd that was let in is served whole, whoever dies before it is written out', async () => {
  const f = await Fleet.start({ orchestrators: 1, workers: 1 });
  fleet = f;
  for (let round = 0; round < 3; round++) {
    const before = f.client.acknowledged.size;
    const crowd = f.urls(300).map((url) =>
      // Not everyone hears that they were accepted: the API dies as well.
      f.submit([url]).catch(() => null),
    );
    await f.until('some are acknowledged', () => f.client.acknowledged.size > before + 20);
    await f.kill(f.orchestrators.at(-1)!);
    await f.kill(f.api);
    await Promise.all(crowd);
    await f.startApi();
    f.startOrchestrator();
  }
  for (const runId of f.client.acknowledged.keys())
    expect(await f.ended(runId)).toEqual({ status: 'completed', total: 1, completed: 1, failed: 0 });
  // Those who were not told are served too.
  await f.until('nothing is under way', () =>
    f.withSql(async (sql) => {
      const left = await sql(
        `select 1 from windrow.submission_spool union all select 1 from windrow.runs where status = 'running' limit 1`,
      );
      return left.length === 0;
    }),
  );
  await expectInvariants(f.databaseUrl);
});

/** `windrow up` on a home of its own. */
async function embedded(): Promise<{ up(): RoleProcess; client: HttpClient; home: string; target: TargetSite }> {
  const folder = mkdtempSync(join(tmpdir(), 'windrow-up-'));
  const [target, port] = await Promise.all([TargetSite.start(), freePort()]);
  const roles = new Roles();
  cleanups.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }));
  cleanups.push(() => target.close());
  cleanups.push(() => roles.reap());
  const home = join(folder, 'home');
  const env = {
    PORT: String(port),
    WINDROW_HOME: home,
    WEB_HOST_MAP: `*=${target.origin}`,
    WEB_ALLOW_PRIVATE: '127.0.0.1',
    WEB_ROBOTS: 'off',
    LEASE_SECONDS: '8',
    SWEEP_SECONDS: '1',
    HEARTBEAT_SECONDS: '1',
    WORKER_LANES: 'http',
  };
  const client = new HttpClient(`http://127.0.0.1:${port}`);
  return { up: () => roles.start(['up'], { env }), client, home, target };
}

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 5);

test(`F7: the single process, killed ${ROUNDS} times under load, opens again by itself and keeps all it acknowledged`, async () => {
  const { up, client } = await embedded();
  let page = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const process = up();
    await process.waitForHttp(`${client.origin}/readyz`);
    for (const runId of client.acknowledged.keys()) await comingBack(() => client.status(runId));
    const before = client.acknowledged.size;
    let isOver = false;
    const load = Array.from({ length: 3 }, async () => {
      while (!isOver) {
        const n = ++page;
        const articles = [{ url: `http://site-${n}.test/page/${n}?slow=50` }];
        await comingBack(() => client.submit({ articles })).catch((error) => {
          if (!isOver) throw error;
        });
      }
    });
    while (client.acknowledged.size < before + 15) await sleep(10);
    isOver = true;
    await process.kill();
    await Promise.all(load);
  }
  const last = up();
  await last.waitForHttp(`${client.origin}/readyz`);
  const until = performance.now() + 120_000;
  for (const [runId, [url]] of client.acknowledged) {
    while ((await comingBack(() => client.status(runId))).status === 'running') {
      if (performance.now() > until) throw new Error(`${runId} has not ended\n${last.output.slice(-2_000)}`);
      await sleep(50);
    }
    const { items, failures } = await comingBack(() => client.results(runId));
    expect(failures).toEqual([]);
    expect(items.map((item) => item.url)).toEqual([url]);
  }
  expect(await last.terminate()).toEqual({ code: 0, signal: null });
});

test('F8: a second process on the same home is refused at once, by naming the first', async () => {
  const { up, client, home } = await embedded();
  const began = performance.now();
  const first = up();
  await first.waitForHttp(`${client.origin}/readyz`);
  const started = performance.now();
  const second = up();
  const exit = await second.waitForExit();
  // Most of this is the start of Node itself, which the first has done too. One that waited for the first to end would wait forever.
  expect(performance.now() - started).toBeLessThan(Math.max(30_000, 3 * (started - began)));
  expect(exit.code).toBe(1);
  expect(second.output).toContain(String(first.pid));
  expect(second.output).toMatch(/home_in_use|Another windrow|in use/i);
  expect(first.isRunning).toBe(true);
  expect(await readServerFile(home)).toBeDefined();
  const { runId } = await comingBack(() => client.submit({ articles: [{ url: 'http://site-1.test/page/1' }] }));
  await expect.poll(() => comingBack(() => client.status(runId))).toMatchObject({ status: 'completed' });
});
