// A worker announces the lane browser only where it can open pages in one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wire } from '../../../src/wire/port.ts';
import { openRedisWire } from '../../../src/wire/redis.ts';
import { type OwnRedis, startRedis } from '../../support/own-servers.ts';
import { Roles } from '../../support/processes.ts';

const roles = new Roles();
const home = mkdtempSync(join(tmpdir(), 'windrow-lane-'));
let redis: OwnRedis;
let wire: Wire;

beforeAll(async () => {
  redis = await startRedis();
  wire = await openRedisWire({ url: redis.url, patienceMs: 15_000 });
});
afterAll(async () => {
  await roles.reap();
  await wire?.close();
  await redis?.stop();
  rmSync(home, { recursive: true, force: true });
});

const worker = (lanes: string) =>
  roles.start(['worker'], {
    env: { REDIS_URL: redis.url, WINDROW_HOME: home, WORKER_LANES: lanes, CHROMIUM_PATH: '/nowhere/chromium' },
  });

test('without Chromium it takes the other lanes, and says once what to install', async () => {
  const role = worker('http,browser');
  await role.waitForLine(/process\.started/);
  await expect
    .poll(async () => (await wire.workers()).map(({ lanes }) => lanes), { timeout: 60_000 })
    .toEqual([['http']]);
  const said = role.events.filter(({ event }) => event === 'worker.no_browser');
  expect(said).toHaveLength(1);
  expect(JSON.stringify(said)).toContain('Install the package chromium');
  await role.terminate();
});

test('a worker for nothing but the lane browser does not start without one', async () => {
  const role = worker('browser');
  expect((await role.waitForExit()).code).not.toBe(0);
  expect(role.output).toContain('no Chromium was found');
});
