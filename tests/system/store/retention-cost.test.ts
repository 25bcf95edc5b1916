// Retention on large tables: one orchestrator does it, no table is read as a whole, and everything old goes in the end.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../../src/store/postgres/migrate.ts';
import { createPool } from '../../../src/store/postgres/pool.ts';
import { type Store, storeOver } from '../../../src/store/store.ts';
import { freshDatabase } from '../../support/own-servers.ts';

const ROWS = 30_000;
const OLD = 200;
const KEEP = { runDays: 30, deadLetterDays: 30, idempotencyHours: 24, articleDays: 30, postingDays: 30, batch: 100 };

let database: Awaited<ReturnType<typeof freshDatabase>>;
let pool: ReturnType<typeof createPool>;
let store: Store;
beforeAll(async () => {
  database = await freshDatabase();
  // One session, so that what it has counted can be asked of it.
  pool = createPool({ connection: database.url, max: 1, onError: () => {} });
  await migrate(pool);
  store = storeOver(pool);
  const times = `from generate_series(1, ${ROWS}) n, lateral (select now() - make_interval(days => case when n <= ${OLD} then 40 else 1 end, secs => n)) as a(at)`;
  await pool.query(`insert into articles (key, url, content, search_vector, task_id, scraped_at)
    select gen_random_uuid(), 'https://example.com/' || n, 'x', to_tsvector('simple', 'x'), gen_random_uuid(), at ${times}`);
  // Half of them are old and still seen.
  await pool.query(`insert into postings (key, source, external_id, job_hash, fingerprint, title, company, data, task_id, first_seen_at, last_seen_at)
    select gen_random_uuid(), 's', n::text, n::text, n::text, 't', 'c', '{}', gen_random_uuid(),
      least(at, case when n % 2 = 0 then now() - interval '50 days' else at end), at ${times}`);
  await pool.query(`insert into runs (id, kind, status, total, options, trigger, created_at, finished_at, updated_at)
    select 'job_' || n, 'article', 'completed', 0, '{}', 'manual', at, at, at
    from (select n, at ${times} order by n > ${OLD}, n) o`);
  await pool.query('analyze articles, postings, runs');
});
afterAll(async () => {
  await store?.close();
  await database?.drop();
});

async function wholeReads(): Promise<Record<string, number>> {
  await pool.query('select pg_stat_force_next_flush()');
  await pool.query('select pg_stat_clear_snapshot()');
  const { rows } = await pool.query<{ relname: string; seq_scan: number }>(
    `select relname, seq_scan::int from pg_stat_user_tables where relname in ('articles', 'postings', 'runs')`,
  );
  return Object.fromEntries(rows.map(({ relname, seq_scan }) => [relname, seq_scan]));
}

test('everything old goes, in steps that read no table as a whole', async () => {
  const before = await wholeReads();
  const gone = { articles: 0, postings: 0, runs: 0 };
  // More than enough steps for the postings to be looked through twice.
  for (let step = 0; step < 30; step++) {
    const trimmed = await store.trim(KEEP);
    expect(Math.max(trimmed.articles, trimmed.postings, trimmed.runs)).toBeLessThanOrEqual(KEEP.batch);
    for (const table of ['articles', 'postings', 'runs'] as const) gone[table] += trimmed[table];
  }
  expect(gone).toEqual({ articles: OLD, postings: OLD, runs: OLD });
  expect(await wholeReads()).toEqual(before);
  // What it compares is counted at once.
  await pool.query(`select count(*) from runs where kind = 'none'`);
  expect(await wholeReads()).toEqual({ ...before, runs: before.runs! + 1 });
});

test('of several orchestrators one has the turn', async () => {
  const turns = await Promise.all(Array.from({ length: 5 }, () => store.takeTurn('test', 50)));
  expect(turns.filter(Boolean)).toHaveLength(1);
  expect(await store.takeTurn('test', 0)).toBe(true);
});
