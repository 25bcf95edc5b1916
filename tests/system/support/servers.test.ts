// What every fault test leans on: that these servers do lose and keep what they say.
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  freshDatabase,
  type OwnPostgres,
  type OwnRedis,
  startPostgres,
  startRedis,
} from '../../support/own-servers.ts';

let postgres: OwnPostgres;
let redis: OwnRedis;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
});

afterAll(async () => {
  await Promise.all([postgres?.stop(), redis?.stop()]);
});

async function sql<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

test('a committed row survives a fast restart, an immediate one and a kill -9 of PostgreSQL', async () => {
  await sql(postgres.url, 'create table kept (n int)');
  await sql(postgres.url, 'insert into kept values (1)');
  await postgres.restart('fast');
  await sql(postgres.url, 'insert into kept values (2)');
  await postgres.restart('immediate');
  await sql(postgres.url, 'insert into kept values (3)');
  const killed = postgres.pid;
  postgres.kill('SIGKILL');
  await postgres.halt('fast');
  await postgres.start();
  expect(postgres.pid).not.toBe(killed);
  expect(await sql(postgres.url, 'select n from kept order by n')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  expect(
    await sql(postgres.url, "select setting from pg_settings where name in ('fsync', 'synchronous_commit')"),
  ).toEqual([{ setting: 'on' }, { setting: 'on' }]);
});

test('a fresh database is empty, apart from the others and gone when dropped, open sessions or not', async () => {
  const [one, two] = await Promise.all([freshDatabase(), freshDatabase()]);
  await sql(one.url, 'create table t (n int)');
  expect(await sql(two.url, "select 1 from pg_tables where tablename = 't'")).toEqual([]);
  const open = new Client({ connectionString: one.url });
  const broken = new Promise((resolve) => open.on('error', resolve));
  await open.connect();
  await Promise.all([one.drop(), two.drop()]);
  await broken;
  await expect(sql(one.url, 'select 1')).rejects.toMatchObject({ code: '3D000' });
});

test('Redis loses everything on a restart and on a flush, and answers nothing while paused', async () => {
  const client = new Redis(redis.url, { lazyConnect: true, maxRetriesPerRequest: 50, retryStrategy: () => 20 });
  client.on('error', () => {});
  await client.connect();
  await client.set('a', '1');
  await redis.restart();
  expect(await client.get('a')).toBeNull();
  await client.set('a', '2');
  await redis.flush();
  expect(await client.get('a')).toBeNull();
  redis.pause();
  const answer = client.ping();
  const early = await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 300, 'silence'))]);
  redis.resume();
  expect(early).toBe('silence');
  expect(await answer).toBe('PONG');
  client.disconnect();
});
