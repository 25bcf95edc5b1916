// Several API processes on one port, and what happens to callers for whom there is no room.
import { readFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
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

test('both processes of one port answer, and both end when the first is told to', async () => {
  const { parent, child, url } = await startTwo();
  // What a process has used of the processors only grows: less than before is another one's.
  let usedSeconds = 0;
  const hasHeardBoth = await waitUntil(async () => {
    // Each on a connection of its own.
    const reply = await new Promise<IncomingMessage>((resolve, reject) =>
      get(`${url}/metrics`, { agent: false }, resolve).on('error', reject),
    );
    const before = usedSeconds;
    usedSeconds = Number(/^process_cpu_seconds_total (\S+)/m.exec(await text(reply))?.[1]);
    return usedSeconds < before;
  }, 60_000);
  expect(hasHeardBoth).toBe(true);
  expect(await parent.terminate()).toEqual({ code: 0, signal: null });
  expect(await isGone(child)).toBe(true);
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
