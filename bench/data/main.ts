// What searching, counting, listing and exporting costs with millions of postings, each next to plain SQL that asks for the same, one after the other. Loading is by
// COPY and takes as many postings as fit in the time. Exits 1 when a broad search or its facets are not at least as fast as plain SQL, the last page costs three times the first, or an
// export has less than 0.6 of the rows per second that COPY has.
// BENCH_POSTINGS (5,000,000), BENCH_LOAD_MINUTES (20), BENCH_DATABASE_URL (a database that was loaded before).
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import copyStreams from 'pg-copy-streams';
import { csvLine } from '../../src/model/csv.ts';
import { POSTING_COLUMNS } from '../../src/model/posting/posting-columns.ts';
import { createPool } from '../../src/store/postgres/pool.ts';
import type { PostingFilter } from '../../src/store/postings/posting-list.ts';
import { openStore, storeOver } from '../../src/store/store.ts';
import { freshDatabase } from '../../tests/support/own-servers.ts';
import { row } from '../peers.ts';
import { loadPostings } from './load.ts';

const ROWS = Number(process.env.BENCH_POSTINGS ?? 5_000_000);
const MINUTES = Number(process.env.BENCH_LOAD_MINUTES ?? 20);
const ROUNDS = 20;
const EXPORTED = 100_000;
const own = process.env.BENCH_DATABASE_URL;

const database = own ? { url: own, drop: async () => {} } : await freshDatabase();
await (await openStore({ connection: database.url })).close();
const plain = new pg.Client({ connectionString: database.url, options: '-c search_path=windrow,public' });
await plain.connect();
const pool = createPool({ connection: database.url, max: 4, statementTimeoutMs: 900_000 });
const store = storeOver(pool);

const p95 = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1]!;
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** In turns, so that both meet the same machine. */
async function compare(
  ours: (n: number) => Promise<unknown>,
  theirs: (n: number) => Promise<unknown>,
  rounds = ROUNDS,
) {
  const times = { ours: [] as number[], theirs: [] as number[] };
  // Whoever comes first would read from the disk for both.
  for (let n = 0; n < Math.min(rounds, 5); n++) await Promise.all([ours(n), theirs(n)]);
  for (let n = 0; n < rounds; n++) {
    times.ours.push(await timed(() => ours(n)));
    times.theirs.push(await timed(() => theirs(n)));
  }
  return { ours: p95(times.ours), theirs: p95(times.theirs) };
}

const PAGE = { descending: true, after: null, limit: 50 } as const;
const WORDS = ['kafka engineer', 'night nurse', 'welder', 'senior manager -sales', 'payroll clerk'];
const failures: string[] = [];
const check = (isMet: boolean, what: string): void => {
  if (!isMet) failures.push(what);
};

try {
  const known = Number((await plain.query('select count(*) from postings')).rows[0].count);
  const rows = known > 0 ? known : await loadPostings(plain, { rows: ROWS, limitMs: MINUTES * 60_000 });
  row(`${rows.toLocaleString('en')} postings, p95 in ms`, 'Windrow', 'plain SQL');
  row('---', '---', '---');
  const show = (name: string, { ours, theirs }: { ours: number; theirs: number }): void =>
    row(name, ours.toFixed(1), theirs.toFixed(1));

  const search = await compare(
    (n) => store.listPostings({ ...PAGE, order: 'relevance', q: WORDS[n % WORDS.length]! }),
    (n) =>
      plain.query(
        `select data from postings p, websearch_to_tsquery('english', $1) q where search_vector @@ q order by ts_rank(search_vector, q, 1) desc, key desc limit 50`,
        [WORDS[n % WORDS.length]],
      ),
  );
  show('search, best matches first', search);
  check(search.ours <= search.theirs * 1.2, 'search');

  const filters: PostingFilter[] = [
    { q: 'engineer' },
    { country: 'US' },
    { skills: ['skill3'] },
    { seniority: 'senior' },
  ];
  const wheres = [
    `search_vector @@ websearch_to_tsquery('english', 'engineer')`,
    `data @? '$.locations[*].country ? (@ == "US")'`,
    `data -> 'skills' ? 'skill3'`,
    `seniority = 'senior'`,
  ];
  const facets = await compare(
    (n) => store.postingFacets(filters[n % 4]!, { facets: ['country', 'seniority'], limit: 20, limitMs: 60_000 }),
    (n) =>
      plain.query(
        `select country, seniority, count(*) from postings where ${wheres[n % 4]} group by grouping sets ((country), (seniority))`,
      ),
    8,
  );
  show('facets of a broad search', facets);
  check(facets.ours <= facets.theirs * 1.2, 'facets');

  const first = await compare(
    () => store.listPostings({ ...PAGE, order: 'first_seen_at', country: 'US' }),
    () =>
      plain.query(
        `select data from postings where data @? '$.locations[*].country ? (@ == "US")' order by first_seen_at desc, key desc limit 50`,
      ),
  );
  show('list, page 1', first);
  const deep = Math.min(10_000, Math.floor(rows / 50) - 1);
  const { rows: at } = await plain.query(
    `select key, to_char(first_seen_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as value from postings order by first_seen_at desc, key desc offset ${deep * 50} limit 1`,
  );
  const last = await compare(
    () => store.listPostings({ ...PAGE, order: 'first_seen_at', after: at[0] }),
    () => plain.query(`select data from postings order by first_seen_at desc, key desc offset ${deep * 50} limit 50`),
  );
  show(`list, page ${deep.toLocaleString('en')}`, last);
  check(last.ours <= last.theirs, 'last page');

  const keep = {
    runDays: 30,
    deadLetterDays: 30,
    idempotencyHours: 24,
    articleDays: 0,
    postingDays: 720,
    batch: 1_000,
  };
  const trim = await compare(
    () => store.trim(keep),
    () =>
      plain.query(
        `delete from postings where key in (select key from postings where last_seen_at < now() - interval '719 days' limit 1000)`,
      ),
    3,
  );
  show('a retention step of 1,000', trim);

  const columns = POSTING_COLUMNS.map((name) => `data ->> '${name}'`).join(', ');
  let copied = 0;
  const copyMs = await timed(() =>
    pipeline(
      plain.query(
        copyStreams.to(
          `copy (select ${columns}, first_seen_at, group_id from postings order by first_seen_at desc, key desc limit ${EXPORTED}) to stdout (format csv)`,
        ),
      ),
      new Writable({
        write(chunk: Buffer, _, done) {
          copied += chunk.length;
          done();
        },
      }),
    ),
  );
  let written = 0;
  const memory: number[] = [];
  const exportMs = await timed(async () => {
    const query = { order: 'first_seen_at', descending: true, after: null, limit: EXPORTED, chunk: 1_000 } as const;
    for await (const items of store.streamPostings({}, query)) {
      let text = '';
      for (const { posting, firstSeenAt, group } of items)
        text += csvLine([
          ...POSTING_COLUMNS.map((name) => posting[name]),
          firstSeenAt.toISOString(),
          group.id,
          group.sources.map((one) => one.source).join(' '),
        ]);
      written += Buffer.byteLength(text);
      memory.push(process.memoryUsage().rss / 1e6);
    }
  });
  const ratio = copyMs / exportMs;
  console.log(
    `\nexport of ${EXPORTED.toLocaleString('en')} rows as CSV: ${((EXPORTED / exportMs) * 1e3).toFixed(0)} rows/s (${(written / 1e6).toFixed(0)} MB), COPY ${((EXPORTED / copyMs) * 1e3).toFixed(0)} rows/s (${(copied / 1e6).toFixed(0)} MB): ${ratio.toFixed(2)}; memory ${memory[10]?.toFixed(0)} MB after 11 chunks, ${memory.at(-1)?.toFixed(0)} MB at the end`,
  );
  check(ratio >= 0.6, 'export');
} finally {
  await plain.end();
  await pool.end();
  await database.drop();
}
if (failures.length > 0) console.error(`not reached: ${failures.join(', ')}`);
process.exit(failures.length > 0 ? 1 : 0);
