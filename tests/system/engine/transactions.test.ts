// What PostgreSQL breaks off by itself: P7 and P11.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool, transaction } from '../../../src/store/postgres/pool.ts';
import { freshDatabase } from '../../support/own-servers.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  database = await freshDatabase();
  pool = createPool({ connection: database.url, connectTimeoutMs: 30_000 });
  await pool.query('create table public.accounts (id int primary key, amount int not null)');
  await pool.query('insert into public.accounts values (1, 0), (2, 0)');
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

test('P7: two transactions that wait for each other both succeed, each once', async () => {
  let tries = 0;
  const both = Promise.withResolvers<void>();
  const add = (first: number, second: number) =>
    transaction(pool, async (client) => {
      await client.query('update public.accounts set amount = amount + 1 where id = $1', [first]);
      // At their first try each holds what the other wants.
      if (++tries === 2) both.resolve();
      await both.promise;
      await client.query('update public.accounts set amount = amount + 1 where id = $1', [second]);
    });
  await Promise.all([add(1, 2), add(2, 1)]);
  expect(tries).toBeGreaterThan(2);
  expect((await pool.query('select amount from public.accounts')).rows).toEqual([{ amount: 2 }, { amount: 2 }]);
});

test('P7: what fails again and again for that reason is refused with a time to come back', async () => {
  let tries = 0;
  const failing = transaction(pool, (client) => {
    tries++;
    return client.query(`do $$ begin raise exception 'could not serialize' using errcode = '40001'; end $$`);
  });
  await expect(failing).rejects.toMatchObject({ code: 'unavailable', retryAfterMs: expect.any(Number) });
  expect(tries).toBe(4);
});

test('P11: a session of ours that stays idle in a transaction is ended by PostgreSQL, and its locks with it', async () => {
  const idle = await pool.connect();
  idle.on('error', () => {});
  expect((await idle.query('show idle_in_transaction_session_timeout')).rows).toEqual([
    { idle_in_transaction_session_timeout: '1min' },
  ]);
  // The minute is not waited for.
  await idle.query('set idle_in_transaction_session_timeout = 200');
  await idle.query('begin');
  await idle.query('lock table public.accounts in access exclusive mode');
  await transaction(pool, (client) => client.query('update public.accounts set amount = 0'));
  idle.release(true);
});
