// Exports on a real database: what is in the files, that memory stays flat and texts stay texts, and that a client which stops reading holds nothing.
import { Readable } from 'node:stream';
import { streamXlsxRows } from 'hucre/xlsx';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createPool } from '../../../src/store/postgres/pool.ts';
import { freshDatabase } from '../../support/own-servers.ts';
import { pay, posting, save } from '../../support/worlds/postings.ts';
import { type ApiWorld, startApiWorld } from '../api/api-world.ts';

const MANY = 30_000;
let database: Awaited<ReturnType<typeof freshDatabase>>;
let world: ApiWorld;
let pool: pg.Pool;

beforeAll(async () => {
  database = await freshDatabase();
  world = await startApiWorld({ databaseUrl: database.url });
  pool = createPool({ connection: database.url, connectTimeoutMs: 30_000, statementTimeoutMs: 300_000 });
  await save(
    pool,
    posting({
      source: 'indeed',
      external_id: 'odd',
      title: '=1+1',
      company: 'Ünïcode 🦊 \u0001 Ltd',
      description: `${'x'.repeat(40_000)}`,
      salary: pay(50_000, 60_000.5),
    }),
    posting({ source: 'indeed', external_id: 'plain', title: 'Plain', company: null, description: '@x' }),
  );
  await pool.query(
    `insert into postings (key, source, external_id, job_hash, title, company, data, group_due, first_seen_at)
     select md5(n::text)::uuid, 'many', n::text, n::text, 'Title ' || n, 'Company',
       jsonb_build_object('source', 'many', 'title', 'Title ' || n, 'job_hash', n::text, 'description', (select string_agg(md5((n * 40 + i)::text), ' ') from generate_series(1, 40) i)),
       false, now() - make_interval(secs => n) from generate_series(1, $1::int) n`,
    [MANY],
  );
});
afterAll(async () => {
  await world?.stop();
  await pool?.end();
  await database?.drop();
});

async function file(path: string, headers: Record<string, string> = {}): Promise<{ type: string; bytes: Uint8Array }> {
  const response = await fetch(world.url + path, { headers });
  expect(response.status).toBe(200);
  return { type: response.headers.get('content-type')!, bytes: new Uint8Array(await response.arrayBuffer()) };
}

test('Parquet has the columns of CSV with their types, and groups of rows', async () => {
  const { type, bytes } = await file('/postings?source=indeed&sort=first_seen_at', {
    accept: 'application/vnd.apache.parquet',
  });
  expect(type).toBe('application/vnd.apache.parquet');
  const rows = await parquetReadObjects({ file: bytes.buffer as ArrayBuffer });
  expect(rows).toHaveLength(2);
  const odd = rows.find((row) => row.title === '=1+1')!;
  expect(odd).toMatchObject({
    company: 'Ünïcode 🦊 \u0001 Ltd',
    salary_max: 60_000.5,
    first_seen_at: expect.any(Date),
    source: 'indeed',
  });
  expect((odd.description as string).length).toBe(40_000);
  expect(rows.find((row) => row.title === 'Plain')).toMatchObject({ company: null, salary_min: null });
  const many = await file('/postings?source=many&format=parquet');
  const meta = parquetMetadata(many.bytes.buffer as ArrayBuffer);
  expect(Number(meta.num_rows)).toBe(MANY);
  expect(meta.row_groups.length).toBeGreaterThan(2);
  const all = await parquetReadObjects({ file: many.bytes.buffer as ArrayBuffer, columns: ['title'] });
  expect(new Set(all.map((row) => row.title)).size).toBe(MANY);
  const none = await file('/postings?source=nowhere&format=parquet');
  expect(await parquetReadObjects({ file: none.bytes.buffer as ArrayBuffer })).toEqual([]);
});

test('XLSX has texts that are no formulas, cut where Excel would refuse them', async () => {
  const { type, bytes } = await file('/postings?source=indeed&format=xlsx');
  expect(type).toContain('spreadsheetml');
  const rows: unknown[][] = [];
  for await (const row of streamXlsxRows(bytes)) rows.push(row.values);
  const [head, ...cells] = rows;
  const at = (name: string): number => head!.indexOf(name);
  expect(head!.slice(0, 3)).toEqual(['title', 'company', 'location']);
  const odd = cells.find((row) => row[at('title')] === '=1+1')!;
  expect(odd[at('company')]).toBe('Ünïcode 🦊  Ltd');
  expect(odd[at('salary_max')]).toBe(60_000.5);
  expect((odd[at('description')] as string).length).toBe(32_767);
  expect(cells.flat().some((cell) => cell === 2)).toBe(false);
});

test('every format has every match, whatever the chunk', async () => {
  const csv = await world.call('GET', '/postings?source=many&format=csv');
  expect(csv.text.trim().split('\r\n')).toHaveLength(MANY + 1);
  const lines = await world.call('GET', `/postings?source=many&format=ndjson&limit=${MANY - 1_500}&sort=salary`);
  const titles = lines.text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { title: string }).title);
  expect(new Set(titles).size).toBe(MANY - 1_500);
  const { bytes } = await file('/positions?format=parquet');
  expect(await parquetReadObjects({ file: bytes.buffer as ArrayBuffer })).toEqual([]);
});

test('what is read at once is bounded by bytes too', async () => {
  await pool.query(
    `insert into postings (key, source, external_id, job_hash, title, data, group_due, first_seen_at)
     select md5('large' || n)::uuid, 'large', n::text, 'large' || n, 'Large', jsonb_build_object('source', 'large', 'title', 'Large', 'description', repeat('a text ', 40000)),
       false, now() - make_interval(secs => n) from generate_series(1, 150) n`,
  );
  const sizes: number[] = [];
  const query = { order: 'first_seen_at', descending: true, after: null, limit: 1_000_000, chunk: 1_000 } as const;
  for await (const items of world.store.streamPostings({ sources: ['large'] }, query)) sizes.push(items.length);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(150);
  // 280 kB each.
  expect(Math.max(...sizes)).toBeLessThanOrEqual(20);
  const narrow: number[] = [];
  for await (const items of world.store.streamPostings({ sources: ['many'] }, query)) narrow.push(items.length);
  expect(Math.max(...narrow)).toBe(1_000);
});

const held = async (): Promise<number> =>
  (
    await pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%' or query like 'fetch%' and state = 'active'`,
    )
  ).rows.length;

test('a client that stops reading holds no connection, and has all rows when it goes on', async () => {
  const response = await fetch(`${world.url}/postings?source=many&format=ndjson`);
  const reader = Readable.fromWeb(response.body as never)[Symbol.asyncIterator]();
  let text = Buffer.from((await reader.next()).value).toString();
  await vi.waitUntil(async () => (await held()) === 0, { timeout: 60_000, interval: 200 });
  for (let part = await reader.next(); !part.done; part = await reader.next()) text += part.value;
  const titles = text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { title: string }).title);
  expect(titles).toHaveLength(MANY);
  expect(new Set(titles).size).toBe(MANY);
});

test('a client that goes away leaves nothing behind', async () => {
  const leaving = new AbortController();
  const response = await fetch(`${world.url}/postings?source=many&format=csv`, { signal: leaving.signal });
  await response.body!.getReader().read();
  leaving.abort();
  await vi.waitUntil(async () => (await held()) === 0, { timeout: 60_000, interval: 100 });
  // More at once than may read at once: all are answered.
  const all = await Promise.all(
    Array.from({ length: 8 }, () => world.call('GET', '/postings?source=many&format=csv&limit=2000')),
  );
  expect(all.map(({ text }) => text.trim().split('\r\n').length)).toEqual(Array(8).fill(2_001));
});
