// Faults of Redis: R1 R2 R3 R5 R6. The truth is in PostgreSQL, so nothing that was acknowledged may depend on it.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Fleet, LEASE_SECONDS } from '../support/worlds/fleet.ts';

// One fleet for all: each test leaves it healed, which the invariants after each show.
let f: Fleet;
beforeAll(async () => {
  f = await Fleet.start({ env: { WORKER_CONCURRENCY: '8' } });
});
afterEach(() => f.verify());
afterAll(() => f?.close());

/** Runs `work` over all entries, a few at a time, and returns how long each took, sorted. */
async function timed<T>(entries: T[], atOnce: number, work: (entry: T) => Promise<unknown>): Promise<number[]> {
  const left = [...entries];
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let entry = left.shift(); entry !== undefined; entry = left.shift()) {
        const started = performance.now();
        await work(entry);
        times.push(performance.now() - started);
      }
    }),
  );
  return times.toSorted((a, b) => a - b);
}

/** Refused is failed: nobody comes back here. */
const submitOne = (url: string) => f.client.submit({ articles: [{ url }] });

const health = async (): Promise<string> => String((await f.client.call('GET', '/health')).json.status);

test('R1: with Redis down a thousand submits are all accepted, quickly, and done when it is back', async () => {
  const p99 = (times: number[]) => times[Math.floor(times.length * 0.99)]!;
  const usual = await timed(f.urls(200), 10, submitOne);
  await f.allEnded();
  const before = f.target.hits.length;
  await f.redis.kill();
  let times: number[];
  try {
    times = await timed(f.urls(1_000), 10, submitOne);
    await f.until('health says degraded', async () => (await health()) === 'degraded');
  } finally {
    await f.redis.start();
  }
  const back = performance.now();
  expect(times).toHaveLength(1_000);
  // On a machine on which it is never that quick, about as quick as ever.
  expect(p99(times)).toBeLessThan(Math.max(500, 3 * p99(usual)));
  await f.until('the first page is asked for', () => f.target.hits.length > before);
  expect(performance.now() - back).toBeLessThan(30_000);
  await f.until('health is well again', async () => (await health()) === 'ok');
  await f.allEnded();
  expect(f.target.hits).toHaveLength(before + 1_000);
});

test('R2: an API that starts while Redis is down serves, accepts, and needs no restart when it is back', async () => {
  const before = await f.submit(f.urls(1));
  await f.ended(before.runId);
  await f.kill(f.api);
  await f.redis.kill();
  const started = performance.now();
  await f.startApi();
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(await f.client.status(before.runId)).toMatchObject({ status: 'completed' });
  const during = await f.submit(f.urls(5));
  expect(await f.client.status(during.runId)).toMatchObject({ status: 'running' });
  expect(await health()).toBe('degraded');
  await f.redis.start();
  expect(await f.ended(during.runId)).toMatchObject({ status: 'completed', completed: 5 });
  await f.until('health is well again', async () => (await health()) === 'ok');
});

test('R3: after FLUSHALL with tasks waiting and active all of them finish, each item once', async () => {
  const urls = f.urls(60, '?slow=700');
  const { runId } = await f.submit(urls);
  await f.until('some are active', () => f.target.open >= 10);
  await f.redis.flush();
  const flushedAt = performance.now();
  expect(await f.ended(runId)).toEqual({ status: 'completed', total: 60, completed: 60, failed: 0 });
  expect((performance.now() - flushedAt) / 1_000).toBeLessThan(40);
  // Active ones may run twice, no more.
  for (const url of urls) expect(f.hitsOf(url).length).toBeLessThanOrEqual(2);
});

test('R5: after kill -9 of Redis and an empty restart workers resume within five seconds', async () => {
  const urls = f.urls(60, '?slow=500');
  const { runId } = await f.submit(urls);
  await f.until('some are active', () => f.target.open >= 5);
  await f.redis.kill();
  await sleep(6_000);
  const asked = f.target.hits.length;
  await f.redis.start();
  const back = performance.now();
  await f.until('a page is asked for again', () => f.target.hits.length > asked);
  expect(performance.now() - back).toBeLessThan(5_000 + 2_000);
  expect(await f.ended(runId)).toEqual({ status: 'completed', total: 60, completed: 60, failed: 0 });
  for (const url of urls) expect(f.hitsOf(url).length).toBeLessThanOrEqual(2);
});

test('R6: while Redis is frozen API calls stay quick; when it goes on, what it did late does no harm', async () => {
  const urls = f.urls(40, '?slow=500');
  const { runId } = await f.submit(urls);
  await f.until('some are active', () => f.target.open >= 5);
  f.redis.pause();
  const until = performance.now() + 3 * LEASE_SECONDS * 1_000;
  const times: number[] = [];
  while (performance.now() < until) {
    const started = performance.now();
    const late = await submitOne(f.urls(1)[0]!);
    await f.client.status(late.runId);
    times.push(performance.now() - started);
    await sleep(300);
  }
  f.redis.resume();
  // Two calls each; a call may wait for the wire once, for a second. One that waited for Redis itself would take nine.
  expect(Math.max(...times)).toBeLessThan(4_000);
  expect(await f.ended(runId)).toEqual({ status: 'completed', total: 40, completed: 40, failed: 0 });
  // Twice at most. On a busy machine a lease of three seconds may run out once more before its first heartbeat is heard: a page or two more, never many.
  const hits = urls.map((url) => f.hitsOf(url).length);
  expect(Math.max(...hits)).toBeLessThanOrEqual(3);
  expect(hits.filter((count) => count > 2).length).toBeLessThanOrEqual(2);
});
