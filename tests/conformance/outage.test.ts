// Every call to Redis while Redis does not answer: each comes back within a bound of its own, and what it says is `unavailable`, which is never the failure of a
// task. A call that is added to a port is in here by itself.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../src/model/errors.ts';
import type { Result } from '../../src/model/task/messages.ts';
import { isOutage } from '../../src/model/task/outage.ts';
import { createLedgers } from '../../src/web/ledger.ts';
import type { PaceOrder, PaceStore } from '../../src/web/pace/pace.ts';
import { createRedisPace } from '../../src/web/pace/redis.ts';
import type { Web } from '../../src/web/port.ts';
import type { Wire } from '../../src/wire/port.ts';
import { openRedisWire } from '../../src/wire/redis.ts';
import { connectRedis, firstReady } from '../../src/wire/redis-connection.ts';
import { runAttempt } from '../../src/worker/attempt.ts';
import type { RunSource } from '../../src/worker/run-source.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';

const url = process.env.TEST_REDIS_URL;
if (url === undefined) throw new Error('TEST_REDIS_URL is not set; run `npm test`');

const never = new AbortController().signal;
const order: PaceOrder = {
  host: 'news.example',
  exits: ['direct'],
  concurrency: 100,
  gapMs: 0,
  maxWaitMs: 60_000,
  signal: never,
};
const slot = { token: 'gone:1', exit: 'direct', waitMs: 0, startAt: 0 };
const beat = { worker: 'w', host: 'h', pid: 1, version: '0', lanes: ['http'], slots: 1, busy: 0, rss_bytes: 1 };
const at = new Date(0).toISOString();

/** What each call is given. Those that answer at once, whatever happens, are null. */
const WIRE: { [K in keyof Wire]: ((wire: Wire) => Promise<unknown>) | null } = {
  epoch: (wire) => wire.epoch(),
  sendTasks: (wire) => wire.sendTasks('http', 'low', [{ task_id: 't', attempt: 1, text: '{}' } as never]),
  untaken: (wire) => wire.untaken('http'),
  depth: (wire) => wire.depth('http'),
  cancel: (wire) => wire.cancel([{ task_id: 't', attempt: 1 }]),
  onCancel: null,
  tellDrains: (wire) => wire.tellDrains([]),
  drains: (wire) => wire.drains(),
  onDrains: null,
  askEvidence: (wire) => wire.askEvidence([]),
  onEvidenceAsked: null,
  sendEvidence: (wire) => wire.sendEvidence({ page: 'x' } as never),
  readEvidence: (wire) => wire.readEvidence(1),
  takeTasks: (wire) => wire.takeTasks(['http'], 1, never),
  report: (wire) => wire.report([{ type: 'returned', worker: 'w', tasks: [] }]),
  readReports: (wire) => wire.readReports(1, never),
  backlog: (wire) => wire.backlog(),
  backlogMs: (wire) => wire.backlogMs(),
  beat: (wire) => wire.beat({ ...beat, started_at: at, sent_at: at, draining: false }),
  workers: (wire) => wire.workers(),
  held: (wire) => wire.held(),
  publish: (wire) => wire.publish([]),
  onUpdates: null,
  wake: null,
  onWake: null,
  ping: (wire) => wire.ping(),
  close: null,
};
const PACE: { [K in keyof PaceStore]: ((pace: PaceStore) => Promise<unknown>) | null } = {
  reserve: (pace) => pace.reserve(order),
  renew: (pace) => pace.renew(order, slot),
  release: null,
  isAway: null,
  turns: (pace) => pace.turns([{ host: order.host, pace: { concurrency: 1, delayMs: 0 } }], 0),
  close: null,
};

describe.each(['blackHole', 'drop', 'halfOpen'] as const)('R7: with Redis behind a %s', (how) => {
  let proxy: TcpProxy;
  let wire: Wire;
  let pace: PaceStore;
  beforeAll(async () => {
    proxy = await TcpProxy.to(url);
    const through = proxy.through(url);
    wire = await openRedisWire({ url: through, prefix: `test-${randomUUID()}` });
    const redis = await firstReady(connectRedis(through, { commandTimeout: 1_000, onError() {} }));
    pace = await createRedisPace({ redis, prefix: `test-${randomUUID()}`, closesRedis: true });
    // All connections are there before they break.
    await Promise.all(calls().map(([, call]) => call()));
    proxy[how]();
  });
  afterAll(async () => {
    await pace.close();
    await wire.close();
    await proxy.close();
  });
  const calls = (): [string, () => Promise<unknown>][] => [
    ...Object.entries(WIRE).flatMap(([name, call]): [string, () => Promise<unknown>][] =>
      call ? [[`wire.${name}`, () => call(wire)]] : [],
    ),
    ...Object.entries(PACE).flatMap(([name, call]): [string, () => Promise<unknown>][] =>
      call ? [[`pace.${name}`, () => call(pace)]] : [],
    ),
  ];

  test('every call of wire and pace ends, and says that a part of ours is away; to an attempt it costs nothing', async () => {
    const attempt = attemptWith(async () => {
      await pace.reserve(order);
    });
    const ended = await Promise.all(
      calls().map(async ([name, call]) => [
        name,
        await call().then(
          () => 'answered',
          (error: unknown) => (error instanceof AppError ? error.code : String(error)),
        ),
      ]),
    );
    expect(Object.fromEntries(ended)).toEqual(Object.fromEntries(calls().map(([name]) => [name, 'unavailable'])));
    expect(isOutage((await attempt).error)).toBe(true);
  });

  test('a time limit that ends while an attempt waits for its turn costs nothing', async () => {
    const ledger = createLedgers().open('asks');
    const web = { ledger, isHeldUp: () => ledger.isHeldUp() } as unknown as Web;
    const isOver = new AbortController();
    const { error } = await attemptWith(
      async ({ openWeb, signal }) => {
        openWeb({ name: 'asks', kind: 'article', pace: { concurrency: 1, delayMs: 0 } });
        signal.addEventListener('abort', () => isOver.abort());
        const hasTurn = ledger.waits(pace);
        await pace.reserve({ ...order, signal: isOver.signal }).finally(hasTurn);
      },
      { web, timeout: 3 },
    );
    expect(error).toMatchObject({ message: expect.stringContaining('the time limit of 3 s ended') });
    expect(isOutage(error)).toBe(true);
    expect(pace.isAway()).toBe(true);
  });

  test('when it is back, all of them answer again', async () => {
    proxy.pass();
    for (const [name, call] of calls())
      await expect.poll(() => call().then(() => name, String), { timeout: 60_000 }).toBe(name);
    expect(pace.isAway()).toBe(false);
  });
});

const attemptWith = (
  runSource: RunSource,
  { web = { ledger: {} } as Web, timeout = 300 }: { web?: Web; timeout?: number } = {},
): Promise<Result> =>
  runAttempt({
    task: { task_id: 't', run_id: 'r', attempt: 1, scraper_type: 'asks', params: {}, timeout } as never,
    runSource,
    worker: 'w',
    stop: new AbortController(),
    webFor: () => web,
    onPart() {},
  });
