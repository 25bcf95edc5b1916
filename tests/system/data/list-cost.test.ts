// What lists and facets of a large table read: selective filters ask an index, whatever the statistics say about them together, and broad ones read a bounded part.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListPlace } from '../../../src/store/items/item-list.ts';
import { migrate } from '../../../src/store/postgres/migrate.ts';
import { createPool } from '../../../src/store/postgres/pool.ts';
import type { PostingFilter } from '../../../src/store/postings/posting-list.ts';
import { type Store, storeOver } from '../../../src/store/store.ts';
import { freshDatabase } from '../../support/own-servers.ts';

const ROWS = 100_000;
const PAGE = { order: 'first_seen_at', descending: true, after: null, limit: 20 } as const;

let database: Awaited<ReturnType<typeof freshDatabase>>;
let pool: ReturnType<typeof createPool>;
let store: Store;
beforeAll(async () => {
  database = await freshDatabase();
  // One session, so that what it has counted can be asked of it.
  pool = createPool({ connection: database.url, max: 1, onError: () => {}, statementTimeoutMs: 300_000 });
  await migrate(pool);
  store = storeOver(pool);
  // A tenth is in Japan, a tenth wants German, and none both; one in a thousand wants COBOL.
  await pool.query(`insert into postings (key, source, external_id, job_hash, title, company, data, group_due, first_seen_at)
    select md5(n::text)::uuid, 'source-' || n % 8, n::text, n::text, case when n % 5000 = 0 then 'Welder' when n % 10 = 3 then 'Clerk' || case when n % 70 = 3 then ' Clerk' else '' end else 'Engineer' end, 'Company ' || n % 997,
      jsonb_build_object('locations', jsonb_build_array(jsonb_build_object('country', case when n % 10 = 0 then 'JP' else 'US' end)),
        'skills', case when n % 10 = 1 then '["german"]'::jsonb when n % 1000 = 2 then '["cobol"]' else '["sql"]' end),
      false, now() - make_interval(secs => n) from generate_series(1, ${ROWS}) n`);
  await pool.query('vacuum analyze postings');
});
afterAll(async () => {
  await store?.close();
  await database?.drop();
});

/** Whole reads of the table, and rows read from it in any way. */
async function reads(work: () => Promise<unknown>): Promise<{ whole: number; rows: number }> {
  const before = await counted();
  await work();
  const after = await counted();
  return { whole: after.whole - before.whole, rows: after.rows - before.rows };
}
async function counted(): Promise<{ whole: number; rows: number }> {
  await pool.query('select pg_stat_force_next_flush()');
  await pool.query('select pg_stat_clear_snapshot()');
  const { rows } = await pool.query<{ whole: number; rows: number }>(
    `select seq_scan::int as whole, (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_user_tables where relname = 'postings'`,
  );
  return rows[0]!;
}

test.each<[string, PostingFilter, number]>([
  ['a rare skill', { skills: ['COBOL'] }, 100],
  ['a rare word', { q: 'welder' }, 20],
  ['frequent labels that do not meet', { country: 'JP', skills: ['german'] }, 0],
  ['a company', { companies: ['Company 7'] }, 101],
  ['nothing at all', { sources: ['nowhere'] }, 0],
])('%s is read from an index', async (_name, filter, matching) => {
  let found = 0;
  const read = await reads(async () => {
    found = (await store.listPostings({ ...PAGE, ...filter })).length;
  });
  expect(found).toBe(Math.min(matching, PAGE.limit));
  expect(read.whole).toBe(0);
  expect(read.rows).toBeLessThan(10_000);
  const facets = await store.postingFacets(filter, { facets: ['source'], limit: 20, limitMs: 60_000 });
  expect(facets).toMatchObject({ total: matching, isExact: true });
});

test('what is frequent is walked, and the last page costs no more than the first', async () => {
  const filter: PostingFilter = { country: 'US', sources: ['source-3'] };
  const first = await reads(() => store.listPostings({ ...PAGE, ...filter }));
  const late = new Date(Date.now() - (ROWS - 3_000) * 1_000).toISOString();
  const key = '00000000-0000-0000-0000-000000000000';
  const last = await reads(() => store.listPostings({ ...PAGE, ...filter, after: { value: late, key } }));
  for (const { whole, rows } of [first, last]) {
    expect(whole).toBe(0);
    expect(rows).toBeLessThan(7_000);
  }
});

test.each<[string, PostingFilter, string]>([
  ['words', { q: 'clerk' }, `search_vector @@ to_tsquery('clerk')`],
  [
    'words and labels, some of them on the next page',
    { q: 'clerk', sources: ['source-3', 'source-5'] },
    `search_vector @@ to_tsquery('clerk') and source in ('source-3', 'source-5')`,
  ],
])('the newest matches of %s are ranked, and the others not read', async (_name, filter, where) => {
  const query = { ...filter, order: 'relevance', descending: true, limit: 60 } as const;
  const keys: string[] = [];
  const read = await reads(async () => {
    let after: ListPlace | null = null;
    for (let page = 0; page < 3; page++) {
      const found = await store.listPostings({ ...query, after });
      keys.push(...found.map(({ at }) => at.key));
      after = found.at(-1)!.at;
    }
  });
  const { rows } = await pool.query<{ key: string }>(
    `select key from (select * from postings where ${where} order by first_seen_at desc, key desc limit 1000) p
     order by ts_rank(search_vector, to_tsquery('clerk'), 1) desc, key desc limit 180`,
  );
  expect(keys).toEqual(rows.map(({ key }) => key));
  expect(read.whole).toBe(0);
  // 10,000 have the word.
  expect(read.rows / 3).toBeLessThan(3_500);
});

test('facets of a broad search are concluded from a sample, to a few percent', async () => {
  let facets: Awaited<ReturnType<Store['postingFacets']>> | undefined;
  const read = await reads(async () => {
    facets = await store.postingFacets(
      { skills: ['sql'] },
      { facets: ['country', 'source'], limit: 3, limitMs: 60_000 },
    );
  });
  const exact = ROWS * 0.899;
  expect(facets!.isExact).toBe(false);
  expect(facets!.total / exact).toBeGreaterThan(0.95);
  expect(facets!.total / exact).toBeLessThan(1.05);
  expect(facets!.values.filter(({ facet }) => facet === 'source')).toHaveLength(3);
  expect(read.rows).toBeLessThan(40_000);
});

test('names that no item has any more are forgotten', async () => {
  await pool.query(
    `insert into item_names (kind, name, seen_on) values ('company', 'Company 7', '2020-01-01'), ('company', 'Gone Ltd', '2020-01-01')`,
  );
  const keep = { runDays: 1, deadLetterDays: 1, idempotencyHours: 1, articleDays: 0, batch: 100 };
  expect((await store.trim(keep)).names).toBe(1);
  const { rows } = await pool.query(
    `select name from item_names where seen_on < current_date or name like 'Company 7'`,
  );
  expect(rows).toEqual([{ name: 'Company 7' }]);
});
