// A Redis that is set up in a way that cannot work, or only until it is full: R11 and R12. It is said at the start, and not in a loop.
import { connect, createServer } from 'node:net';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort, type OwnRedis, startRedis } from '../support/own-servers.ts';
import { type RoleProcess, Roles } from '../support/processes.ts';

const roles = new Roles();
let redis: OwnRedis;
let client: Redis;
beforeAll(async () => {
  redis = await startRedis();
  client = new Redis(redis.url);
});
afterAll(async () => {
  client?.disconnect();
  await roles.reap();
  await redis?.stop();
});

const worker = (url: string): RoleProcess => roles.start(['worker'], { env: { REDIS_URL: url, WORKER_LANES: 'http' } });

test('R12: an eviction policy that may delete tasks is warned of at the start', async () => {
  await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
  const started = worker(redis.url);
  await started.waitForLine(/wire\.setup.*maxmemory-policy is allkeys-lru: set it to noeviction/);
  await started.kill();
  await client.config('SET', 'maxmemory-policy', 'noeviction');
});

test('R11: a version that is too old is said at the start', async () => {
  const port = await freePort();
  // The same server, but for its number.
  const older = createServer((socket) => {
    const server = connect(redis.port, '127.0.0.1');
    socket.on('error', () => {}).pipe(server);
    server
      .on('error', () => {})
      .on('data', (data) => {
        socket.write(Buffer.from(data.toString('latin1').replace(/redis_version:\d/, 'redis_version:5'), 'latin1'));
      });
    socket.on('close', () => server.destroy());
  });
  await new Promise<void>((done) => older.listen(port, '127.0.0.1', done));
  const started = worker(`redis://127.0.0.1:${port}`);
  await started.waitForLine(/wire\.setup.*Redis 5\.\S+ is too old. Redis 7 or newer is needed/);
  await started.kill();
  await new Promise((done) => older.close(done));
});

test('R11: a wrong password is said with its reason, again and again but not in a loop', async () => {
  await client.config('SET', 'requirepass', 'right');
  const started = worker(`redis://:wrong@127.0.0.1:${redis.port}`);
  await started.waitForLine(/WRONGPASS/);
  const lines = () => started.output.split('\n').length;
  const before = lines();
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  // One that tries without a pause writes thousands.
  expect(lines() - before).toBeLessThan(500);
  expect(started.output).not.toContain('wrong@');
  await started.kill();
});
