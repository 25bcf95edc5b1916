// The engine in one process over Redis Streams, with two orchestrators, since none of them leads.
import { randomBytes } from 'node:crypto';
import { openRedisWire } from '../../src/wire/redis.ts';
import { engineSuite } from './engine.ts';
import { openOneProcess } from './one-process.ts';

engineSuite('in one process over Redis', async () => {
  const connection = {
    url: process.env.TEST_REDIS_URL!,
    prefix: `t-${randomBytes(4).toString('hex')}`,
    patienceMs: 15_000,
  };
  const [wire, testWire] = await Promise.all([openRedisWire(connection), openRedisWire(connection)]);
  return openOneProcess({ wire, testWire, orchestrators: 2 });
});
