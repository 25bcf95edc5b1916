// The embedded server for real: started, stopped, refused. What only root can show is tested only under root; killing is in tests/faults/.
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { homeLock, readHome, startEmbedded } from '../../../src/store/embedded/embedded.ts';
import { processMark } from '../../../src/store/embedded/process.ts';
import { EmbeddedHomes, sql } from '../../support/embedded.ts';

const isRoot = process.getuid?.() === 0;
const homes = new EmbeddedHomes();
afterEach(() => homes.reap());

test('starts from nothing, keeps data over a stop and a start, and leaves nothing running', async () => {
  const home = homes.home();
  const first = await homes.start(home);
  expect((await sql(first.connection, 'show server_version'))[0]?.server_version).toMatch(/^18\./);
  await sql(first.connection, 'create table kept as select 1 as n');
  const data = join(home, 'postgres', 'data');
  expect(statSync(data).mode & 0o777).toBe(0o700);
  expect(statSync(first.connection.host).mode & 0o777).toBe(0o700);
  await first.stop();
  await first.stop();
  expect(await processMark(first.pid)).toBeUndefined();
  expect(existsSync(first.connection.host)).toBe(false);
  const second = await homes.start(home);
  expect(await sql(second.connection, 'select n from kept')).toEqual([{ n: 1 }]);
});

test('is durable, private and without TCP', async () => {
  const store = await homes.start(homes.home());
  const rows = await sql(
    store.connection,
    "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'jit', 'TimeZone') order by name collate \"C\"",
  );
  expect(Object.fromEntries(rows.map((row) => [row.name, row.setting]))).toEqual({
    TimeZone: 'UTC',
    fsync: 'on',
    full_page_writes: 'on',
    jit: 'off',
    listen_addresses: '',
    synchronous_commit: 'on',
  });
  for (const extension of ['pg_trgm', 'unaccent', 'btree_gin'])
    await sql(store.connection, `create extension ${extension}`);
});

test('tells one-shot commands where it runs, and stops telling when it has stopped', async () => {
  const home = homes.home();
  expect(await readHome(home)).toBeUndefined();
  const store = await homes.start(home);
  expect(await readHome(home)).toMatchObject({
    pid: process.pid,
    postgres: { pid: store.pid, socketDir: store.connection.host },
  });
  await store.stop();
  expect(await readHome(home)).toBeUndefined();
});

test('stale lock and pid files that name a living process of someone else do not stop a start', async () => {
  const home = homes.home();
  await (await homes.start(home)).stop();
  const [lock] = readdirSync(home).filter((name) => name.startsWith('lock.'));
  const owner = JSON.parse(readFileSync(join(home, lock!), 'utf8'));
  // PostgreSQL trusts a pid file that names any living process of its own user.
  const data = statSync(join(home, 'postgres', 'data'));
  const other = spawn('sleep', ['60'], { stdio: 'ignore', ...(isRoot ? { uid: data.uid, gid: data.gid } : {}) });
  onTestFinished(() => void other.kill());
  // This very process is alive, but was not started when that lock says.
  writeFileSync(
    join(home, lock!),
    JSON.stringify({ ...owner, released: undefined, pid: process.pid, mark: `${owner.boot}:1` }),
  );
  writeFileSync(join(home, 'postgres', 'data', 'postmaster.pid'), `${other.pid}\n${home}\n1\n5432\n\n\n1 1\nready\n`);
  const store = await homes.start(home);
  expect(await sql(store.connection, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('data of another PostgreSQL version is refused with what to do, and the lock is given back', async () => {
  const home = homes.home();
  await (await homes.start(home)).stop();
  const versionFile = join(home, 'postgres', 'data', 'PG_VERSION');
  writeFileSync(versionFile, '17\n');
  await expect(startEmbedded({ home })).rejects.toMatchObject({
    code: 'embedded_failed',
    message: expect.stringMatching(/PostgreSQL 17.*mv '/s),
  });
  writeFileSync(versionFile, '18\n');
  await homes.start(home);
});

test('an aborted start leaves neither server nor lock', async () => {
  const home = homes.home();
  const abort = new AbortController();
  setTimeout(() => abort.abort(new Error('enough')), 200);
  await expect(startEmbedded({ home, signal: abort.signal })).rejects.toThrow('enough');
  const lock = await homeLock(home);
  await lock.release();
  await homes.start(home);
});

test('binaries whose symlinks npm was not allowed to make still run, from a copy', async () => {
  const native = homes.packageCopy(homes.folder());
  for (const name of readdirSync(join(native, 'lib'))) {
    if (lstatSync(join(native, 'lib', name)).isSymbolicLink()) rmSync(join(native, 'lib', name));
  }
  const home = homes.home();
  const store = await homes.start(home, { nativeDir: native });
  expect(await sql(store.connection, 'select 1 as n')).toEqual([{ n: 1 }]);
  expect(readdirSync(join(home, 'postgres')).some((name) => name.startsWith('postgresql-18'))).toBe(true);
});

if (isRoot) {
  describe('under root', () => {
    test('the server is not root, and no other user gets in', async () => {
      const store = await homes.start(homes.home());
      expect(statSync(`/proc/${store.pid}`).uid).not.toBe(0);
      expect(() => execFileSync('ls', [store.connection.host], { uid: 65533, gid: 65533, stdio: 'ignore' })).toThrow();
    });

    test('a clone and a home below a closed folder work, and the data is linked from the home', async () => {
      const closed = homes.folder(0o700);
      const systemDir = join(homes.folder(), 'var');
      const home = join(closed, 'home of tests');
      const options = { nativeDir: homes.packageCopy(closed), systemDir };
      const first = await homes.start(home, options);
      await sql(first.connection, 'create table kept as select 1 as n');
      expect(lstatSync(join(home, 'postgres')).isSymbolicLink()).toBe(true);
      expect(realpathSync(join(home, 'postgres')).startsWith(systemDir)).toBe(true);
      await first.stop();
      const second = await homes.start(home, options);
      expect(await sql(second.connection, 'select n from kept')).toEqual([{ n: 1 }]);
    });

    test('works as a normal user, who alone and root may connect', async () => {
      const folder = homes.folder(0o777);
      const home = join(folder, 'home of tests');
      const child = homes.startInChild({ home, nativeDir: homes.packageCopy(homes.folder()) }, true);
      const { pid, connection } = await child.ready;
      expect(statSync(`/proc/${pid}`).uid).toBe(65534);
      expect(statSync(home).mode & 0o777).toBe(0o700);
      expect(await sql(connection, 'select 1 as n')).toEqual([{ n: 1 }]);
      child.process.stdin?.end();
      expect(await child.exited).toBe(0);
      // And root goes on where the user stopped, as that user.
      const store = await homes.start(home);
      expect(statSync(`/proc/${store.pid}`).uid).toBe(65534);
    });
  });
}
