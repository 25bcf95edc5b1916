// One suite, both carriers of the pace of hosts: what a fleet promises a site must be what one process promises it. A site counts the requests
// of an address, so what is promised is promised for each exit.
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, test } from 'vitest';
import { createMemoryPace } from '../../src/web/pace/memory.ts';
import type { PaceOrder, PaceSlot, PaceStore } from '../../src/web/pace/pace.ts';
import { createRedisPace } from '../../src/web/pace/redis.ts';

const url = process.env.TEST_REDIS_URL;
if (url === undefined) throw new Error('TEST_REDIS_URL is not set; run `npm test`');
const redis = new Redis(url);
afterAll(() => redis.quit());

const carriers: [string, () => Promise<PaceStore[]>][] = [
  [
    'memory',
    async () => {
      const one = createMemoryPace({ random: () => 0 });
      return [one, one];
    },
  ],
  [
    'redis, as two processes',
    () => {
      const prefix = `test-${randomUUID()}`;
      return Promise.all([1, 2].map(() => createRedisPace({ redis, prefix, random: () => 0 })));
    },
  ],
];

const never = new AbortController().signal;
const order = (more: Partial<PaceOrder> = {}): PaceOrder => ({
  host: 'news.example',
  exits: ['direct'],
  concurrency: 100,
  gapMs: 0,
  maxWaitMs: 60_000,
  signal: never,
  ...more,
});
const ok = { kind: 'ok', latencyMs: 5 } as const;
/** When it was reserved, on the carrier's clock. A test that is held up for a while then still knows what was promised from when on. */
const reservedAt = ({ startAt, waitMs }: PaceSlot): number => startAt - waitMs;

describe.each(carriers)('pace on %s', (_, open) => {
  async function using<T>(work: (a: PaceStore, b: PaceStore) => Promise<T>): Promise<T> {
    const [a, b] = await open();
    if (a === undefined || b === undefined) throw new Error('two carriers expected');
    try {
      return await work(a, b);
    } finally {
      await Promise.all([a.close(), b.close()]);
    }
  }

  test('starts are a gap apart, whoever asks', () =>
    using(async (a, b) => {
      const places = await Promise.all(
        Array.from({ length: 10 }, (_, i) => (i % 2 ? a : b).reserve(order({ gapMs: 200 }))),
      );
      const starts = places.map(({ startAt }) => startAt).sort((x, y) => x - y);
      for (const [index, start] of starts.slice(1).entries())
        expect(start - (starts[index] ?? 0)).toBeGreaterThanOrEqual(199);
    }));

  test('hosts do not wait for each other', () =>
    using(async (a) => {
      await a.reserve(order({ gapMs: 60_000 }));
      expect((await a.reserve(order({ host: 'other.example' }))).waitMs).toBe(0);
    }));

  test('no more than the allowed number at a time, each release lets one in, first come first served', () =>
    using(async (a, b) => {
      const held = await Promise.all([a.reserve(order({ concurrency: 2 })), b.reserve(order({ concurrency: 2 }))]);
      const got: number[] = [];
      const waiting = [0, 1, 2, 3].map(async (index) => {
        const place = await a.reserve(order({ concurrency: 2 }));
        got.push(index);
        return place;
      });
      await sleep(40);
      expect(got).toEqual([]);
      b.release('news.example', held[1], ok);
      const first = await waiting[0];
      await sleep(20);
      expect(got).toEqual([0]);
      a.release('news.example', held[0], ok);
      a.release('news.example', first as PaceSlot, ok);
      await Promise.all([waiting[1], waiting[2]]);
      expect(got).toEqual([0, 1, 2]);
      b.release('news.example', (await waiting[1]) as PaceSlot, ok);
      await waiting[3];
    }));

  test('a wait past the limit is refused at once, and the refused are sent back one after the other', () =>
    using(async (a, b) => {
      await a.reserve(order({ gapMs: 100_000 }));
      const refusals = await Promise.allSettled(
        [a, b, a].map((carrier) => carrier.reserve(order({ gapMs: 100_000, maxWaitMs: 1_000 }))),
      );
      const waits = refusals.map((refusal) => (refusal.status === 'rejected' ? refusal.reason.retryAfterMs : 0));
      waits.sort((x, y) => x - y);
      expect(waits[0]).toBeGreaterThan(50_000);
      expect(waits[1] - waits[0]).toBeGreaterThan(50_000);
      expect(waits[2] - waits[1]).toBeGreaterThan(50_000);
      expect(refusals[0]).toMatchObject({ reason: { code: 'rate_limited', details: { paced: true } } });
    }));

  test('a slow host refuses those who would wait long for a place instead of holding their slots', () =>
    using(async (a) => {
      const place = await a.reserve(order({ concurrency: 1 }));
      a.release('news.example', place, { kind: 'ok', latencyMs: 3_000 });
      await sleep(10);
      await a.reserve(order({ concurrency: 1 }));
      await expect(a.reserve(order({ concurrency: 1, maxWaitMs: 1_000 }))).rejects.toMatchObject({
        code: 'rate_limited',
      });
    }));

  test('a burst of throttled answers raises the backoff once', () =>
    using(async (a, b) => {
      const places = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? a : b).reserve(order())));
      for (const place of places) a.release('news.example', place, { kind: 'throttled', latencyMs: 5 });
      await sleep(30);
      const next = await b.reserve(order());
      expect(next.startAt - reservedAt(places[0]!)).toBeGreaterThan(990);
      expect(next.waitMs).toBeLessThanOrEqual(1_000);
    }));

  test('throttled again after the backoff doubles it, and a good answer ends the doubling', () =>
    using(async (a) => {
      const throttled = { kind: 'throttled', latencyMs: 5 } as const;
      const first = await a.reserve(order());
      a.release('news.example', first, throttled);
      await sleep(10);
      const second = await a.reserve(order());
      a.release('news.example', second, throttled);
      await sleep(10);
      const third = await a.reserve(order());
      expect(third.startAt - reservedAt(second)).toBeGreaterThan(1_990);
      a.release('news.example', third, ok);
      await sleep(10);
      const fourth = await a.reserve(order());
      a.release('news.example', { ...fourth, startAt: fourth.startAt + 5_000 }, throttled);
      await sleep(10);
      expect((await a.reserve(order())).waitMs).toBeLessThanOrEqual(2_000);
    }));

  test('Retry-After is obeyed, and a later answer of the same burst may only lengthen it', () =>
    using(async (a, b) => {
      const [one, two] = await Promise.all([a.reserve(order()), b.reserve(order())]);
      a.release('news.example', one, { kind: 'throttled', latencyMs: 5, retryAfterMs: 3_000 });
      await sleep(20);
      b.release('news.example', two, { kind: 'throttled', latencyMs: 5, retryAfterMs: 4_000 });
      await sleep(20);
      const next = await a.reserve(order());
      expect(next.startAt - reservedAt(two)).toBeGreaterThan(3_990);
      expect(next.waitMs).toBeLessThanOrEqual(4_000);
    }));

  test('who already waits for its start learns of a backoff that came meanwhile', () =>
    using(async (a, b) => {
      const first = await a.reserve(order({ gapMs: 1_000 }));
      const second = await b.reserve(order({ gapMs: 1_000 }));
      expect(second.startAt - first.startAt).toBeGreaterThan(990);
      expect((await b.renew(order({ gapMs: 1_000 }), second)).waitMs).toBe(0);
      a.release('news.example', first, { kind: 'throttled', latencyMs: 5, retryAfterMs: 2_000 });
      await sleep(20);
      const renewed = await b.renew(order({ gapMs: 1_000 }), second);
      expect(renewed.startAt - reservedAt(first)).toBeGreaterThan(1_990);
    }));

  test('an error page never makes a slow host look fast', () =>
    using(async (a) => {
      const answer = async (latencyMs: number, kind: 'ok' | 'failed') => {
        const place = await a.reserve(order());
        a.release('news.example', place, { kind, latencyMs });
        await sleep(5);
      };
      await answer(50, 'ok');
      for (let i = 0; i < 8; i += 1) await answer(900, 'ok');
      for (let i = 0; i < 20; i += 1) await answer(1, 'failed');
      const one = await a.reserve(order({ concurrency: 2 }));
      const next = await a.reserve(order({ concurrency: 2 }));
      expect(next.startAt - one.startAt).toBeGreaterThan(300);
    }));

  test('a cancelled wait leaves the line and its place to the next', () =>
    using(async (a) => {
      const held = await a.reserve(order({ concurrency: 1 }));
      const abort = new AbortController();
      const cancelled = a.reserve(order({ concurrency: 1, signal: abort.signal }));
      const next = a.reserve(order({ concurrency: 1 }));
      await sleep(20);
      abort.abort();
      await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
      a.release('news.example', held, ok);
      expect((await next).token).toBeTypeOf('string');
    }));

  test('three exits may be asked three times as often, each at its own pace, whoever asks', () =>
    using(async (a, b) => {
      const exits = ['a:1', 'b:2', 'c:3'];
      const paced = order({ exits, gapMs: 60_000, maxWaitMs: 1_000 });
      const slots = [await a.reserve(paced), await b.reserve(paced), await a.reserve(paced)];
      expect(slots.map(({ exit }) => exit).sort()).toEqual(exits);
      expect(slots.map(({ waitMs }) => waitMs)).toEqual([0, 0, 0]);
      await expect(b.reserve(paced)).rejects.toMatchObject({ code: 'rate_limited', details: { paced: true } });
    }));

  test('a 429 slows down the exit that got it and no other', () =>
    using(async (a, b) => {
      const exits = ['a:1', 'b:2'];
      const first = await a.reserve(order({ exits }));
      expect(first.exit).toBe('a:1');
      a.release('news.example', first, { kind: 'throttled', latencyMs: 5, retryAfterMs: 60_000 });
      await sleep(20);
      const next = await Promise.all([1, 2, 3].map(() => b.reserve(order({ exits }))));
      expect(next.map(({ exit, waitMs }) => [exit, waitMs])).toEqual(Array(3).fill(['b:2', 0]));
      expect((await a.reserve(order({ exits: ['a:1'] }))).waitMs).toBeGreaterThan(50_000);
    }));

  test('who waits for one exit does not stand before who waits for another', () =>
    using(async (a, b) => {
      const one = (exit: string) => order({ exits: [exit], concurrency: 1 });
      await a.reserve(one('a:1'));
      const held = await b.reserve(one('b:2'));
      let isServed = false;
      void a.reserve(one('a:1')).then(
        () => {
          isServed = true;
        },
        () => {},
      );
      const waiting = a.reserve(one('b:2'));
      await sleep(20);
      b.release('news.example', held, ok);
      expect((await waiting).exit).toBe('b:2');
      expect(isServed).toBe(false);
    }));

  test('a place that comes free at an exit goes on to whoever still waits for it', () =>
    using(async (a, b) => {
      const both = order({ exits: ['a:1', 'b:2'], concurrency: 1 });
      const held = [await a.reserve(both), await b.reserve(both)];
      const first = a.reserve(both);
      await sleep(20);
      const second = b.reserve(order({ exits: ['b:2'], concurrency: 1 }));
      await sleep(20);
      b.release('news.example', held[0]!, ok);
      expect((await first).exit).toBe('a:1');
      b.release('news.example', held[1]!, ok);
      expect((await second).exit).toBe('b:2');
    }));

  test('turns of many hosts are told at once: when the next one is and how many are due', () =>
    using(async (a, b) => {
      const pace = { concurrency: 2, delayMs: 60_000 };
      const exits = ['a:1', 'b:2', 'c:3'];
      const ask = (withinMs: number) =>
        b.turns(
          [
            { host: 'news.example', pace },
            { host: 'nobody.example', pace },
          ],
          withinMs,
        );
      const taken = await a.reserve(order({ exits, gapMs: 60_000, concurrency: 2 }));
      // A proxy of a task is that task's alone.
      await a.reserve(order({ exits: ['own:4'], isPrivate: true }));
      const dueForMs = expect.any(Number);
      expect(await ask(1_000)).toEqual([
        { nextInMs: 0, due: 2, inFlight: 1, places: 6, dueForMs },
        { nextInMs: 0, due: 1, inFlight: 0, places: 2, dueForMs },
      ]);
      for (const _ of [1, 2]) await b.reserve(order({ exits, gapMs: 60_000, concurrency: 2 }));
      const [used] = await ask(1_000);
      expect(used).toMatchObject({ due: 0, dueForMs: 0 });
      expect(used!.nextInMs).toBeGreaterThan(30_000);
      expect((await ask(100_000))[0]).toMatchObject({ due: 3 });
      a.release('news.example', taken, { kind: 'throttled', latencyMs: 5, retryAfterMs: 3_600_000 });
      await expect.poll(async () => (await ask(100_000))[0]).toMatchObject({ due: 2 });
      expect(await b.turns([], 1_000)).toEqual([]);
    }));

  test('turns are no more than the places that are free', () =>
    using(async (a) => {
      const pace = { concurrency: 2, delayMs: 0 };
      const due = async () => (await a.turns([{ host: 'news.example', pace }], 1_000))[0]!.due;
      expect(await due()).toBe(2);
      const first = await a.reserve(order({ concurrency: 2 }));
      expect(await due()).toBe(1);
      await a.reserve(order({ concurrency: 2 }));
      expect(await due()).toBe(0);
      // Answers in half a second: each place is free twice within the second.
      a.release('news.example', first, { kind: 'ok', latencyMs: 500 });
      await sleep(20);
      expect(await due()).toBe(5);
    }));

  test('whoever left the line leaves no timer behind to hold the process', () =>
    using(async (a) => {
      await a.reserve(order({ concurrency: 1 }));
      const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
      const before = timers();
      const abort = new AbortController();
      const leaving = Array.from({ length: 5 }, () => a.reserve(order({ concurrency: 1, signal: abort.signal })));
      await sleep(50);
      expect(timers()).toBeGreaterThan(before);
      abort.abort();
      await Promise.allSettled(leaving);
      // Not with `expect.poll`, which has a timer of its own.
      for (const end = performance.now() + 60_000; timers() > before && performance.now() < end; ) await nextTurn();
      expect(timers()).toBeLessThanOrEqual(before);
    }));
});

test('a place held by a process that died is free again when its lease is over', async () => {
  const prefix = `test-${randomUUID()}`;
  const pace = await createRedisPace({ redis, prefix });
  const places = `${prefix}:pace:{news.example}:direct:places`;
  const leaseOver = Date.now() + 300;
  await redis.zadd(places, leaseOver, 'dead-process:1');
  await pace.reserve(order({ concurrency: 1 }));
  expect(Date.now()).toBeGreaterThanOrEqual(leaseOver - 5);
  await pace.close();
});

test('a 429 and a slow host leave clocks that run out, whatever the fractions of their waits', async () => {
  const prefix = `test-${randomUUID()}`;
  const errors: Error[] = [];
  const pace = await createRedisPace({ redis, prefix, random: () => 0.123, onError: (error) => errors.push(error) });
  const one = order({ concurrency: 3 });
  for (const latencyMs of [10, 777, 3_333]) {
    pace.release('news.example', await pace.reserve(one), { kind: 'ok', latencyMs });
  }
  pace.release('news.example', await pace.reserve(one), { kind: 'throttled', latencyMs: 5, retryAfterMs: 1_234.5 });
  await pace.reserve(one);
  expect(errors).toEqual([]);
  expect(await redis.pttl(`${prefix}:pace:{news.example}:direct:clock`)).toBeGreaterThan(0);
  await pace.close();
});

test('a connection that was handed over is closed with the rest, one that was lent is not', async () => {
  const own = new Redis(url);
  const takeReexecState = await createRedisPace({ redis: own, prefix: `test-${randomUUID()}`, closesRedis: true });
  const lent = await createRedisPace({ redis, prefix: `test-${randomUUID()}` });
  await Promise.all([takeReexecState.close(), lent.close()]);
  await expect.poll(() => own.status).toBe('end');
  expect(await redis.ping()).toBe('PONG');
});

test('a Redis that forgot everything, scripts too, is taken as a fresh start', async () => {
  const pace = await createRedisPace({ redis, prefix: `test-${randomUUID()}` });
  const place = await pace.reserve(order());
  await redis.script('FLUSH');
  pace.release('news.example', place, ok);
  expect((await pace.reserve(order())).waitMs).toBe(0);
  await pace.close();
});
