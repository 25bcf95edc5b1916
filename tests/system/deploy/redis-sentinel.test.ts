// Redis behind sentinels: the server dies under load and another takes its place, then it comes back and is given the place again.
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort, type OwnRedis, startRedis } from '../../support/own-servers.ts';
import { Roles } from '../../support/processes.ts';
import { Fleet } from '../../support/worlds/fleet.ts';
import { Load } from '../../support/worlds/load.ts';

const SENTINELS = 3;
const roles = new Roles();
let first: OwnRedis;
let second: OwnRedis;
let sentinels: OwnRedis[] = [];
let asking: Redis;
let f: Fleet;

beforeAll(async () => {
  first = await startRedis();
  second = await startRedis({ args: ['--replicaof', '127.0.0.1', String(first.port)] });
  const lines = [
    `sentinel monitor main 127.0.0.1 ${first.port} 2`,
    'sentinel down-after-milliseconds main 1500',
    'sentinel failover-timeout main 10000',
  ];
  sentinels = await Promise.all(Array.from({ length: SENTINELS }, () => startRedis({ sentinel: lines })));
  asking = new Redis({ port: sentinels[0]!.port });
});
afterAll(async () => {
  asking?.disconnect();
  await roles.reap();
  await f?.close();
  await Promise.all([first, second, ...sentinels].map((server) => server?.stop()));
});

const masterPort = async (): Promise<number> => {
  const answer = (await asking.call('SENTINEL', 'get-master-addr-by-name', 'main')) as string[];
  return Number(answer[1]);
};

test('a server that dies is replaced, and one that comes back is used again: no request fails, no run is lost', async () => {
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  f = await Fleet.start({ workers: 2, orchestrators: 2, env: { REDIS_URL: `redis+sentinel://${hosts}/main/0` } });
  const load = new Load(f);
  try {
    await load.goesOn();
    await f.until('the sentinels know each other and the replica', async () => {
      const [known, replicas] = await Promise.all([
        asking.call('SENTINEL', 'sentinels', 'main') as Promise<unknown[]>,
        asking.call('SENTINEL', 'replicas', 'main') as Promise<unknown[]>,
      ]);
      return known.length === SENTINELS - 1 && replicas.length === 1;
    });
    await first.kill();
    await f.until('the replica has its place', async () => (await masterPort()) === second.port);
    await load.goesOn();
    await first.start();
    await f.until('the other is its replica', async () => {
      const role = new Redis({ port: first.port });
      const [kind, , , state] = (await role.call('ROLE').finally(() => role.disconnect())) as string[];
      return kind === 'slave' && state === 'connected';
    });
    await f.until(
      'it is asked for',
      async () => (await asking.call('SENTINEL', 'failover', 'main').catch(() => '')) === 'OK',
    );
    await f.until('it has its place again', async () => (await masterPort()) === first.port);
    await load.goesOn();
  } finally {
    await load.stop();
  }
  expect(load.failures).toEqual([]);
  await f.verify();
});

test('a node of a Redis Cluster is refused at the start, by name', async () => {
  const node = await startRedis({ port: await freePort(), args: ['--cluster-enabled', 'yes'] });
  try {
    const worker = roles.start(['worker'], { env: { REDIS_URL: node.url, WORKER_LANES: 'http' } });
    expect((await worker.waitForExit()).code).toBe(1);
    expect(worker.output).toMatch(/127\.0\.0\.1:\d+ \(REDIS_URL\) is a node of a Redis Cluster.*redis\+sentinel:/);
  } finally {
    await node.stop();
  }
});
