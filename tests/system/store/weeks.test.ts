// Prices of many months in a table of weeks: every row is taken, weeks go as a whole, and what was there before the weeks is not copied.
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { applyMigration, ensureTable, knownMigrations, migrate } from '../../../src/store/postgres/migrate.ts';
import { createPool } from '../../../src/store/postgres/pool.ts';
import { type Store, storeOver } from '../../../src/store/store.ts';
import { freshDatabase } from '../../support/own-servers.ts';

const KEEP = { runDays: 30, deadLetterDays: 30, idempotencyHours: 24, articleDays: 0, priceDays: 90, batch: 1_000 };

const OF_A_WEEK = 20_000;

let database: Awaited<ReturnType<typeof freshDatabase>>;
let pool: pg.Pool;
let store: Store;
beforeAll(async () => {
  database = await freshDatabase();
  // One session, so that what it has counted can be asked of it.
  pool = createPool({ connection: database.url, max: 1, onError: () => {} });
  await migrate(pool);
  store = storeOver(pool);
});
afterAll(async () => {
  await store?.close();
  await database?.drop();
});
beforeEach(async () => {
  await pool.query('truncate prices, rollup_marks, rollup_buckets, amount_cells');
});

const rowsOf = async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<R[]> =>
  (await pool.query<R>(text, values)).rows;
const count = async (table: string): Promise<number> =>
  (await rowsOf<{ n: number }>(`select count(*)::int as n from ${table}`))[0]!.n;
const partitions = async (): Promise<string[]> =>
  (
    await rowsOf<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'prices'::regclass order by 1`,
    )
  ).map(({ name }) => name);

/** `at` is SQL over `n`. */
const addPrices = (rows: number, at: string) =>
  pool.query(
    `insert into prices (at, product, title, source, currency, price_minor) select ${at}, 'p' || n % 10, 'Milk', 'kroger', 'USD', 100 + n % 50 from generate_series(1, $1::int) n`,
    [rows],
  );

/** A week as the orchestrator makes it, so many weeks before now. */
async function makeWeek(before: number): Promise<string> {
  const [week] = await rowsOf<{ name: string; from: string; to: string }>(
    `select to_char(at, '"prices_w"YYYYMMDD') as name, to_char(at, 'YYYY-MM-DD"T00:00Z"') as from, to_char(at + interval '1 week', 'YYYY-MM-DD"T00:00Z"') as to
     from (select date_trunc('week', now() at time zone 'utc') - make_interval(weeks => $1) as at) w`,
    [before],
  );
  await pool.query(
    `create table ${week!.name} partition of prices for values from ('${week!.from}') to ('${week!.to}')`,
  );
  return week!.name;
}

/** As a database that has had weeks for long: what was before them is gone. */
const forget = async (): Promise<void> => {
  for (const name of await partitions()) if (name !== 'prices_default') await pool.query(`drop table ${name}`);
};

/** In all tables, those of the catalog too: a table that is gone has no numbers any more. */
async function rowsRead(): Promise<number> {
  await pool.query('select pg_stat_force_next_flush()');
  await pool.query('select pg_stat_clear_snapshot()');
  const [read] = await rowsOf<{ n: number }>(
    `select tup_returned::float8 as n from pg_stat_database where datname = current_database()`,
  );
  return read!.n;
}

test('weeks past retention are dropped without a row being read, one a step, and roll-ups follow', async () => {
  await forget();
  const old = [];
  for (const before of [20, 19, 18, 3, 0]) old.push(await makeWeek(before));
  for (const before of [20, 19, 18, 3])
    await addPrices(
      OF_A_WEEK,
      `date_trunc('week', now(), 'UTC') - make_interval(weeks => ${before}) + n * interval '1 second'`,
    );
  await pool.query('analyze prices');
  while ((await store.rollUp({ budgetMs: 60_000, rest: 0 })) > 0);
  expect(await count('rollup_buckets')).toBe(4 * 2);
  const before = await rowsRead();
  const steps = [];
  for (let step = 0; step < 4; step++) steps.push(await store.trim(KEEP));
  expect(steps.map(({ prices, priceWeeks }) => [prices, priceWeeks])).toEqual([
    ...[1, 2, 3].map(() => [OF_A_WEEK, 1]),
    [0, 0],
  ]);
  expect((await rowsRead()) - before).toBeLessThan(OF_A_WEEK);
  expect(await partitions()).not.toContain(old[0]);
  expect(await partitions()).toContain(old[3]);
  expect(await count('prices')).toBe(OF_A_WEEK);
  while ((await store.rollUp({ budgetMs: 60_000, rest: 0 })) > 0);
  expect(await count('rollup_buckets')).toBe(2);
  expect(await count('amount_cells')).toBeGreaterThan(0);
});

test('late rows and rows of the future are taken, and find their week when it is made', async () => {
  await forget();
  await addPrices(30, `now() - interval '200 days'`);
  await addPrices(20, `now() + interval '10 days'`);
  await addPrices(10, `now() + interval '200 days'`);
  expect(await count('prices_default')).toBe(60);
  await store.trim({ ...KEEP, priceDays: 400 });
  expect(await count('prices_default')).toBe(40);
  expect((await partitions()).length).toBe(6);
  expect(await count('prices')).toBe(60);
  expect(await store.trim(KEEP)).toMatchObject({ prices: 30, priceWeeks: 0 });
  expect(await count('prices')).toBe(30);
  await addPrices(5, `now() - interval '200 days'`);
  expect(await count('prices_default')).toBe(15);
});

test('two orchestrators that trim at the same time make and drop each week once', async () => {
  await forget();
  for (const before of [20, 19, 18]) await makeWeek(before);
  await addPrices(300, `now() - interval '19 weeks' + n * interval '1 minute'`);
  const other = createPool({ connection: database.url, max: 2, onError: () => {} });
  try {
    let weeks = 0;
    for (let step = 0; step < 5; step++)
      for (const trimmed of await Promise.all([store.trim(KEEP), storeOver(other).trim(KEEP)]))
        weeks += trimmed.priceWeeks;
    expect(weeks).toBe(3);
    expect((await partitions()).length).toBe(6);
    expect(await count('prices')).toBe(0);
  } finally {
    await other.end();
  }
});

test('while somebody reads old prices, dropping them gives up within a request and comes again', async () => {
  await forget();
  const week = await makeWeek(20);
  const reader = new pg.Client({ connectionString: database.url, options: '-c search_path=windrow,public' });
  await reader.connect();
  try {
    await reader.query('begin');
    await reader.query(`select * from ${week}`);
    await expect(store.trim(KEEP)).rejects.toMatchObject({ code: 'unavailable' });
    await addPrices(1, 'now()');
    await reader.query('commit');
    expect(await store.trim(KEEP)).toMatchObject({ priceWeeks: 1 });
  } finally {
    await reader.end();
  }
});

test('a database from before the weeks keeps its rows where they are, and processes of the version before go on', async () => {
  const earlier = await freshDatabase();
  const older = new pg.Client({ connectionString: earlier.url, options: '-c search_path=windrow,public' });
  const newer = createPool({ connection: earlier.url, max: 1, onError: () => {} });
  const save = {
    name: 'save-prices',
    text: `insert into prices (product, title, seller, zipcode, source, currency, price_minor) select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])`,
    values: [['milk'], ['Milk'], [null], ['10001'], ['kroger'], ['USD'], [199]],
  };
  try {
    await older.connect();
    await migrateTo(newer, 39);
    await older.query(
      `insert into prices (at, product, title, source, currency, price_minor) select now() - n * interval '1 hour', 'p', 't', 's', 'USD', n from generate_series(1, 4000) n`,
    );
    await older.query(save);
    const { rows: files } = await older.query(`select pg_relation_filenode('prices') as file`);
    await migrate(newer);
    const { rows: same } = await older.query(`select pg_relation_filenode('prices_before') as file`);
    expect(same).toEqual(files);
    await older.query(save);
    // The same statement on the same connection, as retention of the version before asks it.
    await newer.query(`create table prices_w2020 partition of prices for values from ('2120-01-01') to ('2120-01-08')`);
    await newer.query(
      `insert into prices (at, product, title, source, currency, price_minor) select '2120-01-02', 'p', 't', 's', 'USD', 1 from generate_series(1, 4000)`,
    );
    await older.query(
      `with gone as (delete from prices where ctid in (select ctid from prices where at < now() - make_interval(days => $1) limit $2) returning 1) select count(*)::int as n from gone`,
      [90, 500],
    );
    const { rows: left } = await older.query('select count(*)::int as n from prices');
    expect(left).toEqual([{ n: 8_002 }]);
    expect(await storeOver(newer).trim(KEEP)).toMatchObject({ prices: 1_000 });
    const { rows: young } = await older.query(
      `select count(*)::int as n from prices where at > now() - interval '90 days'`,
    );
    expect(young).toEqual([{ n: 90 * 24 - 1 + 2 + 4_000 }]);
  } finally {
    await older.end();
    await newer.end();
    await earlier.drop();
  }
});

/** As a Windrow that knows no later migration. */
async function migrateTo(on: pg.Pool, last: number): Promise<void> {
  const client = await on.connect();
  await client.query('begin');
  await ensureTable(client);
  for (const file of await knownMigrations()) if (file.version <= last) await applyMigration(client, file, 1);
  await client.query('commit');
  client.release();
}
