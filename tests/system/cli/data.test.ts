// `windrow postings|articles|products` and `windrow export` as real processes against a server.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool } from '../../../src/store/postgres/pool.ts';
import { freshDatabase } from '../../support/own-servers.ts';
import { runWindrow } from '../../support/windrow.ts';
import { pay, place, posting, save } from '../../support/worlds/postings.ts';
import { type ApiWorld, startApiWorld } from '../api/api-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'windrow-data-'));
let database: Awaited<ReturnType<typeof freshDatabase>>;
let world: ApiWorld;
beforeAll(async () => {
  database = await freshDatabase();
  world = await startApiWorld({ isWithWorker: false, databaseUrl: database.url });
  const pool = createPool({ connection: database.url });
  await save(
    pool,
    posting({ source: 'indeed', external_id: '1', title: 'Kafka Engineer', salary: pay(90_000, 110_000) }),
    posting({ source: 'naukri', external_id: '2', title: 'Cook', locations: [place('Pune', 'IN')], skills: ['Soup'] }),
  );
  await pool.end();
});
afterAll(async () => {
  await world?.stop();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const windrow = (...args: string[]) => runWindrow(args, { cwd: folder, env: { WINDROW_URL: world.url } });

test('a list has the filters of the API, and facets count', async () => {
  const listed = await windrow('postings', 'list', '--q', 'kafka', '--sort', 'relevance', '--min-salary', '80000');
  expect(listed, listed.stderr).toMatchObject({ code: 0 });
  const [head, ...rows] = listed.stdout.trim().split('\n');
  expect(head).toMatch(/^SINCE +COMPANY +TITLE +LOCATION +SALARY +URL$/);
  expect(rows).toEqual([expect.stringMatching(/Acme Inc\. +Kafka Engineer +Austin +90,000–110,000 USD\/year +https:/)]);
  const counted = await windrow('postings', 'facets', '--skill', 'SOUP', '--facets', 'country');
  expect(counted.stdout).toMatch(/^1 postings\n\nCOUNTRY +COUNT\nIN +1\n$/);
  expect((await windrow('articles', 'list', '--site', 'example.com')).stderr).toContain('No articles match.');
  expect((await windrow('products', 'list', '--csv')).stdout).toMatch(/^title,price,/);
  const refused = await windrow('postings', 'list', '--country', 'usa');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('--country has to be a country code');
});

test('an export is a file in the format of its name, or nothing', async () => {
  const done = await windrow('export', 'postings', '--country', 'IN', '--out', 'in.parquet');
  expect(done, done.stderr).toMatchObject({ code: 0, stdout: '' });
  expect(done.stderr).toMatch(/Wrote in\.parquet \(\d+ kB\)\./);
  const rows = await parquetReadObjects({ file: new Uint8Array(readFileSync(join(folder, 'in.parquet'))).buffer });
  expect(rows).toMatchObject([{ title: 'Cook', source: 'naukri' }]);
  expect((await windrow('export', 'postings', '--limit', '1')).stdout.trim().split('\r\n')).toHaveLength(2);
  const refused = await windrow('export', 'postings', '--out', 'x.doc');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--format csv|ndjson|parquet|xlsx') });
  const wrong = await windrow('export', 'postings', '--country', 'usa', '--out', 'usa.csv');
  expect(wrong.code).toBe(2);
  expect(['usa.csv', 'usa.csv.part'].filter((name) => existsSync(join(folder, name)))).toEqual([]);
});
