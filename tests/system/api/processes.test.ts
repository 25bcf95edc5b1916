// Several API processes on one port, and what happens to callers for whom there is no room.
import { readFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Redis } from 'ioredis';
import { afterEach, expect, test } from 'vitest';
import { createRateLimit } from '../../../src/api/http/rate-limit.ts';
import { waitUntil } from '../../../src/store/embedded/process.ts';
import { freshDatabase, startRedis } from '../../support/own-servers.ts';
import { type RoleProcess, Roles } from '../../support/processes.ts';
import { startApiWorld } from './api-world.ts';

const roles = new Roles();
const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await roles.reap();
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function startTwo(): Promise<{ parent: RoleProcess; child: number; url: string }> {
  const [database, redis] = await Promise.all([freshDatabase(), startRedis()]);
  cleanUps.push(database.drop, () => redis.stop());
  const env = { DATABASE_URL: database.url, REDIS_URL: redis.url };
  const parent = roles.start(['api', '--processes', '2', '--port', '0', '--log-level', 'info'], { env });
  const [, url] = await parent.waitForLine(/"process\.started".*?"url":"([^"]+)".*\n[\s\S]*"process\.started"/);
  const [child] = readFileSync(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8').trim().split(' ').map(Number);
  return { parent, child: child!, url: url! };
}

const isGone = (pid: number) =>
  waitUntil(async () => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  }, 120_000);

/** On a connection of its own; rejects if the process that took it does not answer. */
const ask = (url: string, timeoutMs = 60_000) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const request = get(url, { agent: false, timeout: timeoutMs }, resolve).on('error', reject);
    request.on('timeout', () => request.destroy(new Error('no answer')));
  });

test('both processes of one port answer, and both end when the first is told to', async () => {
  const { parent, child, url } = await startTwo();
  // What is answered while one of them stands still was answered by the other.
  for (const still of [parent.pid, child]) {
    process.kill(still, 'SIGSTOP');
    const isAnswered = await waitUntil(
      () =>
        ask(`${url}/livez`, 2_000).then(
          async (reply) => (await text(reply)).includes('ok'),
          () => false,
        ),
      60_000,
    );
    process.kill(still, 'SIGCONT');
    expect(isAnswered).toBe(true);
  }
  expect(await parent.terminate()).toEqual({ code: 0, signal: null });
  expect(await isGone(child)).toBe(true);
});

test('whichever process is asked for metrics answers for both', async () => {
  const { url } = await startTwo();
  const asked = 20;
  for (let n = 0; n < asked; n++) expect((await ask(`${url}/jobs/`)).statusCode).toBe(200);
  const lines: string[][] = [];
  for (let n = 0; n < 8; n++) {
    const reply = await ask(`${url}/metrics`);
    expect(reply.statusCode).toBe(200);
    const found = await text(reply);
    lines.push(
      [
        'windrow_http_request_duration_seconds_count{method="GET",route="/jobs/",status="200"}',
        'windrow_build_info',
      ].map((name) => found.split('\n').find((line) => line.startsWith(name)) ?? 'missing'),
    );
  }
  for (const [count, build] of lines) {
    expect(count).toMatch(new RegExp(` ${asked}$`));
    expect(build).toMatch(/ 1$/);
  }
});

test('A11: all API processes have one rate limit, and each its own while Redis is away', async () => {
  const redis = await startRedis();
  cleanUps.push(() => redis.stop());
  const connect = () =>
    new Redis(redis.url, { maxRetriesPerRequest: 0, enableOfflineQueue: false, commandTimeout: 30_000 }).on(
      'error',
      () => {},
    );
  const clients = [connect(), connect()];
  cleanUps.push(async () => {
    for (const client of clients) client.disconnect();
  });
  expect(await waitUntil(async () => clients.every((client) => client.status === 'ready'), 60_000)).toBe(true);
  const [a, b] = clients.map((client) =>
    createRateLimit({ perKey: 4, perAddress: 4 }, { redis: client, prefix: 'test' }),
  );
  const [caller, another] = [{ keyId: 'one', perMinute: null }, { address: '192.0.2.1' }];
  for (const limit of [a!, b!, a!, b!]) await limit.take(caller);
  for (const limit of [a!, b!]) await expect(limit.take(caller)).rejects.toMatchObject({ code: 'too_many_requests' });
  await b!.take(another);
  await redis.stop();
  expect(await waitUntil(async () => clients.every((client) => client.status !== 'ready'), 60_000)).toBe(true);
  for (let n = 0; n < 4; n++) await a!.take(caller);
  await expect(a!.take(caller)).rejects.toMatchObject({ code: 'too_many_requests' });
});

test('a process whose parent was killed ends by itself', async () => {
  const { parent, child } = await startTwo();
  await parent.kill();
  expect(await isGone(child)).toBe(true);
});

test('one that is lost ends all of them, with code 1 and the reason in the log', async () => {
  const { parent, child } = await startTwo();
  process.kill(child, 'SIGKILL');
  expect(await parent.waitForExit()).toMatchObject({ code: 1 });
  expect(parent.output).toMatch(/an API process exited with SIGKILL/);
});

test('a connection too many is told to come back and closed; the others are served, and there is room when one leaves', async () => {
  const world = await startApiWorld({ isWithWorker: false, maxConnections: 2 });
  cleanUps.push(() => world.stop());
  const call = (agent: Agent) =>
    new Promise<IncomingMessage>((resolve, reject) =>
      get(`${world.url}/jobs/`, { agent }, (reply) => resolve(reply.resume())).on('error', reject),
    );
  const agents = Array.from({ length: 3 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  cleanUps.push(async () => {
    for (const agent of agents) agent.destroy();
  });
  const [first, second, third] = agents as [Agent, Agent, Agent];
  expect((await call(first)).statusCode).toBe(200);
  expect((await call(second)).statusCode).toBe(200);
  const refused = await call(third);
  expect(refused.statusCode).toBe(503);
  expect(refused.headers).toMatchObject({ 'retry-after': '5', connection: 'close' });
  expect((await call(first)).statusCode).toBe(200);
  second.destroy();
  expect(await waitUntil(async () => (await call(third)).statusCode === 200, 60_000)).toBe(true);
});
