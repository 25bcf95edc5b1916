// WebSockets: nothing is missed, nothing is sent too often, nobody is buffered without bound.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { RunUpdate } from '../../../src/model/run/run.ts';
import { type ApiWorld, startApiWorld } from './api-world.ts';

const KEY = 'a-long-enough-key';
const TICK_MS = 50;
let world: ApiWorld;
beforeAll(async () => {
  world = await startApiWorld();
});
afterAll(() => world?.stop());

interface Message {
  type: string;
  job_id: string;
  article_id: string | null;
  status: string;
  completed: number;
  failed: number;
  total: number;
}

function listen(path: string, options: { base?: string; protocols?: string[]; headers?: Record<string, string> } = {}) {
  const address = `${(options.base ?? world.url).replace('http', 'ws')}${path}`;
  const socket = new WebSocket(address, options.protocols ?? [], { headers: options.headers ?? {} });
  const messages: (Message | Message[])[] = [];
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  const refused = new Promise<number>((resolve) => {
    socket.on('unexpected-response', (_request, reply) => resolve(reply.statusCode!));
  });
  socket.on('error', () => {});
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  return { socket, messages, closed, refused };
}

const update = (
  runId: string,
  completed: number,
  total: number,
  status: RunUpdate['status'] = 'running',
): RunUpdate => ({
  runId,
  kind: 'article',
  status,
  total,
  completed,
  failed: 0,
  itemId: '9f86d081-884c-7d65-9a2f-eaa0c55ad015',
});

test("a job's socket tells its state first, then moves on to the final one and is closed with 1000", async () => {
  const job = await world.submit(Array.from({ length: 30 }, (_, n) => `/ws/${n}`));
  const { messages, closed } = listen(`/ws/jobs/${job}`);
  expect((await closed).code).toBe(1000);
  const seen = messages as Message[];
  for (const message of seen) {
    expect(message).toMatchObject({ type: 'job_update', job_id: job, total: 30 });
    // It may say why it waits while nothing of it moves.
    expect(Object.keys(message).filter((field) => field !== 'waiting')).toEqual([
      'type',
      'job_id',
      'article_id',
      'status',
      'completed',
      'failed',
      'total',
    ]);
  }
  const progress = seen.map((message) => message.completed);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(seen.at(-1)).toMatchObject({ status: 'COMPLETED', completed: 30 });
  expect(seen.filter((message) => message.status !== 'IN_PROGRESS')).toHaveLength(1);
});

test('an ended job is told once and closed with 1000; an unknown one is closed with 4404', async () => {
  const job = await world.submit(['/ws/ended']);
  await world.ended(job);
  const late = listen(`/ws/jobs/${job}`);
  expect((await late.closed).code).toBe(1000);
  expect(late.messages).toMatchObject([{ job_id: job, status: 'COMPLETED', completed: 1 }]);
  expect((await listen('/ws/jobs/job_000000000000').closed).code).toBe(4404);
  expect((await listen('/ws/jobs/%ff').closed).code).toBe(4404);
});

test('a search has a socket too: its state, its end, and no article', async () => {
  const { runId } = await world.store.submit({
    runId: `manual_${randomUUID().replaceAll('-', '')}`,
    kind: 'posting',
    itemKind: 'posting',
    trigger: 'manual',
    requestId: null,
    options: {},
    tasks: ['/gone/ws', '/ws-search'].map((path) => ({
      id: randomUUID(),
      key: randomUUID(),
      source: 'indeed',
      lane: 'http',
      params: { url: `https://example.com${path}` },
      priority: 5,
      maxRetries: 0,
      timeoutSeconds: 60,
      ref: { site: 'indeed' },
    })),
    maxAgeSeconds: 0,
    idempotency: null,
  });
  const { messages, closed, socket } = listen(`/ws/jobs/${runId}`);
  await once(socket, 'message');
  world.wire.wake();
  expect((await closed).code).toBe(1000);
  for (const message of messages) expect(message).toMatchObject({ job_id: runId, article_id: null, total: 2 });
  expect(messages.at(-1)).toMatchObject({ status: 'COMPLETED', completed: 1, failed: 1 });
});

test('no end is missed by sockets that open while their jobs run', async () => {
  const sockets = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => listen(`/ws/jobs/${await world.submit([`/race/${n}`])}`)),
  );
  for (const { closed, messages } of sockets) {
    expect((await closed).code).toBe(1000);
    expect((messages.at(-1) as Message).status).toBe('COMPLETED');
  }
});

test('the socket for everything starts with what runs, and gets each end', async () => {
  const held = await world.submit(['/hold/everything']);
  const all = listen('/ws');
  const batch = listen('/ws?batch=1');
  await Promise.all([once(all.socket, 'message'), once(batch.socket, 'message')]);
  expect(all.messages).toContainEqual(expect.objectContaining({ job_id: held, status: 'IN_PROGRESS' }));
  expect(batch.messages[0]).toContainEqual(expect.objectContaining({ job_id: held, status: 'IN_PROGRESS' }));
  const jobs = await Promise.all(Array.from({ length: 40 }, (_, n) => world.submit([`/all/${n}`])));
  // Of these jobs: what others left behind may still be told.
  const endsIn = (messages: Message[]) =>
    messages
      .filter((message) => message.status === 'COMPLETED' && jobs.includes(message.job_id))
      .map((message) => message.job_id)
      .sort();
  await expect.poll(() => endsIn(all.messages as Message[]), { timeout: 60_000 }).toEqual(jobs.toSorted());
  await expect.poll(() => endsIn((batch.messages as Message[][]).flat()), { timeout: 60_000 }).toEqual(jobs.toSorted());
  expect(batch.messages.length).toBeLessThan(all.messages.length);
  all.socket.close();
  batch.socket.close();
  await world.call('DELETE', `/jobs/${held}`);
});

test('within a tick only the latest state of a run is sent, and a final one though more follows', async () => {
  const all = listen('/ws');
  await once(all.socket, 'open');
  await new Promise((resolve) => setTimeout(resolve, 40));
  all.messages.length = 0;
  const began = performance.now();
  for (let n = 1; n <= 500; n++) await world.wire.publish([update('job_00000000aaaa', n, 1_000)]);
  await world.wire.publish([update('job_00000000bbbb', 5, 5, 'completed'), update('job_00000000bbbb', 4, 5)]);
  await expect
    .poll(() => all.messages)
    .toContainEqual(expect.objectContaining({ job_id: 'job_00000000bbbb', status: 'COMPLETED' }));
  const about = (id: string) => (all.messages as Message[]).filter((message) => message.job_id === id);
  // One a tick, however long this machine took to publish them.
  expect(about('job_00000000aaaa').length).toBeLessThan(5 + (performance.now() - began) / TICK_MS);
  expect(about('job_00000000aaaa').at(-1)).toMatchObject({ completed: 500 });
  expect(about('job_00000000bbbb')).toHaveLength(1);
  all.socket.close();
});

test('an end that the wire lost is found in the store', async () => {
  const lossy = await startApiWorld({ isWithWorker: false });
  try {
    const job = await lossy.submit(['/lost']);
    const { closed, socket } = listen(`/ws/jobs/${job}`, { base: lossy.url });
    await once(socket, 'message');
    await lossy.store.cancelRun(job);
    expect(await closed).toMatchObject({ code: 1000 });
  } finally {
    await lossy.stop();
  }
});

test('A17: a reader that does not read is cut off while the others go on', async () => {
  const slow = connect(Number(new URL(world.url).port), '127.0.0.1');
  slow.on('error', () => {});
  slow.write(
    `GET /ws HTTP/1.1\r\nHost: ${new URL(world.url).host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  await once(slow, 'readable');
  slow.pause();
  const fast = listen('/ws?batch=1');
  await once(fast.socket, 'open');
  const metrics = async () => (await world.call('GET', '/metrics')).text;
  const many = Array.from({ length: 5_000 }, (_, n) => `job_${n.toString(16).padStart(12, '0')}`);
  for (let round = 1; round < 100; round++) {
    await world.wire.publish(many.map((id) => update(id, round, 1_000)));
    // The one that reads gets the time it needs on a busy machine; the other would not read in an hour.
    const isRound = (batch: Message[]) => batch.some((one) => one.job_id === many[0] && one.completed === round);
    await expect.poll(() => (fast.messages as Message[][]).some(isRound)).toBe(true);
    fast.messages.length = 0;
    if (/windrow_websocket_cut_total\{reason="slow"\} 1/.test(await metrics())) break;
  }
  expect(await metrics()).toContain('windrow_websocket_cut_total{reason="slow"} 1');
  expect(fast.socket.readyState).toBe(WebSocket.OPEN);
  await expect.poll(() => slow.destroyed || slow.readableEnded || metricsOpen()).toBeTruthy();
  fast.socket.close();
  slow.destroy();
});

async function metricsOpen(): Promise<boolean> {
  return /windrow_websocket_connections [01]\n/.test((await world.call('GET', '/metrics')).text);
}

test.each([
  ['/ws?api_key=x', 422],
  ['/ws?batch=yes', 422],
  ['/ws/jobs/job_000000000000?batch=1', 422],
  ['/ws/elsewhere', 404],
  ['/jobs/', 404],
])('%s is refused with %i before the upgrade', async (path, status) => {
  expect(await listen(path).refused).toBe(status);
});

test('A10: a page of another site cannot listen', async () => {
  expect(await listen('/ws', { headers: { origin: 'https://evil.example' } }).refused).toBe(403);
  const own = listen('/ws', { headers: { origin: world.url } });
  await once(own.socket, 'open');
  own.socket.close();
});

test('A17: no more sockets than allowed', async () => {
  const small = await startApiWorld({ isWithWorker: false, maxSockets: 2 });
  try {
    const open = [listen('/ws', { base: small.url }), listen('/ws', { base: small.url })];
    await Promise.all(open.map(({ socket }) => once(socket, 'open')));
    expect(await listen('/ws', { base: small.url }).refused).toBe(503);
  } finally {
    await small.stop();
  }
});

test('A8: with keys: by header, by protocol or by a ticket that is good once; never by address', async () => {
  const closed = await startApiWorld({ apiKeys: [KEY], isWithWorker: false });
  const base = closed.url;
  const opens = async (path: string, options: Parameters<typeof listen>[1] = {}) => {
    const { socket, refused } = listen(path, { base, ...options });
    const result = await Promise.race([once(socket, 'open').then(() => socket.protocol || 'open'), refused]);
    socket.terminate();
    return result;
  };
  try {
    expect(await opens('/ws')).toBe(401);
    expect(await opens(`/ws?key=${KEY}`)).toBe(422);
    expect(await opens('/ws', { protocols: ['windrow', 'key.wrong-key-here'] })).toBe(401);
    expect(await opens('/ws', { protocols: ['windrow', `key.${KEY}`] })).toBe('windrow');
    expect(await opens('/ws', { headers: { authorization: `Bearer ${KEY}` } })).toBe('open');
    const { body, status } = await closed.call('POST', '/ws/ticket', undefined, { 'x-api-key': KEY });
    expect(status).toBe(201);
    expect(body).toEqual({ ticket: expect.any(String), expires_in_seconds: 30 });
    expect(await opens(`/ws?ticket=${body.ticket}`)).toBe('open');
    expect(await opens(`/ws?ticket=${body.ticket}`)).toBe(401);
  } finally {
    await closed.stop();
  }
});

test('on a stop: not ready first, sockets told to come back, a request under way is answered', async () => {
  const ending = await startApiWorld({ isWithWorker: false });
  const { closed, socket } = listen('/ws', { base: ending.url });
  await once(socket, 'open');
  // Under way is what has reached the store.
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { submit } = ending.store;
  ending.store.submit = (...submission) => {
    reach();
    return submit(...submission);
  };
  const underWay = ending.call('POST', '/jobs/submit', { articles: [{ url: 'https://example.com/last' }] });
  await reached;
  const stopped = ending.stop();
  expect(await closed).toMatchObject({ code: 1012 });
  expect((await underWay).status).toBe(201);
  await stopped;
  await expect(fetch(`${ending.url}/livez`)).rejects.toThrow();
});
