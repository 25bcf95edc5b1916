// Tickets of WebSockets between API processes: one is good once among all of them, with keys and without, through restarts.
import { once } from 'node:events';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { freshDatabase, startRedis } from '../../support/own-servers.ts';
import { Roles } from '../../support/processes.ts';

const KEY = 'a-key-for-the-tickets-of-sockets';
const roles = new Roles();
let database: Awaited<ReturnType<typeof freshDatabase>>;
let redis: Awaited<ReturnType<typeof startRedis>>;
let urls: string[];

const startApi = async (keys: string | undefined = KEY): Promise<string> => {
  const env = { DATABASE_URL: database.url, REDIS_URL: redis.url, ...(keys === '' ? {} : { API_KEYS: keys }) };
  const api = roles.start(['api', '--port', '0', '--log-level', 'debug'], { env });
  return (await api.waitForLine(/"process\.started".*?"url":"([^"]+)"/))[1]!;
};

beforeAll(async () => {
  [database, redis] = await Promise.all([freshDatabase(), startRedis()]);
  urls = await Promise.all([startApi(), startApi()]);
});
afterAll(async () => {
  await roles.reap();
  await Promise.all([database?.drop(), redis?.stop()]);
});

async function ticketFrom(url: string): Promise<string> {
  const reply = await fetch(`${url}/ws/ticket`, { method: 'POST', headers: { 'x-api-key': KEY } });
  expect(reply.status).toBe(201);
  return ((await reply.json()) as { ticket: string }).ticket;
}

async function expire(when: string): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`update windrow.socket_tickets set expires_at = ${when}`);
  await client.end();
}

/** `open`, or the status of the refusal. */
async function use(url: string, ticket: string): Promise<string | number> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?ticket=${ticket}`);
  socket.on('error', () => {});
  const outcome = await Promise.race([
    once(socket, 'open').then(() => 'open'),
    once(socket, 'unexpected-response').then(([, reply]) => reply.statusCode as number),
  ]);
  socket.terminate();
  return outcome;
}

test('a ticket of one process opens a socket in another, once', async () => {
  const [a, b] = urls as [string, string];
  const ticket = await ticketFrom(a);
  expect(await use(b, ticket)).toBe('open');
  expect([await use(a, ticket), await use(b, ticket)]).toEqual([401, 401]);
});

test('used in both at the same moment it opens one socket', async () => {
  const [a, b] = urls as [string, string];
  for (let round = 0; round < 10; round++) {
    const ticket = await ticketFrom(a);
    const outcomes = await Promise.all([a, b, a, b, a, b].map((url) => use(url, ticket)));
    expect(outcomes.filter((one) => one === 'open')).toHaveLength(1);
    expect(outcomes.filter((one) => one === 401)).toHaveLength(5);
  }
});

test('an expired ticket, one that was changed and what is none are refused', async () => {
  const [a] = urls as [string];
  const ticket = await ticketFrom(a);
  await expire('now()');
  expect(await use(a, ticket)).toBe(401);
  const fresh = await ticketFrom(a);
  const changed = `${fresh.slice(0, -1)}${fresh.endsWith('A') ? 'B' : 'A'}`;
  for (const no of [changed, '', 'x', `${fresh}x`, "' or 1=1 --", 'x'.repeat(5_000)])
    expect(await use(a, encodeURIComponent(no)), no.slice(0, 40)).toBe(401);
  expect(await use(a, fresh)).toBe('open');
});

test('after a restart a ticket works that was not used, and none that was', async () => {
  const [a] = urls as [string];
  const [used, unused] = [await ticketFrom(a), await ticketFrom(a)];
  expect(await use(a, used)).toBe('open');
  // A start may take its time on a busy machine.
  await expire("now() + interval '1 hour'");
  await roles.reap();
  const restarted = await startApi();
  expect(await use(restarted, used)).toBe(401);
  expect(await use(restarted, unused)).toBe('open');
  urls = [restarted, await startApi('')];
});

test('without keys too: the dashboard gets its ticket from whichever process answers', async () => {
  const [withKeys, without] = urls as [string, string];
  const ticket = await ticketFrom(without);
  expect(await use(withKeys, ticket)).toBe('open');
  expect(await use(without, await ticketFrom(without))).toBe('open');
});
