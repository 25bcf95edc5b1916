// Restarts under load. A port that somebody else keeps open (systemd's socket) refuses nobody, whether another API process is there or not; behind a load
// balancer a process is asked until it has been taken out.
import { dirname, join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../../support/own-servers.ts';
import { type ListeningSocket, openSocket, type RoleProcess } from '../../support/processes.ts';
import { Fleet } from '../../support/worlds/fleet.ts';
import { Load } from '../../support/worlds/load.ts';
import { startApiWorld } from '../api/api-world.ts';

let f: Fleet;
let socket: ListeningSocket;
afterAll(async () => {
  await f?.close();
  socket?.close();
});

test('every process is restarted under load: no request fails, no run is lost, every page is stored once', async () => {
  socket = openSocket(await freePort());
  const env = { API_DRAIN_SECONDS: '4', WORKER_CONCURRENCY: '5' };
  f = await Fleet.start({ socket, orchestrators: 1, workers: 1, env });
  const redis = new Redis(f.redis.url);
  const load = new Load(f);
  const leaves = async (role: RoleProcess): Promise<void> => {
    f.excuse(role);
    expect(await role.terminate()).toEqual({ code: 0, signal: null });
    await load.goesOn();
  };
  try {
    await load.goesOn();
    for (const old of [f.api, ...f.workers, ...f.orchestrators]) {
      const next =
        old.name === 'api' ? await f.startApi() : old.name === 'worker' ? f.startWorker() : f.startOrchestrator();
      await next.waitForLine(/process\.started/);
      await leaves(old);
    }
    // With no API process at all, what comes waits until there is one.
    f.excuse(f.api);
    await f.api.terminate();
    await f.startApi();
    await load.goesOn();
    // What an orchestrator had read is recorded, or its successor would have to wait until it counts as dead.
    const consumers = (await redis.xinfo('CONSUMERS', 'scraping:results', 'orchestrators')) as (string | number)[][];
    const live = new Set(f.orchestrators.filter((role) => role.isRunning).map((role) => role.pid));
    const left = consumers.filter(([, name]) => ![...live].some((pid) => String(name).includes(`-${pid}-`)));
    expect(left.length).toBe(1);
    expect(left.map((consumer) => consumer[consumer.indexOf('pending') + 1])).toEqual(left.map(() => 0));
  } finally {
    await load.stop();
    redis.disconnect();
  }
  expect(load.failures).toEqual([]);
  expect(load.reconnected).toBeGreaterThanOrEqual(2);
  await f.verify();
});

test('an API listens on the socket that systemd passes on, and not without keys where others could reach it', async () => {
  const activate = join(dirname(process.env.TEST_SYSTEMD!), 'systemd-socket-activate');
  const wrapOf =
    (address: string) =>
    (command: string, args: string[]): [string, string[]] => {
      const env = Object.entries({ ...f.env, PORT: '1' }).map(([name, value]) => `--setenv=${name}=${value}`);
      return [activate, ['--listen', address, ...env, command, ...args]];
    };
  const port = await freePort();
  const api = f.roles.start(['api', '--processes', '2'], { wrap: wrapOf(`127.0.0.1:${port}`) });
  await api.waitForHttp(`http://127.0.0.1:${port}/readyz`);
  await api.waitForLine(/process\.started/);
  expect((await api.terminate()).code).toBe(0);
  const open = await freePort();
  const refused = f.roles.start(['api'], { wrap: wrapOf(`0.0.0.0:${open}`) });
  // The first connection starts it.
  await refused.waitForLine(/Listening on/);
  await fetch(`http://127.0.0.1:${open}/livez`).catch(() => {});
  expect((await refused.waitForExit()).code).not.toBe(0);
  expect(refused.output).toContain('Listening on 0.0.0.0 needs API keys');
});

test('an API that drains is not ready, answers, and closes each connection after its answer', async () => {
  const world = await startApiWorld({ isWithWorker: false });
  try {
    expect((await world.call('GET', '/readyz')).headers.get('connection')).toBe('keep-alive');
    world.api.drain();
    expect((await world.call('GET', '/readyz')).status).toBe(503);
    const { status, headers } = await world.call('POST', '/jobs/submit', { articles: [{ url: 'https://a.test/1' }] });
    expect([status, headers.get('connection')]).toEqual([201, 'close']);
  } finally {
    await world.stop();
  }
});
