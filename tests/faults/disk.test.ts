// A full disk (P8): under the home of an embedded server, and under a PostgreSQL behind DATABASE_URL. What was accepted goes on when there is space again, what
// was refused was not stored, no process ends, and somebody who asks is told what is wrong.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import type { HealthReport } from '../../src/observe/health.ts';
import { postgresProcessesIn, waitUntil } from '../../src/store/embedded/process.ts';
import { createPool } from '../../src/store/postgres/pool.ts';
import { storeOver } from '../../src/store/store.ts';
import { readArchive } from '../../src/web/archive/read-archive.ts';
import { comingBack, HttpClient, Refused } from '../support/http-client.ts';
import { expectInvariants, openSql } from '../support/invariants.ts';
import { freePort } from '../support/own-servers.ts';
import { type RoleProcess, Roles } from '../support/processes.ts';
import { TargetSite } from '../support/web/target.ts';
import { Fleet } from '../support/worlds/fleet.ts';
import { type SmallDisk, smallDisk } from '../support/worlds/small-disk.ts';

const LIMIT_MS = 240_000;
const roles = new Roles();
const disks: SmallDisk[] = [];
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await roles.reap();
  for (const disk of disks.splice(0)) await disk.close();
});

async function openDisk(kind?: SmallDisk['kind']): Promise<SmallDisk> {
  const disk = await smallDisk(kind);
  disks.push(disk);
  return disk;
}

async function healthOf(origin: string): Promise<HealthReport> {
  return (await (await fetch(`${origin}/health`, { signal: AbortSignal.timeout(30_000) })).json()) as HealthReport;
}

async function until(what: string, role: RoleProcess, isSo: () => Promise<boolean>): Promise<void> {
  const isReached = await waitUntil(async () => !role.isRunning || (await isSo()), LIMIT_MS, 100);
  if (!isReached || !role.isRunning) throw new Error(`not reached: ${what}\n${role.output.slice(-4_000)}`);
}

const refusalOf = (client: HttpClient, urls: string[]): Promise<Refused | null> =>
  client.submit({ articles: urls.map((url) => ({ url })) }).then(
    () => null,
    (error: unknown) => {
      if (error instanceof Refused) return error;
      throw error;
    },
  );

/** As this process can reach it, while the one on the disk lives. */
const homeOf = (disk: SmallDisk, role: RoleProcess): string =>
  join(disk.kind === 'mount' ? `/proc/${role.pid}/root` : '', disk.folder, 'home');

/** The socket of the server. */
function databaseOf(disk: SmallDisk, role: RoleProcess): string {
  const { postgres } = JSON.parse(readFileSync(join(homeOf(disk, role), 'server.json'), 'utf8')) as {
    postgres: { socketDir: string; user: string; database: string };
  };
  return `postgres://${postgres.user}@localhost/${postgres.database}?host=${postgres.socketDir}`;
}

/** What is old goes also now: it makes room. */
async function expectTrimming(url: string): Promise<void> {
  const pool = createPool({ connection: url, connectTimeoutMs: 30_000 });
  try {
    const kept = { runDays: 1, deadLetterDays: 1, articleDays: 1, batch: 1_000 };
    expect(await storeOver(pool).trim({ ...kept, idempotencyHours: 1 })).toMatchObject({ idempotencyKeys: 500 });
  } finally {
    await pool.end();
  }
}

async function urlsInArchive(home: string): Promise<string[]> {
  const folder = join(home, 'archive');
  const { tasks } = await readArchive(readdirSync(folder).map((name) => join(folder, name)));
  return tasks.flatMap(({ exchanges }) => [...exchanges.values()].map(({ url }) => url));
}

/** Uses up the log segments that the server has, so that it needs a new one. */
async function needLog(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    for (let segment = 0; segment < 20; segment++) {
      await client.query(`select pg_logical_emit_message(false, 'test', 'x')`);
      await client.query('select pg_switch_wal()');
    }
  } catch {
    // This is what it is for: the server fails.
  } finally {
    await client.end().catch(() => {});
  }
}

for (const kind of [undefined, 'limit'] as const) {
  const how = kind === 'limit' ? 'no file can grow' : 'the disk is full';
  test(`P8: the embedded home refuses, answers and waits, and goes on when there is space: ${how}`, async () => {
    const disk = await openDisk(kind);
    const target = await TargetSite.start();
    closing.push(() => target.close());
    const port = await freePort();
    const up = roles.start(['up'], {
      wrap: disk.wrap,
      env: {
        WINDROW_HOME: join(disk.folder, 'home'),
        PORT: String(port),
        WEB_HOST_MAP: `*=${target.origin}`,
        WEB_ALLOW_PRIVATE: '127.0.0.1',
        WEB_ROBOTS: 'off',
        WEB_ARCHIVE: 'on',
        WORKER_CONCURRENCY: '5',
      },
    });
    const client = new HttpClient(`http://127.0.0.1:${port}`);
    await up.waitForHttp(`${client.origin}/readyz`);
    const url = databaseOf(disk, up);
    const before = await client.submit({ articles: [{ url: 'http://site-1.test/page/1' }] });
    await until('the first run has ended', up, async () => (await client.status(before.runId)).status === 'completed');

    const database = await openSql(url);
    await database.sql(`insert into windrow.idempotency (scope, key, body_hash, created_at)
      select 'test', n::text, '', now() - interval '1 day' from generate_series(1, 500) as n`);
    await database.close();

    target.hold();
    const held = Array.from({ length: 12 }, (_, n) => `http://site-${n + 2}.test/page/${n + 2}?held=1`);
    const accepted = await comingBack(() => client.submit({ articles: held.map((each) => ({ url: each })) }));
    await until('pages are being fetched', up, async () => target.open >= 5);
    disk.fill(up.pid);
    let refusals = 0;
    await until('submits are refused', up, async () => {
      const refused = await refusalOf(client, [`http://site-900.test/page/${900 + refusals}`]);
      if (refused) {
        refusals++;
        expect(refused.status).toBe(503);
        expect(Number(refused.retryAfter)).toBeGreaterThan(0);
      }
      return refused !== null;
    });
    if (disk.kind === 'mount') {
      await until(
        'health names the disk',
        up,
        async () => (await healthOf(client.origin)).parts.disk?.status === 'down',
      );
      expect((await healthOf(client.origin)).parts.disk?.detail).toMatch(/is full since .*Free some space/);
      // Reads go on as long as the server does, and so does deleting.
      expect((await client.status(before.runId)).status).toBe('completed');
      await expectTrimming(url);
    }
    target.letGo();
    await needLog(url);
    await until('the server has stopped for want of space', up, async () =>
      /no space is left on the disk/.test((await healthOf(client.origin)).parts.store?.detail ?? ''),
    );
    await up.waitForLine(/"embedded\.no_space".*"embedded\.no_space".*"embedded\.no_space"/s);
    expect((await fetch(`${client.origin}/livez`)).status).toBe(200);
    expect((await refusalOf(client, ['http://site-950.test/page/950']))?.status).toBe(503);

    disk.empty(up.pid);
    await until(
      'submits are accepted',
      up,
      async () => (await refusalOf(client, ['http://site-960.test/page/960'])) === null,
    );
    for (const runId of client.acknowledged.keys())
      await until(`${runId} has ended`, up, async () => (await client.status(runId)).status === 'completed');
    expect(await client.status(accepted.runId)).toMatchObject({ total: 12, completed: 12, failed: 0 });
    await until('health is well again', up, async () => {
      const { parts } = await healthOf(client.origin);
      return parts.store?.status === 'up' && parts.disk?.status !== 'down';
    });
    await expectInvariants(url);

    // Nothing failed for an archive that could not be written, it was not said for every page, and what is in it can be read.
    const unwritten = up.events.filter(({ event }) => event === 'archive.failed').length;
    expect(unwritten).toBeLessThan(5);
    if (disk.kind === 'limit') expect(unwritten).toBeGreaterThan(0);
    expect(await urlsInArchive(homeOf(disk, up))).toEqual(
      expect.arrayContaining(['http://site-1.test/page/1', 'http://site-960.test/page/960']),
    );
    expect(up.events.filter(({ event }) => event === 'task.failed')).toEqual([]);
    expect(up.output).not.toMatch(/uncaught_exception|unhandled_rejection|part_lost/);
    expect(await up.terminate()).toMatchObject({ code: 0 });
    expect(await postgresProcessesIn(join(disk.folder, 'home', 'postgres', 'data'), undefined)).toEqual([]);
  });
}

test('P8: while the disk of PostgreSQL is full submits are refused and reads work, and all goes on when there is space', async () => {
  const disk = await openDisk();
  const server = roles.start([join(disk.folder, 'home')], {
    wrap: disk.wrap,
    script: join(import.meta.dirname, '../support/roles/embedded-server.ts'),
  });
  const [, url] = await server.waitForLine(/ready (postgres:\S+)/);
  const f = await Fleet.start({ postgresUrl: url! });
  closing.push(
    () => f.close(),
    async () => void (await server.terminate()),
  );
  const { runId } = await f.submit(f.urls(20));
  expect(await f.ended(runId)).toMatchObject({ status: 'completed', completed: 20 });
  f.target.hold();
  const held = await f.submit(f.urls(10, '?held=1'));
  await f.until('some are active', () => f.target.open >= 5);

  disk.fill(server.pid);
  const refused: Refused[] = [];
  await f.until('submits are refused for want of space', async () => {
    // What still fits is accepted; soon nothing does.
    const refusal = await refusalOf(f.client, f.urls(500, '?held=1'));
    if (refusal) refused.push(refusal);
    return refused.length >= 3;
  });
  for (const { status, retryAfter } of refused) {
    expect(status).toBe(503);
    expect(Number(retryAfter)).toBeGreaterThan(0);
  }
  if (disk.kind === 'mount') {
    await f.until('health names the disk', async () => (await healthOf(f.client.origin)).parts.disk?.status === 'down');
    expect((await healthOf(f.client.origin)).parts.disk?.detail).toContain('The disk of PostgreSQL is full since');
    expect(await f.client.status(runId)).toMatchObject({ status: 'completed', completed: 20 });
  }
  f.target.letGo();

  disk.empty(server.pid);
  const more = await f.submit(f.urls(5));
  expect(await f.ended(more.runId)).toMatchObject({ status: 'completed', completed: 5 });
  expect(await f.ended(held.runId)).toMatchObject({ status: 'completed', completed: 10, failed: 0 });
  await f.until('health is well again', async () => (await healthOf(f.client.origin)).parts.disk?.status !== 'down');
  await f.verify();
});

test('P8: a start on a full disk says so and leaves nothing behind', async () => {
  const disk = await openDisk();
  const home = join(disk.folder, 'home');
  disk.fill();
  const start = () => roles.start(['up'], { wrap: disk.wrap, env: { WINDROW_HOME: home, PORT: '0' } });
  const up = start();
  expect(await up.waitForExit()).toMatchObject({ code: 1 });
  expect(up.output).toMatch(/The disk of .* is full .*Free some space and start again/);
  disk.empty();
  const again = start();
  await again.waitForLine(/"process\.started"/);
  expect(await again.terminate()).toMatchObject({ code: 0 });
});
