// PgBouncer in transaction mode: a fleet works through it on few connections, and where its settings or those of the role do not allow that, the reason is said at the start.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  freshDatabase,
  type OwnPostgres,
  type OwnRedis,
  startPostgres,
  startRedis,
} from '../../support/own-servers.ts';
import { Roles } from '../../support/processes.ts';
import { Fleet } from '../../support/worlds/fleet.ts';
import { Load } from '../../support/worlds/load.ts';
import { type OwnPgBouncer, startPgBouncer } from '../../support/worlds/pgbouncer.ts';

const POOL_SIZE = 6;
const roles = new Roles();
const folder = mkdtempSync(join(tmpdir(), 'windrow-pooler-'));
let postgres: OwnPostgres;
let redis: OwnRedis;
let pooler: OwnPgBouncer;
/** Ignores what clients ask for, as operators are told in many places. */
let silent: OwnPgBouncer;
let direct: Client;
let f: Fleet | undefined;
let database: Awaited<ReturnType<typeof freshDatabase>>;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres({ isDurable: false }), startRedis()]);
  [pooler, silent] = await Promise.all([
    startPgBouncer(postgres, { default_pool_size: POOL_SIZE }),
    startPgBouncer(postgres, { ignore_startup_parameters: 'options' }),
  ]);
  direct = new Client({ connectionString: postgres.url });
  await direct.connect();
  database = await freshDatabase(postgres.url);
});
afterAll(async () => {
  await roles.reap();
  await f?.close();
  await direct?.end();
  await Promise.all([pooler?.stop(), silent?.stop()]);
  await Promise.all([postgres?.stop(), redis?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

function through({ url }: OwnPgBouncer, query = ''): string {
  const there = new URL(url);
  there.pathname = new URL(database.url).pathname;
  return there.href + query;
}

/** What an orchestrator says before it ends. */
async function refusalOf(databaseUrl: string): Promise<string> {
  const role = roles.start(['orchestrator'], { env: { DATABASE_URL: databaseUrl, REDIS_URL: redis.url } });
  expect((await role.waitForExit()).code, role.output).toBeGreaterThan(0);
  return role.output;
}

test('a pooler that the URL does not name is refused with the remedy, whatever it does with the settings of clients', async () => {
  expect(await refusalOf(through(pooler))).toMatch(
    /Cannot reach PostgreSQL at 127\.0\.0\.1:\d+ \(DATABASE_URL\): it is PgBouncer \(unsupported startup parameter.*Add \?pgbouncer=true/,
  );
  expect(await refusalOf(through(silent))).toMatch(
    /pooler \(PgBouncer\) that drops the settings.*Add \?pgbouncer=true/,
  );
});

test('a role without its settings is refused with the SQL that gives them, and that SQL is enough', async () => {
  const url = through(pooler, '?pgbouncer=true');
  const said = await refusalOf(url);
  const sql = /(alter role .* in database .* set search_path = .*;)/.exec(said)?.[1];
  expect(sql, said).toBeDefined();
  await direct.query(sql!.replaceAll(String.raw`\"`, '"'));
  // As RECONNECT does: connections that are open keep what they began with.
  await direct.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = $1',
    [new URL(database.url).pathname.slice(1)],
  );
  const role = roles.start(['orchestrator'], { env: { DATABASE_URL: url, REDIS_URL: redis.url } });
  await role.waitForLine(/process\.started/);
  expect((await role.terminate()).code).toBe(0);
  const doctor = roles.start(['doctor'], { env: { DATABASE_URL: through(pooler), REDIS_URL: redis.url } });
  await doctor.waitForExit();
  expect(doctor.output).toMatch(/FAIL.*it is PgBouncer/);
});

test('a fleet works through it under load, on fewer connections than it opens', async () => {
  for (const setting of [
    'search_path = windrow, public',
    `statement_timeout = '30s'`,
    `lock_timeout = '5s'`,
    `idle_in_transaction_session_timeout = '60s'`,
  ])
    await direct.query(`alter role windrow set ${setting}`);
  f = await Fleet.start({ postgresUrl: `${pooler.url}?pgbouncer=true`, workers: 2, orchestrators: 2 });
  const load = new Load(f, { people: 12 });
  try {
    await load.goesOn(40);
  } finally {
    await load.stop();
  }
  expect(load.failures).toEqual([]);
  const { rows } = await direct.query<{ open: number }>(
    `select count(*)::int as open from pg_stat_activity where datname = $1`,
    [new URL(f.databaseUrl).pathname.slice(1)],
  );
  expect(rows[0]!.open).toBeGreaterThan(0);
  expect(rows[0]!.open).toBeLessThanOrEqual(POOL_SIZE);
  await f.verify();
  const backup = roles.start(['backup', join(folder, 'all.gz')], { env: { DATABASE_URL: f.env.DATABASE_URL! } });
  expect((await backup.waitForExit()).code, backup.output).toBe(0);
});
