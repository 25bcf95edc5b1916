import { randomBytes } from 'node:crypto';
import { afterEach, test } from 'vitest';
import { createMemoryWire } from '../../src/wire/memory.ts';
import { openRedisWire } from '../../src/wire/redis.ts';
import { expectInvariantsUnderInterleaving } from './interleavings.ts';
import { openOneProcess } from './one-process.ts';
import type { World } from './world.ts';

/** `INTERLEAVING_SEEDS=7,8,9` plays others. */
const SEEDS = (process.env.INTERLEAVING_SEEDS ?? '1,2,3').split(',').map(Number);

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

test.each(SEEDS)('over memory, seed %i', async (seed) => {
  world = await openOneProcess({ wire: createMemoryWire(), orchestrators: 2, leaseSeconds: 2 });
  await expectInvariantsUnderInterleaving(world, seed);
});

test.each(SEEDS)('over Redis, seed %i', async (seed) => {
  const connection = {
    url: process.env.TEST_REDIS_URL!,
    prefix: `t-${randomBytes(4).toString('hex')}`,
    patienceMs: 15_000,
  };
  const [wire, testWire] = await Promise.all([openRedisWire(connection), openRedisWire(connection)]);
  world = await openOneProcess({ wire, testWire, orchestrators: 2, leaseSeconds: 2 });
  await expectInvariantsUnderInterleaving(world, seed);
});
