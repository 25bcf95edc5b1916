// What searching, counting, listing, exporting and forgetting costs with millions of postings, each next to plain SQL that does the same, in turns. Loading is by COPY and takes as many
// postings as fit in the time: `npm run bench -- data --minutes 8 --rows 500000` (by default 20 minutes and 5,000,000). Exits 1 when a broad search or its facets are slower than plain
// SQL, the last page costs more than its offset, a year from roll-ups more than 50 ms, or an export has less than 0.6 of the rows per second of COPY or memory that grows with its rows.
// BENCH_DATABASE_URL is a database that was loaded before; retention is not measured there.
import pg from 'pg';
import { createPool } from '../../src/store/postgres/pool.ts';
import { openStore, storeOver } from '../../src/store/store.ts';
import { freshDatabase } from '../../tests/support/own-servers.ts';
import { analytics } from './analytics.ts';
import { heading, type Promised, tell } from './compare.ts';
import { exporting } from './export.ts';
import { lists } from './lists.ts';
import { loadPostings } from './load.ts';
import { retention } from './retention.ts';

const ROWS = Number(process.env.BENCH_POSTINGS ?? 5_000_000);
const MINUTES = Number(process.env.BENCH_LOAD_MINUTES ?? 20);
/** Of fewer plain SQL has little to read, and is as quick with one question as we with four. */
const PROMISED_FROM = 200_000;
const own = process.env.BENCH_DATABASE_URL;

const database = own ? { url: own, drop: async () => {} } : await freshDatabase();
await (await openStore({ connection: database.url })).close();
const plain = new pg.Client({
  connectionString: database.url,
  options: '-c search_path=windrow,public -c timezone=UTC',
});
await plain.connect();
const pool = createPool({ connection: database.url, max: 4, statementTimeoutMs: 900_000 });
const store = storeOver(pool);
try {
  const known = Number((await plain.query('select count(*) from postings')).rows[0].count);
  const began = performance.now();
  const rows = known > 0 ? known : await loadPostings(plain, { rows: ROWS, limitMs: MINUTES * 60_000 });
  if (known === 0)
    console.log(
      `loaded ${rows.toLocaleString('en')} postings in ${((performance.now() - began) / 60_000).toFixed(1)} minutes\n`,
    );
  heading(rows);
  const promised: Promised[] = [...(await lists(plain, store, rows)), ...(await analytics(plain, store))];
  if (!own) promised.push(...(await retention(plain, pool, store)));
  promised.push(...(await exporting(plain, database.url, rows)));
  tell(rows >= PROMISED_FROM ? promised : promised.map(({ bounds: _, ...one }) => one));
  if (rows < PROMISED_FROM)
    console.log(`\nof fewer than ${PROMISED_FROM.toLocaleString('en')} postings nothing is promised`);
} finally {
  await plain.end();
  await pool.end();
  await database.drop();
}
process.exit();
