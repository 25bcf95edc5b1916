// Faults of Redis: R1 R2 R3 R5 R6. The truth is in PostgreSQL, so nothing that was acknowledged may depend on it.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Fleet } from '../support/worlds/fleet.ts';

let f: Fleet;

/** One fleet for several tests: each leaves it healed, which the invariants after each show. */
function withFleet(leaseSeconds: number): void {
  beforeAll(async () => {
    f = await Fleet.start({ env: { WORKER_CONCURRENCY: '8', LEASE_SECONDS: String(leaseSeconds) } });
  });
  beforeEach(() => f.target.hold());
  afterEach(() => f.verify());
  afterAll(() => f?.close());
}

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

const LONG_LEASE_SECONDS = 60;
/** Longer than a report waits that Redis handed to a reader who had given up. */
const FREEZE_LEASE_SECONDS = 25;

/** Refused is failed: nobody comes back here. */
const submitOne = (url: string) => f.client.submit({ articles: [{ url }] });

const health = async (): Promise<string> => String((await f.client.call('GET', '/health')).json.status);

describe('without a lease that runs out', () => {
  // What comes back in time does so because somebody saw that Redis was lost.
  withFleet(LONG_LEASE_SECONDS);

  test('R1: with Redis down a thousand submits are all accepted, quickly, and done when it is back', async () => {
    const quantile = (times: number[], part: number) => times[Math.floor(times.length * part)]!;
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
    // One that waits for Redis takes a second. On a machine on which it is never quick, about as quick as ever.
    expect(quantile(times, 0.5)).toBeLessThan(Math.max(500, 5 * quantile(usual, 0.5)));
    expect(quantile(times, 0.99)).toBeLessThan(Math.max(5_000, 10 * quantile(usual, 0.99)));
    await f.until('the first page is asked for', () => f.target.hits.length > before);
    expect(performance.now() - back).toBeLessThan(60_000);
    await f.until('health is well again', async () => (await health()) === 'ok');
    await f.allEnded();
    expect(f.target.hits).toHaveLength(before + 1_000);
  });

  test('R2: an API that starts while Redis is down serves, accepts, and needs no restart when it is back', async () => {
    const before = await f.submit(f.urls(1));
    await f.ended(before.runId);
    await f.kill(f.api);
    await f.redis.kill();
    await f.startApi();
    expect(await f.client.status(before.runId)).toMatchObject({ status: 'completed' });
    const during = await f.submit(f.urls(5));
    expect(await f.client.status(during.runId)).toMatchObject({ status: 'running' });
    await f.until('health says degraded', async () => (await health()) === 'degraded');
    await f.redis.start();
    expect(await f.ended(during.runId)).toMatchObject({ status: 'completed', completed: 5 });
    await f.until('health is well again', async () => (await health()) === 'ok');
  });

  test('R3: after FLUSHALL with tasks waiting and active all of them finish, each item once', async () => {
    const urls = f.urls(60, '?held=1');
    const { runId } = await f.submit(urls);
    await f.until('some are active', () => f.target.open >= 10);
    // What was sent a moment ago may be with a worker that has not said so yet, and waits for its lease to be over.
    await f.until('what waits has waited for a while', () =>
      f.withSql(async (sql) => {
        const young = await sql(
          `select 1 from windrow.leases where worker is null and sent_at > now() - interval '5 seconds'`,
        );
        return young.length === 0;
      }),
    );
    await f.redis.flush();
    f.target.letGo();
    expect(await f.ended(runId)).toEqual({ status: 'completed', total: 60, completed: 60, failed: 0 });
    // Active ones may run twice, no more.
    for (const url of urls) expect(f.hitsOf(url).length).toBeLessThanOrEqual(2);
  });

  test('R5: after kill -9 of Redis and an empty restart workers resume long before a lease is over', async () => {
    const urls = f.urls(60, '?held=1');
    const { runId } = await f.submit(urls);
    await f.until('some are active', () => f.target.open >= 5);
    await f.redis.kill();
    f.target.letGo();
    await sleep(6_000);
    const asked = f.target.hits.length;
    await f.redis.start();
    const back = performance.now();
    await f.until('a page is asked for again', () => f.target.hits.length > asked);
    expect((performance.now() - back) / 1_000).toBeLessThan(LONG_LEASE_SECONDS * 0.8);
    expect(await f.ended(runId)).toEqual({ status: 'completed', total: 60, completed: 60, failed: 0 });
    for (const url of urls) expect(f.hitsOf(url).length).toBeLessThanOrEqual(2);
  });
});

describe('with leases that run out meanwhile', () => {
  withFleet(FREEZE_LEASE_SECONDS);

  test('R6: while Redis is frozen API calls stay quick; when it goes on, what it did late does no harm', async () => {
    const urls = f.urls(40, '?held=1');
    const { runId } = await f.submit(urls);
    await f.until('some are active', () => f.target.open >= 5);
    f.redis.pause();
    f.target.letGo();
    const until = performance.now() + 1.5 * FREEZE_LEASE_SECONDS * 1_000;
    const times: number[] = [];
    while (performance.now() < until) {
      const started = performance.now();
      const late = await submitOne(f.urls(1)[0]!);
      await f.client.status(late.runId);
      times.push(performance.now() - started);
      await sleep(300);
    }
    f.redis.resume();
    // Two calls each; a call may wait for the wire once, for a second. One that waited for Redis itself would take as long as that is frozen.
    expect(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]).toBeLessThan(4_000);
    expect(Math.max(...times)).toBeLessThan(FREEZE_LEASE_SECONDS * 1_000);
    expect(await f.ended(runId)).toEqual({ status: 'completed', total: 40, completed: 40, failed: 0 });
    // Hardly anything runs twice. What was being sent when Redis froze is sent again, so some pages may come three times; their late results are refused.
    const hits = urls.map((url) => f.hitsOf(url).length);
    expect(Math.max(...hits)).toBeLessThanOrEqual(4);
    expect(hits.reduce((sum, count) => sum + count, 0)).toBeLessThan(2 * urls.length);
  });
});
