// Answers from roll-ups are those of the rows, whatever was written, changed, deleted and interrupted in the meantime.
import type pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createPool } from '../../../src/store/postgres/pool.ts';
import type { AnalyticsOptions, Group } from '../../../src/store/postings/posting-analytics.ts';
import { openStore, type Store, storeOver } from '../../../src/store/store.ts';
import { openSql, problems, type Sql } from '../../support/invariants.ts';
import { freshDatabase } from '../../support/own-servers.ts';
import { pay, place, posting, save } from '../../support/worlds/postings.ts';

const DAY = 86_400_000;
const DAYS = 24;
const SEED = Number(process.env.PROPERTY_SEED ?? 15);

let database: Awaited<ReturnType<typeof freshDatabase>>;
let pool: pg.Pool;
let store: Store;
beforeAll(async () => {
  database = await freshDatabase();
  await (await openStore({ connection: database.url, connectTimeoutMs: 30_000 })).close();
  pool = createPool({ connection: database.url, max: 4, onError: () => {} });
  store = storeOver(pool);
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

/** Always the same numbers. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const random = randomFrom(SEED);
const pick = <T>(of: readonly T[]): T => of[random(of.length)]!;
const oneStep = { budgetMs: 0, rest: 0 };
const rollUpAll = () => store.rollUp({ budgetMs: 60_000, rest: 0 });

const midnight = new Date(Math.floor(Date.now() / DAY) * DAY);
/** Tomorrow too, should it be midnight meanwhile. */
const TODAY = {
  from: midnight,
  to: new Date(midnight.getTime() + 2 * DAY),
  bucket: 'day',
  filter: {},
  limit: 10,
  limitMs: 60_000,
} as const;

let made = 0;
const draft = (id: string) =>
  posting({
    source: pick(['indeed', 'bayt', 'naukri']),
    external_id: id,
    company: pick(['Acme', 'ACME', 'Beta', 'Gamma', null]),
    locations: [place(pick(['Austin', 'Berlin', 'Pune']), pick(['US', 'DE', 'IN']))],
    remote_type: pick(['remote', 'hybrid', 'onsite', 'unknown']),
    seniority: pick(['senior', 'mid', 'unknown']),
    job_types: pick([['full_time'], ['contract', 'part_time'], []]),
    skills: pick([[], ['sql'], ['sql', 'rust'], ['rust', 'rust']]),
    salary: pick([
      null,
      pay(50_000 + random(9) * 1_000, 90_000),
      pay(40, 60, { currency: 'EUR', interval: 'hour' }),
      pay(4_000, 5_000, { interval: 'month', flags: ['interval_inferred'] }),
    ]),
  });

const someKey = `(select key from postings order by md5(key::text || $1) limit 1)`;
const change = (set: string) => () =>
  pool.query(`update postings set ${set} where key = ${someKey}`, [`${random(1e6)}`]);
const lateBy = () => `now() - interval '1 minute' * ${random(DAYS * 1_440)}`;

const CHANGES: (() => Promise<unknown>)[] = [
  () => save(pool, ...Array.from({ length: 1 + random(4) }, () => draft(`id-${made++}`))),
  // Late arrivals: seen first long ago, written now.
  async () => {
    await save(pool, draft(`id-${made++}`));
    await pool.query(`update postings set first_seen_at = ${lateBy()} where external_id = $1`, [`id-${made - 1}`]);
  },
  () =>
    pool.query(`insert into postings (key, source, external_id, job_hash, title, data, first_seen_at)
      select gen_random_uuid(), 'late', 'late-' || gen_random_uuid(), 'h', 't', '{"skills": ["go"]}', ${lateBy()}`),
  // The same advertisement, scraped again: some of it is different.
  () => save(pool, draft(`id-${random(made + 1)}`)),
  change('last_seen_at = now()'),
  change(`data = jsonb_set(data, '{skills}', '["sql", "cobol"]')`),
  change(`data = jsonb_set(data, '{salary_annual}', '{"min": 61000, "max": 62000}')`),
  () =>
    change(
      `group_id = (array[null, '${'0'.repeat(8)}-0000-4000-8000-00000000000${random(4)}']::uuid[])[1 + ${random(2)}]`,
    )(),
  () => change(`first_seen_at = ${lateBy()}`)(),
  () => pool.query(`delete from postings where key = ${someKey}`, [`${random(1e6)}`]),
  () =>
    pool.query(
      `insert into prices (at, product, title, seller, zipcode, source, currency, price_minor)
       select ${pick(['now()', lateBy()])}, 'p' || n, 'Milk', $1, $2, $3, $4, 100 + ${random(50)} from generate_series(1, ${1 + random(5)}) n`,
      [pick(['Corner', 'Mall', null]), pick(['10001', '94110']), pick(['kroger', 'walmart']), pick(['USD', 'EUR'])],
    ),
  () =>
    pool.query(`delete from prices where ctid in (select ctid from prices order by md5(ctid::text || $1) limit 1)`, [
      `${random(1e6)}`,
    ]),
];

const GROUPINGS: Group[][] = [
  [],
  ['source'],
  ['company'],
  ['skill'],
  ['country', 'remote_type'],
  ['job_type', 'seniority'],
  ['city'],
];

function question(): { name: string; ask(): Promise<Answer> } {
  const now = Date.now();
  const from = new Date(pick([midnight.getTime() - random(DAYS) * DAY, now - random(DAYS * 1_440) * 60_000 - 60_000]));
  const to = new Date(
    pick([
      now + 60_000,
      midnight.getTime() + DAY,
      Math.max(from.getTime() + 60_000, midnight.getTime() - random(5) * DAY),
    ]),
  );
  const bucket = pick(['day', 'week', null, 'hour'] as const);
  const groups = pick(GROUPINGS);
  const filter = pick([
    {},
    {},
    { sources: ['bayt'] },
    { sources: ['bayt', 'indeed'] },
    { remoteType: 'remote' as const },
    { currency: 'USD' },
  ]);
  const options: AnalyticsOptions = {
    from,
    to,
    bucket,
    groups,
    filter,
    limit: pick([2, 50]),
    limitMs: 60_000,
    ...pick([{}, { country: 'US' }]),
  };
  const prices = {
    ...options,
    groups: pick([[], ['source'], ['zipcode', 'source'], ['product'], ['seller']] as const),
    filter: pick([{}, { zipcode: '10001' }, { currency: 'EUR', sources: ['kroger'] }]),
  };
  const asked = {
    countPostingsOver: () => store.countPostingsOver(options),
    payOver: () => store.payOver(options),
    countCompanies: () => store.countCompanies({ ...options, groups: ['company'] }),
    pricesOver: () => store.pricesOver(prices),
  };
  const name = pick(Object.keys(asked) as (keyof typeof asked)[]);
  return { name: `${name} ${JSON.stringify({ ...options, prices })}`, ask: asked[name] };
}

interface Answer {
  rows: object[];
  isCut: boolean;
}

const plain = ({ rows, isCut }: Answer) => ({
  isCut,
  rows: rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort(),
});

/** What `ask` answers from the rows alone: everything is said to have changed. */
async function fromRows(ask: () => Promise<Answer>): Promise<Answer> {
  const { rows: clean } = await pool.query(
    'update rollup_buckets set is_due = true where not is_due returning kind, unit, at',
  );
  const answer = await ask();
  for (const { kind, unit, at } of clean)
    await pool.query('update rollup_buckets set is_due = false where kind = $1 and unit = $2 and at = $3', [
      kind,
      unit,
      at,
    ]);
  return answer;
}

async function expectEqual(times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const { name, ask } = question();
    expect(plain(await ask()), name).toEqual(plain(await fromRows(ask)));
  }
}

const RULE = 'a roll-up says what its rows say';
const wrong = async (sql: Sql) =>
  (await problems(sql, { isQuiet: false })).filter((problem) => problem.startsWith(RULE));

test(`after any changes answers from roll-ups are those of the rows (PROPERTY_SEED=${SEED})`, async () => {
  for (let round = 0; round < 25; round++) {
    for (let n = 0; n < 6; n++) {
      await pick(CHANGES)();
      if (random(3) === 0) await store.rollUp(oneStep);
    }
    if (random(4) === 0) await rollUpAll();
    await expectEqual(4);
  }
  await rollUpAll();
  await expectEqual(20);
  const { sql, close } = await openSql(database.url);
  try {
    expect(await wrong(sql)).toEqual([]);
    expect(await sql('select 1 from windrow.rollup_buckets where is_due')).toEqual([]);
    // What the doctor would find if one had been missed.
    await sql(`set session_replication_role = replica`);
    await sql(
      `update windrow.postings set first_seen_at = now() - interval '60 days' where key = (select key from windrow.postings order by key limit 1)`,
    );
    await sql(`set session_replication_role = origin`);
    expect(await wrong(sql)).toEqual([expect.stringContaining('"id":"postings day')]);
  } finally {
    await close();
  }
});

test('a row that is committed after its day was rolled up is counted', async () => {
  const count = async () =>
    (await store.countPostingsOver({ ...TODAY, groups: [] })).rows.reduce((sum, row) => sum + row.postings, 0);
  await pool.query('truncate postings');
  await save(pool, draft('first'));
  await rollUpAll();
  expect(await count()).toBe(1);
  const client = await pool.connect();
  await client.query('begin');
  await client.query(
    `insert into postings (key, source, external_id, job_hash, title, data) values (gen_random_uuid(), 's', 'slow', 'h', 't', '{}')`,
  );
  await rollUpAll();
  await client.query('commit');
  client.release();
  expect(await count()).toBe(2);
  expect(await rollUpAll()).toBe(2);
  expect(await count()).toBe(2);
});

test('one that is killed while it rolls up has changed nothing', async () => {
  await save(pool, draft('before-the-kill'));
  const before = await pool.query('select count(*)::int as n from rollup_marks');
  expect(before.rows[0].n).toBeGreaterThan(0);
  const holder = await pool.connect();
  await holder.query('begin; lock table amount_cells in access exclusive mode');
  const killed = expect(store.rollUp({ budgetMs: 60_000, rest: 0 })).rejects.toThrow();
  await vi.waitFor(
    async () => {
      const { rows } = await holder.query(
        `select pg_terminate_backend(l.pid) from pg_locks l where l.relation = 'windrow.amount_cells'::regclass and not l.granted`,
      );
      expect(rows).toHaveLength(1);
    },
    { timeout: 60_000, interval: 50 },
  );
  await killed;
  await holder.query('rollback');
  holder.release();
  expect((await pool.query('select count(*)::int as n from rollup_marks')).rows).toEqual(before.rows);
  await expectEqual(10);
  await rollUpAll();
  await expectEqual(10);
});

test('an answer is read from the roll-ups, and says how old it is where too much has changed to be read anew', async () => {
  await pool.query(`truncate postings`);
  await pool.query(`insert into postings (key, source, external_id, job_hash, title, data)
    select gen_random_uuid(), 's' || n % 3, n::text, 'h', 't', '{}' from generate_series(1, 21000) n`);
  await rollUpAll();
  const { sql, close } = await openSql(database.url);
  const ask = () => store.countPostingsOver({ ...TODAY, groups: ['source'] });
  try {
    const fresh = await ask();
    expect(fresh.rows.map((row) => row.postings)).toEqual([7_000, 7_000, 7_000]);
    await sql('set session_replication_role = replica');
    await sql('delete from windrow.postings');
    expect((await ask()).rows).toEqual(fresh.rows);
    const rolled = await sql<{ at: Date }>(
      `select rolled_at as at from windrow.rollup_buckets where kind = 'postings' and unit = 'day'`,
    );
    await save(pool, draft('one-more'));
    const { rows, asOf } = await ask();
    expect(rows).toEqual(fresh.rows);
    expect(asOf).toEqual(rolled[0]!.at);
    expect(fresh.asOf.getTime()).toBeGreaterThan(asOf.getTime());
  } finally {
    await close();
  }
});
