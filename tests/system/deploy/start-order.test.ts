// Machines and containers start in any order: every role waits for PostgreSQL and Redis, says which of them is missing, and goes on when it is there.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../conformance/world.ts';
import { freePort, freshDatabase, type OwnRedis, startRedis } from '../../support/own-servers.ts';
import { Roles } from '../../support/processes.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';

const roles = new Roles();
let database: Awaited<ReturnType<typeof freshDatabase>>;
let redis: OwnRedis;
let toDatabase: TcpProxy;
let toRedis: TcpProxy;

beforeAll(async () => {
  database = await freshDatabase();
  redis = await startRedis();
  toDatabase = await TcpProxy.to(database.url);
  toRedis = await TcpProxy.to(redis.url);
  toDatabase.drop();
  toRedis.drop();
});
afterAll(async () => {
  await roles.reap();
  await Promise.all([toDatabase?.close(), toRedis?.close()]);
  await redis?.stop();
  await database?.drop();
});

test('roles that were started before their servers wait for them by name', async () => {
  const port = String(await freePort());
  const env = {
    PORT: port,
    DATABASE_URL: toDatabase.through(database.url),
    REDIS_URL: toRedis.through(redis.url),
    LOG_LEVEL: 'info',
  };
  const { DATABASE_URL: _none, ...withoutDatabase } = env;
  const [api, orchestrator, worker] = [
    roles.start(['api'], { env }),
    roles.start(['orchestrator'], { env }),
    roles.start(['worker'], { env: { ...withoutDatabase, WORKER_LANES: 'http' } }),
  ];
  for (const role of [api!, orchestrator!])
    await role.waitForLine(/store\.waiting.*Cannot reach PostgreSQL at 127\.0\.0\.1:\d+ \(DATABASE_URL\)/);
  await worker!.waitForLine(/wire\.error/);
  toDatabase.pass();
  toRedis.pass();
  await until('everything is up', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
    return answer?.ok === true && ((await answer.json()) as { status: string }).status === 'ok';
  });
  expect([api, orchestrator, worker].map((role) => role!.isRunning)).toEqual([true, true, true]);
  expect(api!.output).not.toContain(new URL(database.url).password || 'no password');
});

test('a role that waits ends when it is told to', async () => {
  const role = roles.start(['orchestrator'], {
    env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/windrow', REDIS_URL: redis.url },
  });
  await role.waitForLine(/store\.waiting/);
  expect((await role.terminate()).code).toBe(0);
});
