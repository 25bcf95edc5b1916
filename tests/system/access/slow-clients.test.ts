// Clients that take their time: senders of half a request, sockets that say nothing, readers that do not read. Each is disconnected after a bound, and
// nobody else notices. (Readers of WebSockets: api/sockets.test.ts.)
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryInUse } from '../../support/memory.ts';
import { type ApiWorld, startApiWorld } from '../api/api-world.ts';

let world: ApiWorld;
let port: number;
beforeAll(async () => {
  world = await startApiWorld({ isWithWorker: false, bodyLimitBytes: 100_000, silenceLimitMs: 20_000 });
  port = Number(new URL(world.url).port);
});
afterAll(() => world?.stop());

const open = (): Socket => connect(port, '127.0.0.1').on('error', () => {});
/** However it ended: with a reset as well. */
const closeOf = (socket: Socket): Promise<void> =>
  new Promise((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())));
const connectOf = (socket: Socket): Promise<void> =>
  new Promise((resolve) => (socket.pending ? socket.once('connect', () => resolve()) : resolve()));

/** What the server said until it closed the connection, while `more` is sent again and again. */
async function untilClosed(head: string, more: string, everyMs: number): Promise<string> {
  const socket = open();
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(head);
  const sending = setInterval(() => socket.writable && socket.write(more), everyMs);
  await closeOf(socket);
  clearInterval(sending);
  return answer.split('\r\n')[0]!;
}

const POST = `POST /jobs/submit HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n`;

test('A2: whoever sends a request too slowly, without an end or too large is told so and disconnected', async () => {
  const [headers, body, chunks, endless, large] = await Promise.all([
    untilClosed('GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n', 'x', 500),
    untilClosed(`${POST}Content-Length: 5000\r\n\r\n{`, ' ', 500),
    untilClosed(`${POST}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n', 500),
    untilClosed(`${POST}Transfer-Encoding: chunked\r\n\r\n`, `4000\r\n${' '.repeat(0x4000)}\r\n`, 1),
    untilClosed(`${POST}Content-Length: 100001\r\n\r\n`, ' '.repeat(20_000), 1),
  ]);
  expect([headers, body, chunks]).toEqual(Array(3).fill('HTTP/1.1 408 Request Timeout'));
  // Who goes on sending may lose the answer with the connection.
  for (const answer of [endless, large]) expect(['', 'HTTP/1.1 413 Payload Too Large']).toContain(answer);
  expect((await world.call('GET', '/jobs/')).body.total).toBe(0);
});

test('A2: thousands of sockets that say nothing are closed, and others are served meanwhile', async () => {
  const [, limit = '1024'] = /Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  // Both ends are in this process.
  const count = Math.min(5_000, Math.floor((Number(limit) - 500) / 2));
  const sockets = Array.from({ length: count }, () => open().resume());
  const closed = Promise.all(sockets.map(closeOf));
  await Promise.all(sockets.map((socket) => Promise.race([connectOf(socket), closeOf(socket)])));
  expect((await world.call('GET', '/jobs/')).status).toBe(200);
  await closed;
  expect((await world.call('GET', '/jobs/')).status).toBe(200);
});

test('A17: readers that do not read are disconnected, and cost no more than what is on its way to them', async () => {
  const { text } = await world.call('GET', '/openapi.json');
  const before = await memoryInUse();
  const readers = Array.from({ length: 100 }, () => {
    const socket = open();
    // More than any buffer between us takes.
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(100));
    socket.pause();
    return socket;
  });
  await expect.poll(() => readers.every((socket) => !socket.pending)).toBe(true);
  expect((await world.call('GET', '/jobs/')).status).toBe(200);
  const during = await memoryInUse();
  expect(during.heapMb / before.heapMb).toBeLessThan(2);
  // A paused socket hears of its end when it reads on.
  await expect.poll(async () => (await openConnections()) <= 2).toBe(true);
  for (const socket of readers) socket.destroy();
  expect(text.length).toBeGreaterThan(300_000);
});

/** Of this server, as the system counts them. */
async function openConnections(): Promise<number> {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync('/proc/self/net/tcp', 'utf8')
    .split('\n')
    .filter((line) => {
      const [, from, , state, , , , , , inode] = line.trim().split(/\s+/);
      return from?.endsWith(local) && state === '01' && inode !== '0';
    }).length;
}
