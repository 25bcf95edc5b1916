// One export as the API sends it, to nowhere, and what it took: rows per second, the most resident memory, and the most that was in use after garbage was collected.
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { partsOf, startStream } from '../../src/api/export/export.ts';
import { POSTING_COLUMNS } from '../../src/model/posting/posting-columns.ts';
import { createPool } from '../../src/store/postgres/pool.ts';
import type { ListedPosting } from '../../src/store/postings/posting-list.ts';
import { storeOver } from '../../src/store/store.ts';

/** Rows: as often in a short export as in a long one. */
const LOOK_EVERY = 20_000;

const limit = Number(process.env.BENCH_LIMIT);
const pool = createPool({ connection: process.env.BENCH_DATABASE_URL!, max: 2, statementTimeoutMs: 900_000 });
const table = {
  name: 'postings',
  columns: [...POSTING_COLUMNS, 'first_seen_at', 'group_id', 'group_sources'],
  view: (one: ListedPosting) => one,
  row: ({ posting, firstSeenAt, group }: ListedPosting) => [
    ...POSTING_COLUMNS.map((name) => posting[name]),
    firstSeenAt.toISOString(),
    group.id,
    group.sources.map((one) => one.source).join(' '),
  ],
};
let rows = 0;
let rss = 0;
let live = 0;
let lookAt = 0;
async function* counted(chunks: AsyncIterable<ListedPosting[]>): AsyncGenerator<ListedPosting[]> {
  for await (const chunk of chunks) {
    rows += chunk.length;
    rss = Math.max(rss, process.memoryUsage.rss());
    if (rows >= lookAt) {
      lookAt += LOOK_EVERY;
      global.gc!();
      live = Math.max(live, process.memoryUsage().heapUsed);
    }
    yield chunk;
  }
}
const began = performance.now();
const query = { order: 'first_seen_at', descending: true, after: null, limit, chunk: 1_000 } as const;
await pipeline(
  await startStream(partsOf(table, 'csv', counted(storeOver(pool).streamPostings({}, query)))),
  new Writable({ write: (_chunk, _encoding, done) => done() }),
);
const ms = performance.now() - began;
await pool.end();
console.log(JSON.stringify({ rate: (rows / ms) * 1_000, rows, rssMb: rss / 1e6, liveMb: live / 1e6 }));
