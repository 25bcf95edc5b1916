// Connections to PostgreSQL whose packets vanish. Neither side is told; what waits on them must not wait for a statement's whole timeout after the server can be
// reached again, and a statement that only takes long must be left alone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool, query, transaction } from '../../../src/store/postgres/pool.ts';
import { freshDatabase } from '../../support/own-servers.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let way: TcpProxy;
let pool: ReturnType<typeof createPool>;
let direct: ReturnType<typeof createPool>;
beforeAll(async () => {
  database = await freshDatabase();
  way = await TcpProxy.to(database.url);
  const connectTimeoutMs = 30_000;
  pool = createPool({ connection: way.through(database.url), max: 4, lockTimeoutMs: 60_000, connectTimeoutMs });
  direct = createPool({ connection: database.url, max: 2, lockTimeoutMs: 60_000, connectTimeoutMs });
  await query(direct, 'create table held (id int primary key)');
  await query(direct, 'insert into held values (1)');
});
afterAll(async () => {
  // Those that the proxy swallowed would be waited for.
  await way?.close();
  await Promise.all([pool?.end(), direct?.end()]);
  await database?.drop();
});

test('R7: a lost connection is closed, what it held is free, and a statement that takes long is left alone', async () => {
  let atWork!: () => void;
  const isLocked = new Promise<void>((resolve) => {
    atWork = resolve;
  });
  let goOn!: () => void;
  const isCut = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const lost = transaction(pool, async (client) => {
    await client.query('select id from held where id = 1 for update');
    atWork();
    await isCut;
    await client.query('select 1');
  });
  // So that one is idle in the pool when the packets vanish.
  await query(pool, 'select 1');
  await isLocked;
  way.blackHole();
  goOn();
  way.pass();
  // Takes the one that was idle.
  const next = query(pool, 'select 1');
  const slow = query(direct, 'select pg_sleep(12) is null as ended');
  const waiting = query(direct, 'select id from held for update');

  const isLost = { code: 'unavailable', cause: { message: expect.stringContaining('packets were lost') } };
  await Promise.all([
    expect(lost).rejects.toMatchObject(isLost),
    expect(next).rejects.toMatchObject(isLost),
    expect(waiting).resolves.toEqual([{ id: 1 }]),
    expect(slow).resolves.toEqual([{ ended: false }]),
  ]);
  expect(await query(pool, 'select 1 as one')).toEqual([{ one: 1 }]);
}, 120_000);
