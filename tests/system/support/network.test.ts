// The proxy and the target site decide what fault tests may conclude, so they are tested themselves.
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { TcpProxy } from '../../support/tcp-proxy.ts';
import { pageTruth, TargetSite } from '../../support/web/target.ts';

const owned: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of owned.splice(0).reverse()) await one.close();
});

async function site(): Promise<TargetSite> {
  const started = await TargetSite.start();
  owned.push(started);
  return started;
}

/** A server that sends back what it gets, behind a proxy, with one client. */
async function echo(): Promise<{
  proxy: TcpProxy;
  client: Socket;
  /** What comes back, or 'nothing' after a time. */
  ask(text: string, limitMs?: number): Promise<string>;
  serverEnds: () => number;
}> {
  let ends = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => ends++);
    socket.on('data', (data) => socket.write(data));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const proxy = await TcpProxy.to(`tcp://127.0.0.1:${(server.address() as { port: number }).port}`);
  owned.push({
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  });
  owned.push(proxy);
  const client = connect(proxy.port, '127.0.0.1');
  client.on('error', () => {});
  await new Promise((done) => client.once('connect', done));
  const ask = (text: string, limitMs = 60_000) =>
    Promise.race([
      new Promise<string>((done) => {
        client.once('data', (data) => done(data.toString()));
        client.write(text);
      }),
      sleep(limitMs, 'nothing', { ref: false }),
    ]);
  return { proxy, client, ask, serverEnds: () => ends };
}

test('the proxy passes, and delays', async () => {
  const { proxy, ask } = await echo();
  expect(await ask('a')).toBe('a');
  proxy.delay(40);
  const start = performance.now();
  expect(await ask('b')).toBe('b');
  expect(performance.now() - start).toBeGreaterThan(75);
});

test('a dropped connection is reset at once, and new ones too', async () => {
  const { proxy, client, ask } = await echo();
  await ask('a');
  const closed = new Promise((done) => client.once('close', done));
  proxy.drop();
  await closed;
  const second = connect(proxy.port, '127.0.0.1');
  second.on('error', () => {});
  await new Promise((done) => second.once('close', done));
  expect(proxy.open).toBe(0);
});

test('a black hole tells nobody anything', async () => {
  const { proxy, client, ask, serverEnds } = await echo();
  await ask('a');
  proxy.blackHole();
  expect(await ask('b', 200)).toBe('nothing');
  expect(client.destroyed).toBe(false);
  expect(serverEnds()).toBe(0);
  // What it has swallowed is gone, so the connection is of no use when the way is free again; the server hears of it when the client gives up.
  proxy.pass();
  expect(await ask('c', 200)).toBe('nothing');
  client.destroy();
  await expect.poll(serverEnds).toBe(1);
});

test('what was delayed arrives before what was sent after it', async () => {
  const { proxy, client } = await echo();
  let got = '';
  client.on('data', (data) => {
    got += data;
  });
  proxy.delay(200);
  client.write('a');
  await sleep(50);
  proxy.pass();
  client.write('b');
  await expect.poll(() => got).toBe('ab');
});

test('a half-open connection has ended for the server only', async () => {
  const { proxy, client, ask, serverEnds } = await echo();
  await ask('a');
  proxy.halfOpen();
  expect(await ask('b', 200)).toBe('nothing');
  expect(client.destroyed).toBe(false);
  await expect.poll(serverEnds).toBe(1);
});

test('the target serves what pageTruth says, different on every page', async () => {
  const target = await site();
  const text = await (await fetch(target.page(7))).text();
  const truth = pageTruth(7);
  for (const part of [truth.title, ...truth.paragraphs]) expect(text).toContain(part);
  const all = Array.from({ length: 500 }, (_, n) => pageTruth(n)).flatMap((page) => [page.title, ...page.paragraphs]);
  expect(new Set(all).size).toBe(all.length);
});

test('the target fails to order: status, a number of times, cut body', async () => {
  const target = await site();
  expect((await fetch(target.page(1, { status: 410 }))).status).toBe(410);
  const flaky = target.page(2, { status: 503, times: 2 });
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push((await fetch(flaky)).status);
  expect(statuses).toEqual([503, 503, 200]);
  await expect(fetch(target.page(3, { cut: 1 })).then((answer) => answer.text())).rejects.toThrow();
});

test('the hit log has times, concurrency and who gave up', async () => {
  const target = await site();
  const left = new AbortController();
  const hanging = fetch(target.page(4, { hang: 1 }), { signal: left.signal }).catch(() => 'aborted');
  await expect.poll(() => target.open).toBe(1);
  await Promise.all([1, 2, 3].map((n) => fetch(target.page(n, { slow: 1_000 })).then((answer) => answer.text())));
  expect(target.maxConcurrent).toBeGreaterThanOrEqual(3);
  await expect.poll(() => target.open).toBe(1);
  left.abort();
  expect(await hanging).toBe('aborted');
  await expect.poll(() => target.open).toBe(0);
  expect(target.hitsOf(4)[0]?.aborted).toBe(true);
  const done = target.hitsOf(1)[0]!;
  expect(done.aborted).toBe(false);
  expect(done.endMs! - done.startMs).toBeGreaterThanOrEqual(95);
});
