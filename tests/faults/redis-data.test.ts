// Faults of what Redis holds: R4 R10 R11 R13, and P10: nobody depends on being woken. One fleet for all: each test leaves it healed, which the invariants after
// each show.
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type OwnRedis, startRedis } from '../support/own-servers.ts';
import { seeded } from '../support/random.ts';
import { Fleet } from '../support/worlds/fleet.ts';

let f: Fleet;
let replica: OwnRedis;
beforeAll(async () => {
  f = await Fleet.start({ isLinked: true, env: { WORKER_CONCURRENCY: '8' } });
  replica = await startRedis();
});
afterEach(() => f.verify());
afterAll(async () => {
  await f?.close();
  await replica?.stop();
});

async function withRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

const all = (total: number) => ({ status: 'completed', total, completed: total, failed: 0 });

test('R4: FLUSHALL ten times during a run: all tasks finish, each item once', async () => {
  const random = seeded(4);
  const { runId } = await f.submit(f.urls(80, '?slow=400'));
  for (let n = 0; n < 10; n++) {
    await sleep(random.below(600));
    await f.redis.flush();
  }
  expect(await f.ended(runId)).toEqual(all(80));
});

test('R11: without its scripts Redis is told them again, and nothing fails', async () => {
  const { runId } = await f.submit(f.urls(40, '?slow=200'));
  for (let n = 0; n < 5; n++) {
    await withRedis(f.redis.url, (redis) => redis.script('FLUSH'));
    await sleep(200);
  }
  expect(await f.ended(runId)).toEqual(all(40));
});

test('R10: with Redis at its maxmemory submits are accepted, few errors are logged, and all is done when there is room', async () => {
  await withRedis(f.redis.url, (redis) => redis.config('SET', 'maxmemory', '1mb'));
  let lines: number;
  const seconds = 8;
  let runs: { runId: string }[];
  try {
    const before = f.orchestrators[0]!.output.length + f.workers[0]!.output.length;
    runs = await Promise.all(f.urls(20).map((url) => f.client.submit({ articles: [{ url }] })));
    await sleep(seconds * 1_000);
    const after = f.orchestrators[0]!.output.length + f.workers[0]!.output.length;
    lines = (after - before) / 100 / seconds;
  } finally {
    await withRedis(f.redis.url, (redis) => redis.config('SET', 'maxmemory', '0'));
  }
  // A line has more than a hundred characters. A loop without a pause would write thousands of them.
  expect(lines).toBeLessThan(500);
  for (const { runId } of runs) expect(await f.ended(runId)).toEqual(all(1));
});

test('P10: when everybody who listens is cut off again and again, work that nobody was woken for is found', async () => {
  let isOver = false;
  const cutting = withRedis(f.redis.url, async (redis) => {
    while (!isOver) {
      await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
      await sleep(50);
    }
  });
  try {
    for (let n = 0; n < 5; n++) {
      const { runId } = await f.submit(f.urls(3));
      expect(await f.ended(runId)).toEqual(all(3));
    }
  } finally {
    isOver = true;
    await cutting;
  }
});

// The last one: the first Redis is gone after it.
test('R13: a failover to a replica that lags: what was sent since is done all the same', async () => {
  await withRedis(f.redis.url, (redis) => redis.config('SET', 'repl-diskless-sync-delay', '0'));
  await withRedis(replica.url, async (redis) => {
    // It may have no folder to write to.
    await redis.config('SET', 'repl-diskless-load', 'swapdb');
    await redis.replicaof('127.0.0.1', f.redis.port);
  });
  const known = await f.submit(f.urls(20, '?slow=200'));
  await f.until('the replica has what the first has', () =>
    withRedis(replica.url, async (redis) => /master_link_status:up/.test(await redis.info('replication'))),
  );
  // From here on the replica hears nothing.
  replica.pause();
  f.target.hold();
  const unknown = await f.submit(f.urls(20, '?held=1'));
  await f.until('some are under way', () => f.target.open >= 5);
  await f.redis.kill();
  replica.resume();
  await withRedis(replica.url, (redis) => redis.replicaof('NO', 'ONE'));
  f.links!.redis.leadTo(replica.port);
  f.target.letGo();
  for (const { runId } of [known, unknown]) expect(await f.ended(runId)).toEqual(all(20));
  await f.redis.start();
});
