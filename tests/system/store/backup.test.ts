// Backups as people take them: of a fleet that works, into another database, and back in place of what is there.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseContents, onDatabase } from '../../support/outputs/contents.ts';
import { freePort, freshDatabase } from '../../support/own-servers.ts';
import { Roles } from '../../support/processes.ts';
import { runWindrow } from '../../support/windrow.ts';
import { Fleet } from '../../support/worlds/fleet.ts';

const folder = mkdtempSync(join(tmpdir(), 'windrow-backup-'));
const roles = new Roles();
let f: Fleet;
let other: Awaited<ReturnType<typeof freshDatabase>>;
beforeAll(async () => {
  [f, other] = await Promise.all([Fleet.start({ workers: 1 }), freshDatabase()]);
});
afterAll(async () => {
  await roles.reap();
  await f?.close();
  await other?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const windrow = (args: string[], env: Record<string, string> = {}) => runWindrow(args, { env, cwd: folder });

const file = (name: string): string => join(folder, name);

/** All rows in an order that does not depend on where they are. */
async function contentsOf(url: string): Promise<Record<string, string[]>> {
  const contents = await databaseContents(url);
  const passing = ['migrations', 'socket_tickets', 'source_verdicts'];
  return Object.fromEntries(
    [...contents].filter(([name]) => !passing.includes(name)).map(([name, rows]) => [name, rows.split('\n').sort()]),
  );
}

const sequencesOf = (url: string) =>
  onDatabase(
    url,
    async (client) =>
      (await client.query(`select sequencename, last_value from pg_sequences where schemaname = 'windrow' order by 1`))
        .rows,
  );

test('a backup of a working fleet is restored and compared, and what was accepted goes on from it', async () => {
  const env = { DATABASE_URL: f.databaseUrl };
  for (let n = 0; n < 6; n++) await f.submit(f.urls(5, '?slow=300'));
  await f.until('some pages are stored', async () => {
    const [row] = await f.withSql((sql) => sql<{ n: number }>('select count(*)::int as n from windrow.articles'));
    return row!.n >= 5;
  });
  const live = await windrow(['backup', file('live.gz')], env);
  expect(live).toMatchObject({ code: 0 });
  expect(statSync(file('live.gz')).mode & 0o777).toBe(0o600);
  expect((await windrow(['restore', '--force', file('live.gz')], env)).stderr).toMatch(
    /Windrow is running on this database/,
  );

  for (const role of [f.api, ...f.orchestrators, ...f.workers]) await f.kill(role);
  await f.until('its connections are gone', async () => {
    const [row] = await f.withSql((sql) =>
      sql<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'windrow'`,
      ),
    );
    return row!.n === 0;
  });
  expect(await windrow(['backup', file('still.gz')], env)).toMatchObject({ code: 0 });
  expect(await windrow(['restore', file('still.gz')], { DATABASE_URL: other.url })).toMatchObject({ code: 0 });
  const [before, after] = [await contentsOf(f.databaseUrl), await contentsOf(other.url)];
  expect(before.marks!.join()).toContain('wire_epoch');
  const isEpoch = (row: string): boolean => row.includes('wire_epoch');
  for (const one of [before, after]) one.marks = one.marks!.filter((row) => !isEpoch(row));
  expect(after).toEqual(before);
  expect(await sequencesOf(other.url)).toEqual(await sequencesOf(f.databaseUrl));

  const refused = await windrow(['restore', file('live.gz')], env);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/The database is not empty: it holds .*runs: 6.*--force/);
  expect(await windrow(['restore', '--force', file('live.gz')], env)).toMatchObject({ code: 0 });
  await f.startApi();
  f.startOrchestrator();
  f.startWorker();
  await f.verify();
});

test('what is not a whole backup is refused, and the database stays as it was', async () => {
  const env = { DATABASE_URL: other.url };
  const before = await contentsOf(other.url);
  const whole = readFileSync(file('still.gz'));
  const text = gunzipSync(whole).toString();
  const damaged = Buffer.from(whole);
  damaged.fill(0x55, 2_000, 2_010);
  const cases: [string, Buffer, RegExp][] = [
    ['cut.gz', whole.subarray(0, whole.length - 100), /ends in the middle/],
    ['damaged.gz', damaged, /damaged|ends in the middle|where .* should begin|invalid/],
    ['text.gz', Buffer.from('hello'), /not one of `windrow backup`/],
    [
      'newer.gz',
      gzipSync(text.replace(/"migration":\d+/, '"migration":9999')),
      /at migration 9999, which this version does not know/,
    ],
    ['fewer.gz', gzipSync(text.replace(/"runs":\d+/, '"runs":7')), /runs has \d+ rows in it, and should have 7/],
    ['strange.gz', gzipSync(text.replaceAll('"shares"', '"shares_of_x"')), /there is no table shares_of_x/],
  ];
  for (const [name, bytes, why] of cases) {
    writeFileSync(file(name), bytes);
    const { code, stderr } = await windrow(['restore', '--force', file(name)], env);
    expect([name, code]).toEqual([name, 1]);
    expect(stderr).toMatch(why);
  }
  expect(await contentsOf(other.url)).toEqual(before);
  expect((await windrow(['backup', file('still.gz')], env)).stderr).toMatch(/exists already/);
  const nowhere = await windrow(['backup', file('never.gz')], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' });
  expect(nowhere.stderr).toMatch(/Cannot reach PostgreSQL at 127\.0\.0\.1:1 \(DATABASE_URL\): connection refused/);
  expect(readdirSync(folder).filter((name) => /partial|never/.test(name))).toEqual([]);
});

test('an embedded database is backed up while it is in use, through a pipe, and restored in another folder', async () => {
  const [home, copy] = [file('home'), file('copy')];
  const up = roles.start(['up'], { env: { WINDROW_HOME: home, PORT: String(await freePort()), LOG_LEVEL: 'info' } });
  await up.waitForLine(/listening|Listening|process\.started/);
  const piped = spawnSync(
    'sh',
    [
      '-c',
      '"$0" "$1" backup - | "$0" "$1" restore --home "$2" --json -',
      process.execPath,
      join(import.meta.dirname, '../../../src/cli/main.ts'),
      copy,
    ],
    { encoding: 'utf8', env: { ...process.env, WINDROW_HOME: home }, timeout: 120_000 },
  );
  expect(piped.status, piped.stderr).toBe(0);
  expect(JSON.parse(piped.stdout).rows.schedules).toBe(3);
  expect(existsSync(join(copy, 'postgres'))).toBe(true);
  expect((await up.terminate()).code).toBe(0);
  expect((await windrow(['backup', '--home', file('nothing'), file('nothing.gz')])).stderr).toMatch(
    /There is no database in/,
  );
});
