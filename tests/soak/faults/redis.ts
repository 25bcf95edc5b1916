// Everything that can happen to Redis and to the way there.
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { SoakWorld } from '../world.ts';
import { between, type FaultGroup } from './fault.ts';

async function withRedis<T>(world: SoakWorld, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(world.fleet.redis.url);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

const LINK = (world: SoakWorld) => world.fleet.links!.redis;

export const redisFaults: FaultGroup = [
  { name: 'Redis flushed', losesPace: true, strike: (world) => world.fleet.redis.flush() },
  {
    name: 'Redis flushed five times',
    losesPace: true,
    async strike(world, random) {
      for (let n = 0; n < 5; n++) {
        await world.fleet.redis.flush();
        await sleep(between(random, 0.1, 1.5));
      }
    },
  },
  { name: 'Redis restarted empty', losesPace: true, strike: (world) => world.fleet.redis.restart() },
  {
    name: 'Redis down',
    losesPace: true,
    async strike(world, random) {
      await world.fleet.redis.kill();
      await sleep(between(random, 1, 20));
      await world.fleet.redis.start();
    },
  },
  {
    name: 'Redis frozen',
    losesPace: true,
    async strike(world, random) {
      world.fleet.redis.pause();
      await sleep(between(random, 1, 30));
      world.fleet.redis.resume();
    },
  },
  {
    name: 'link to Redis: black hole',
    losesPace: true,
    async strike(world, random) {
      LINK(world).blackHole();
      await sleep(between(random, 1, 30));
      LINK(world).pass();
    },
  },
  {
    name: 'link to Redis: reset',
    losesPace: true,
    async strike(world, random) {
      LINK(world).drop();
      await sleep(between(random, 1, 30));
      LINK(world).pass();
    },
  },
  {
    name: 'link to Redis: half-open',
    losesPace: true,
    async strike(world, random) {
      LINK(world).halfOpen();
      await sleep(between(random, 0.5, 10));
      LINK(world).pass();
    },
  },
  {
    name: 'link to Redis: slow',
    async strike(world, random) {
      LINK(world).delay(50 + random.below(250));
      await sleep(between(random, 1, 15));
      LINK(world).pass();
    },
  },
  {
    name: 'Redis at maxmemory',
    losesPace: true,
    async strike(world, random) {
      const ms = between(random, 1, 15);
      await withRedis(world, (redis) => redis.config('SET', 'maxmemory', '1mb'));
      await sleep(ms);
      await withRedis(world, (redis) => redis.config('SET', 'maxmemory', '0'));
    },
  },
  {
    name: 'Redis keys of wrong types',
    losesPace: true,
    async strike(world, random) {
      await withRedis(world, async (redis) => {
        for (const key of await redis.keys('*')) {
          const isText = (await redis.type(key)) === 'string';
          await redis.del(key);
          await (isText ? redis.rpush(key, 'x') : redis.set(key, 'x'));
        }
      });
      await sleep(between(random, 1, 10));
    },
  },
  { name: 'Redis scripts flushed', strike: (world) => withRedis(world, (redis) => redis.script('FLUSH')) },
  {
    name: 'Redis clients killed',
    async strike(world, random) {
      for (let n = 0; n < 4; n++) {
        await withRedis(world, (redis) => redis.call('CLIENT', 'KILL', 'TYPE', 'normal'));
        await withRedis(world, (redis) => redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub'));
        await sleep(between(random, 0.2, 3));
      }
    },
  },
];
