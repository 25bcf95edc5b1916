// Analytics over 200,000 made-up postings: what each answer costs PostgreSQL in CPU, next to the same median read out of the documents, which is what the
// columns of migration 010 are for. And what it costs dispatch to ask whether a source is held back, when none is. Exits 1 when an answer takes a second
// of CPU, or the columns do not pay by a factor of three.
import { createPool } from '../../src/store/postgres/pool.ts';
import { FIRST_LINES, readyLines } from '../../src/store/queue/ready.ts';
import { openStore, storeOver } from '../../src/store/store.ts';
import { freshDatabase } from '../../tests/support/own-servers.ts';
import { found } from '../found.ts';
import { row } from '../peers.ts';

const POSTINGS = Number(process.env.BENCH_POSTINGS ?? 200_000);
const DAY_MS = 86_400_000;
const CALLS = 1_000;

const database = await freshDatabase();
await (await openStore({ connection: database.url })).close();
const pool = createPool({ connection: database.url, max: 1, statementTimeoutMs: 900_000 });
let cpuMs = 0;
pool.on('connect', (client) =>
  client.on('notice', (notice) => {
    const found = /([\d.]+) s user, ([\d.]+) s system, [\d.]+ s elapsed/.exec(notice.detail ?? '');
    if (found) cpuMs += (Number(found[1]) + Number(found[2])) * 1_000;
  }),
);

/** CPU of the server for what `work` asks, in milliseconds. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  cpuMs = 0;
  await work();
  return cpuMs;
}

let worstMs = 0;
let ratio = 0;
try {
  // Indexes of words and labels are not what is measured, and building them takes minutes.
  const { rows: lists } = await pool.query<{ name: string }>(
    "select indexname as name from pg_indexes where tablename = 'postings' and indexdef ilike '%using gin%'",
  );
  if (lists.length > 0) await pool.query(`drop index ${lists.map(({ name }) => name).join(', ')}`);
  await pool.query(
    `insert into postings (key, source, external_id, job_hash, title, company, location, remote_type, posted_at, data, group_due, first_seen_at)
     select gen_random_uuid(), 'source-' || n % 8, n::text, md5(n::text), 'Engineer ' || n % 500, 'Company ' || n % 7919, 'City ' || n % 300,
       (array['remote', 'hybrid', 'onsite', 'unknown'])[1 + n % 4], '2026-10-01',
       jsonb_build_object('locations', jsonb_build_array(jsonb_build_object('country', (array['US', 'DE', 'FR', 'GB', 'IN'])[1 + n % 5], 'city', 'City ' || n % 300)),
         'seniority', (array['senior', 'mid', 'entry', 'unknown'])[1 + n % 4], 'job_types', jsonb_build_array('full_time'),
         'currency', (array['USD', 'EUR', 'GBP'])[1 + n % 3],
         'salary_annual', case when n % 2 = 0 then jsonb_build_object('min', 30000 + n::bigint * 7919 % 100000, 'max', 50000 + n::bigint * 7919 % 150000) end,
         'description', (select string_agg(md5((n % 50 * 64 + i)::text), ' ') from generate_series(1, 60) i)),
       false, now() - interval '60 days' * random()
     from generate_series(1, $1::int) n`,
    [POSTINGS],
  );
  await pool.query('vacuum analyze postings');
  await pool.query('set client_min_messages = log; set log_executor_stats = on');
  const store = storeOver(pool);
  const to = new Date();
  const days = {
    from: new Date(to.getTime() - 60 * DAY_MS),
    to,
    bucket: 'day',
    filter: {},
    limit: 20,
    limitMs: 900_000,
  } as const;
  const whole = { ...days, bucket: null };
  const questions: [string, () => Promise<unknown>][] = [
    ['postings by day', () => store.countPostingsOver({ ...days, groups: [] })],
    ['postings by day and source', () => store.countPostingsOver({ ...days, groups: ['source'] })],
    ['postings by day, source and country', () => store.countPostingsOver({ ...days, groups: ['source', 'country'] })],
    ['salaries', () => store.payOver({ ...whole, groups: [] })],
    ['salaries by day, source and country', () => store.payOver({ ...days, groups: ['source', 'country'] })],
    ['salaries by company', () => store.payOver({ ...whole, groups: ['company'] })],
    ['companies', () => store.countCompanies({ ...whole, groups: ['company'] })],
    [
      '200 companies by day and source',
      () => store.countCompanies({ ...days, groups: ['company', 'source'], limit: 200 }),
    ],
  ];
  row(`of ${POSTINGS} postings`, 'ms of CPU');
  row('---', '---');
  for (const [name, ask] of questions) {
    const ms = await cpuOf(ask);
    worstMs = Math.max(worstMs, ms);
    row(name, ms.toFixed(0));
  }
  const columns = await cpuOf(() => store.payOver({ ...whole, groups: [] }));
  const documents = await cpuOf(() =>
    pool.query(
      `select data ->> 'currency', percentile_cont(0.5) within group (order by (data #>> '{salary_annual,max}')::float8)
       from postings where data #>> '{salary_annual,max}' is not null group by 1`,
    ),
  );
  ratio = documents / columns;
  row('median salaries out of the documents instead', documents.toFixed(0));

  const holdsMs = await cpuOf(async () => {
    for (let n = 0; n < CALLS; n++) await readyLines(pool, 'http', { upTo: 1_000, from: FIRST_LINES });
  });
  console.log(
    `a look at what waits, holds included: ${((holdsMs / CALLS) * 1_000).toFixed(0)} µs of CPU for up to 1,000 tasks`,
  );
} finally {
  await pool.end();
  await database.drop();
}
found('the slowest question about all postings, CPU', worstMs, 'ms', { atMost: 1_000 });
found('median salaries out of the documents, next to the columns', ratio, 'times', { atLeast: 3 });
process.exit();
