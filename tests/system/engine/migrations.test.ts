// A database of an earlier version is brought up to date with what is in it.
import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { writeBackup } from '../../../src/store/backup/backup.ts';
import { restoreBackup } from '../../../src/store/backup/restore.ts';
import { knownMigrations } from '../../../src/store/postgres/migrate.ts';
import { openStore } from '../../../src/store/store.ts';
import { openSql, type Sql } from '../../support/invariants.ts';
import { onDatabase } from '../../support/outputs/contents.ts';
import { freshDatabase } from '../../support/own-servers.ts';
import { Roles } from '../../support/processes.ts';

const FOLDER = resolve(import.meta.dirname, '../../../src/store/migrations');

/** As `migrate` leaves it at this version. */
async function migrateTo(version: number, sql: Sql): Promise<void> {
  await sql('create schema windrow');
  await sql(
    'create table windrow.migrations (version int primary key, name text, applied_at timestamptz default now())',
  );
  await sql('set search_path = windrow, public');
  for (const name of (await readdir(FOLDER)).sort()) {
    const its = Number.parseInt(name, 10);
    if (its > version) continue;
    await sql(await readFile(resolve(FOLDER, name), 'utf8'));
    await sql('insert into migrations (version, name) values ($1, $2)', [its, name]);
  }
}

test('submissions that waited in version 14, with and without the ids of their runs, become runs', async () => {
  const database = await freshDatabase();
  const { sql, close } = await openSql(database.url);
  try {
    await migrateTo(14, sql);
    const shapes = [{ source: 'article', lane: 'http', priority: 5, maxRetries: 3, timeoutSeconds: 60 }];
    const submission = (runId: string) => ({
      runId,
      kind: 'article',
      itemKind: 'article',
      trigger: 'manual',
      requestId: null,
      options: { note: 'two\nlines' },
      maxAgeSeconds: null,
      tasks: [[0, crypto.randomUUID(), { url: `https://a.example/${runId}` }, { url: `https://a.example/${runId}` }]],
    });
    for (const [first, second, ids] of [
      ['job_1', 'job_2', ''],
      ['job_3', 'job_4', 'job_3,job_4'],
    ] as const)
      await sql(
        `insert into arrivals (kind, runs, tasks, keys, submissions, run_ids) values ('article', 2, 2, 2, $1, $2)`,
        [JSON.stringify({ shapes, submissions: [submission(first), submission(second)] }), ids],
      );

    const store = await openStore({ connection: database.url, connectTimeoutMs: 30_000 });
    expect(await sql('select run_ids from submission_spool order by seq')).toEqual([
      { run_ids: 'job_1,job_2' },
      { run_ids: 'job_3,job_4' },
    ]);
    while ((await store.drainSpool({})) > 0);
    for (const id of ['job_1', 'job_2', 'job_3', 'job_4'])
      expect(await store.getRun(id)).toMatchObject({ status: 'running', total: 1 });
    const tasks = await sql<{ url: string }>(`select message->'params'->>'url' as url from tasks order by 1`);
    expect(tasks.map(({ url }) => url)).toEqual([1, 2, 3, 4].map((n) => `https://a.example/job_${n}`));
    await store.close();
  } finally {
    await close();
    await database.drop();
  }
});

test('a backup of version 14 is restored and brought up to date', async () => {
  const [old, database] = [await freshDatabase(), await freshDatabase()];
  const { sql, close } = await openSql(old.url);
  try {
    await migrateTo(14, sql);
    await sql(
      `insert into articles (key, url, title, content, scraped_at) values (gen_random_uuid(), 'https://a.example', 'kept', '', now())`,
    );
    const chunks: Buffer[] = [];
    const kept = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done();
      },
    });
    expect(await onDatabase(old.url, (client) => writeBackup(client, kept, { windrow: '0.0.9' }))).toMatchObject({
      migration: 14,
    });
    const restored = await onDatabase(database.url, (client) =>
      restoreBackup(client, Readable.from(chunks), { isForced: false }),
    );
    expect(restored).toMatchObject({ windrow: '0.0.9', migration: 14, rows: { articles: 1, arrivals: 0 } });
    expect(restored.applied[0]).toBe('015-plain-names.sql');
    const store = await openStore({ connection: database.url });
    expect((await onDatabase(database.url, (client) => client.query('select title from articles'))).rows).toEqual([
      { title: 'kept' },
    ]);
    await store.close();
  } finally {
    await close();
    await Promise.all([old.drop(), database.drop()]);
  }
});

test('P9: of five processes that migrate at once each migration is done by one; a program that is older than the database refuses', async () => {
  const database = await freshDatabase();
  const { sql, close } = await openSql(database.url);
  const roles = new Roles();
  const migrate = () => roles.start(['migrate'], { env: { DATABASE_URL: database.url } });
  try {
    const five = Array.from({ length: 5 }, migrate);
    for (const { exited } of five) expect(await exited).toEqual({ code: 0, signal: null });
    const versions = (await sql<{ version: number }>('select version from windrow.migrations order by 1')).map(
      (row) => row.version,
    );
    expect(versions).toEqual((await knownMigrations()).map(({ version }) => version));
    await sql(`insert into windrow.migrations (version, name) values (9999, 'of tomorrow')`);
    const older = migrate();
    expect((await older.exited).code).not.toBe(0);
    expect(older.output).toMatch(/The database is at migration 9999/);
  } finally {
    await roles.reap();
    await close();
    await database.drop();
  }
});
