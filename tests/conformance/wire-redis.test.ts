// The Redis wire: the common suite, and what only a carrier that can go away has to show.
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sealTask } from '../../src/model/task/messages.ts';
import { createRedisPace } from '../../src/web/pace/redis.ts';
import type { Wire } from '../../src/wire/port.ts';
import { openRedisWire } from '../../src/wire/redis.ts';
import { type OwnRedis, startRedis } from '../support/own-servers.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { ABANDONED_MS, wireSuite } from './wire.ts';
import { until } from './world.ts';

const NEVER = new AbortController().signal;
const openOn = (url: string, prefix = `t-${randomBytes(4).toString('hex')}`): Promise<Wire> =>
  openRedisWire({ url, prefix, abandonedMs: ABANDONED_MS });

wireSuite('the Redis wire', async () => {
  const prefix = `t-${randomBytes(4).toString('hex')}`;
  return [await openOn(process.env.TEST_REDIS_URL!, prefix), await openOn(process.env.TEST_REDIS_URL!, prefix)];
});

describe('a Redis that goes away', () => {
  let redis: OwnRedis;
  let wire: Wire | undefined;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    await wire?.close();
    wire = undefined;
  });
  afterAll(() => redis.stop());

  const task = () => sealTask(crypto.randomUUID(), '{"params":{}}', { attempt: 1, failures: 0, crashes: 0 });

  test('FLUSHALL changes the epoch, and everything goes on without a restart', async () => {
    wire = await openOn(redis.url);
    const epoch = await wire.epoch();
    await wire.readReports(1, NEVER);
    await wire.sendTasks('http', 'high', [task()]);
    await redis.flush();
    expect(await wire.epoch()).not.toBe(epoch);
    expect(await wire.depth('http')).toBe(0);
    await wire.sendTasks('http', 'high', [task()]);
    expect(await wire.takeTasks(['http'], 5, NEVER)).toHaveLength(1);
    await wire.report([{ type: 'held', worker: 'w', tasks: [] }]);
    expect((await wire.readReports(1, NEVER)).reports).toHaveLength(1);
  });

  test('keys that hold something of another type are set aside, and everything goes on without a restart', async () => {
    const prefix = `t-${randomBytes(4).toString('hex')}`;
    const moved: unknown[] = [];
    wire = await openRedisWire({
      url: redis.url,
      prefix,
      log: (event, fields) => event === 'wire.key_moved' && moved.push(fields),
    });
    const pace = await createRedisPace({ redis: new Redis(redis.url), prefix, closesRedis: true });
    const direct = new Redis(redis.url);
    const never = new AbortController().signal;
    const order = { host: 'a.test', exits: ['direct'], concurrency: 9, gapMs: 0, maxWaitMs: 60_000, signal: never };
    const asked = [{ host: 'a.test', pace: { concurrency: 9, delayMs: 0 } }];
    const beat = { worker: 'w', host: 'h', pid: 1, version: '0', lanes: ['http'], slots: 1, busy: 0, rss_bytes: 1 };
    const said = {
      ...beat,
      started_at: new Date(0).toISOString(),
      sent_at: new Date(0).toISOString(),
      draining: false,
    };
    const held = { type: 'held' as const, worker: 'w', tasks: [], waiting: [], sent_at: said.sent_at };
    const all = async () => {
      const epoch = await wire!.epoch();
      await wire!.sendTasks('http', 'high', [task()]);
      expect(await wire!.takeTasks(['http'], 5, NEVER)).toHaveLength(1);
      await wire!.report([{ type: 'returned', worker: 'w', tasks: [] }]);
      const { reports, ack } = await wire!.readReports(1, NEVER);
      expect(reports).toHaveLength(1);
      await ack();
      await wire!.beat(said, held);
      expect(await wire!.held()).toHaveLength(1);
      expect(await wire!.workers()).toHaveLength(1);
      pace.release('a.test', await pace.reserve(order), { kind: 'ok', latencyMs: 1 });
      await pace.turns(asked, 1_000);
      return epoch;
    };
    try {
      const epoch = await all();
      const keys = await direct.keys(`${prefix}:*`);
      expect(keys.length).toBeGreaterThan(6);
      for (const key of keys) {
        const isText = (await direct.type(key)) === 'string';
        await direct.del(key);
        await (isText ? direct.rpush(key, 'not ours') : direct.set(key, 'not ours'));
      }
      await expect
        .poll(() => all().then(String, (error: Error) => `still: ${error.message}`), { timeout: 60_000 })
        .not.toMatch(/^still/);
      expect(await wire.epoch()).not.toBe(epoch);
      expect(moved).toContainEqual({
        key: `${prefix}:results`,
        to: `${prefix}:results:wrong-type`,
        expected: 'stream',
      });
      // It is not ours to delete.
      expect(await direct.get(`${prefix}:results:wrong-type`)).toBe('not ours');
    } finally {
      direct.disconnect();
      await pace.close();
    }
  });

  test('while Redis is down every call fails at once; when it is back they work, without a restart', async () => {
    wire = await openOn(redis.url);
    const heard: unknown[] = [];
    wire.onCancel((tasks) => heard.push(tasks));
    await redis.kill();
    await until('the loss is noticed', () =>
      wire!.ping().then(
        () => false,
        () => true,
      ),
    );
    const started = performance.now();
    for (const call of [wire.epoch(), wire.depth('http'), wire.backlog(), wire.report([]), wire.workers()])
      await call.catch(() => {});
    await expect(wire.sendTasks('http', 'high', [task()])).rejects.toThrow();
    await expect(wire.takeTasks(['http'], 1, NEVER)).rejects.toThrow();
    // Seven calls: waiting for Redis, each would take its second.
    expect(performance.now() - started).toBeLessThan(5_000);
    await redis.start();
    const back = performance.now();
    await until('it answers', () =>
      wire!.ping().then(
        () => true,
        () => false,
      ),
    );
    expect(performance.now() - back).toBeLessThan(30_000);
    await until('subscriptions are back', async () => {
      await wire!.cancel([{ task_id: 'x', attempt: 1 }]);
      return heard.length > 0;
    });
  });

  test('a wire can be opened while Redis is down, and comes to life with it', async () => {
    await redis.kill();
    const started = performance.now();
    wire = await openOn(redis.url);
    expect(performance.now() - started).toBeLessThan(30_000);
    await expect(wire.ping()).rejects.toThrow();
    wire.wake();
    await redis.start();
    await until('it answers', () =>
      wire!.ping().then(
        () => true,
        () => false,
      ),
    );
  });

  test('a frozen Redis holds a call for about a second, never longer', async () => {
    wire = await openOn(redis.url);
    await wire.ping();
    redis.pause();
    try {
      for (const call of [() => wire!.ping(), () => wire!.publish([]), () => wire!.depth('http')]) {
        const started = performance.now();
        await expect(call()).rejects.toThrow();
        expect(performance.now() - started).toBeLessThan(10_000);
      }
    } finally {
      redis.resume();
    }
    await until('it answers', () =>
      wire!.ping().then(
        () => true,
        () => false,
      ),
    );
  });

  test('a connection on which nothing passes any more is given up and made anew', async () => {
    const proxy = await TcpProxy.to(redis.url);
    try {
      wire = await openOn(proxy.through(redis.url));
      await wire.ping();
      proxy.halfOpen();
      await expect(wire.ping()).rejects.toThrow();
      // New connections pass again; the old one stays as it is.
      proxy.pass();
      await until(
        'it answers',
        () =>
          wire!.ping().then(
            () => true,
            () => false,
          ),
        10_000,
      );
      await wire.sendTasks('http', 'high', [task()]);
      expect(await wire.takeTasks(['http'], 1, NEVER)).toHaveLength(1);
    } finally {
      await proxy.close();
    }
  });

  test('what others publish or write that makes no sense is passed over', async () => {
    wire = await openOn(redis.url, 'mine');
    const heard: unknown[] = [];
    wire.onCancel((tasks) => {
      for (const one of tasks) heard.push(one);
    });
    const other = new Redis(redis.url);
    await until('the subscription is there', async () => (await other.publish('mine:cancel', '[1]')) > 0);
    for (const text of ['no json', '7', '{}', 'null']) await other.publish('mine:cancel', text);
    await other.publish('mine:cancel', '[2]');
    await until('the last one arrives', () => heard.includes(2));
    await other.sadd('mine:scrapers:workers', 'odd', 'older');
    await other.set('mine:scrapers:worker:odd', 'no json');
    await other.set('mine:scrapers:worker:older', '{"worker":"older"}');
    expect(await wire.workers()).toEqual([]);
    await other.xadd('mine:results', '*', 'data', 'no json');
    await other.xadd('mine:results', '*', 'data', '{"type":"held"}');
    const reports: unknown[] = [];
    while (reports.length < 2) reports.push(...(await wire.readReports(10, NEVER)).reports);
    expect(reports).toEqual(['no json', { type: 'held' }]);
    other.disconnect();
  });
});
