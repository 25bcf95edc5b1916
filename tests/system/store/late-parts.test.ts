// A result in parts meets the reaper: the lease runs out while the recorder waits for it. Whatever is then taken back, a last part never ends a task whose
// earlier parts are missing.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../../src/store/postgres/migrate.ts';
import { createPool } from '../../../src/store/postgres/pool.ts';
import { rememberLost } from '../../../src/store/queue/lost-attempts.ts';
import { requeue, takeLeases } from '../../../src/store/queue/queue.ts';
import { type Reported, resolve } from '../../../src/store/queue/resolve.ts';
import { until } from '../../conformance/world.ts';
import { freshDatabase } from '../../support/own-servers.ts';

const LEASE_SECONDS = 60;

let database: Awaited<ReturnType<typeof freshDatabase>>;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  database = await freshDatabase();
  pool = createPool({ connection: database.url, max: 4, lockTimeoutMs: 60_000, onError: () => {} });
  await migrate(pool);
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

/** Part 1 is recorded; `last` arrives while the reaper takes the lease. */
async function meetReaper(last: number): Promise<Reported> {
  const task = { task_id: randomUUID(), attempt: 1 };
  await pool.query(
    `insert into leases (task_id, key, run_seq, lane, line, band, turn, attempt, failures, crashes, waits, part, lease_until)
     values ($1, $2, 1, 'http', 'article', 1, 1, 1, 0, 0, 0, 1, now())`,
    [task.task_id, randomUUID()],
  );
  const reaper = await pool.connect();
  await reaper.query('begin');
  await rememberLost(reaper, [task.task_id]);
  const [lease] = (await takeLeases(reaper, [task])).values();
  await requeue(reaper, [{ ...lease!, lease: lease!, delayMs: 0 }]);
  let seen: Reported | undefined;
  const part = { ...task, part: last, last: true };
  const recording = resolve(
    pool,
    { tasks: [task], parts: [part], failed: [], succeeded: [part], leaseSeconds: LEASE_SECONDS },
    (reported) => {
      seen = reported;
      return { settled: [], requeued: [], itemBatches: [] };
    },
  );
  await until('the recorder waits for the lease', async () => {
    const { rows } = await pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  });
  await reaper.query('commit');
  reaper.release();
  await recording;
  return seen!;
}

test('D2: a last part that overtook others waits for them, however its lease came back', async () => {
  const { leases, parts } = await meetReaper(3);
  expect([leases.size, parts.early.size]).toEqual([0, 1]);
});

test('D2: a last part that is the next one ends its task', async () => {
  const { leases, parts } = await meetReaper(2);
  expect([leases.size, parts.early.size]).toEqual([1, 0]);
});
