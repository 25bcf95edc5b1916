import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { homeLock, homeOwner, type LockOwner } from './lock.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'windrow-lock-'));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

const lockFiles = () => readdirSync(home).filter((name) => name.startsWith('lock'));

/** Changes what the only lock file says about its owner. */
function rewrite(change: Partial<LockOwner>): void {
  const path = join(home, lockFiles()[0]!);
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...change }));
}

test('a lock is held until it is released, and leaves one small file', async () => {
  const lock = await homeLock(home);
  expect(await homeOwner(home)).toMatchObject({ pid: process.pid });
  await expect(homeLock(home, { graceMs: 0 })).rejects.toMatchObject({
    code: 'home_in_use',
    message: expect.stringContaining(`process ${process.pid}`),
  });
  await lock.release();
  await lock.release();
  expect(await homeOwner(home)).toBeUndefined();
  await (await homeLock(home)).release();
  expect(lockFiles()).toHaveLength(1);
});

test('an owner that is about to leave is waited for', async () => {
  const first = await homeLock(home);
  const second = homeLock(home);
  await first.release();
  await (await second).release();
});

test('a lock whose process is dead is taken over', async () => {
  await homeLock(home);
  rewrite({ pid: 2 ** 22 + 1 });
  const lock = await homeLock(home);
  expect(await homeOwner(home)).toMatchObject({ pid: process.pid });
  await lock.release();
});

test('a living process that only has the same number as the owner does not keep a lock', async () => {
  const { owner } = await homeLock(home);
  rewrite({ mark: `${owner.boot}:1` });
  await (await homeLock(home)).release();
});

test('an owner in another container is believed while it touches its lock, and only then', async () => {
  await homeLock(home);
  rewrite({ pid: 7, namespace: 'pid:[1]', host: 'other-container' });
  await expect(homeLock(home, { graceMs: 0 })).rejects.toMatchObject({
    message: expect.stringContaining('process 7 on other-container'),
  });
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(join(home, lockFiles()[0]!), longAgo, longAgo);
  await (await homeLock(home)).release();
});

test('a lock file that cannot be understood is not deleted but named', async () => {
  writeFileSync(join(home, 'lock.3'), 'half a li');
  await expect(homeLock(home, { graceMs: 0 })).rejects.toMatchObject({
    code: 'home_in_use',
    message: expect.stringContaining('lock.3'),
  });
});

test('only one of many that reach for a free home at once gets it', async () => {
  await (await homeLock(home)).release();
  const locks = await Promise.allSettled(Array.from({ length: 12 }, () => homeLock(home, { graceMs: 0 })));
  const won = locks.filter((lock) => lock.status === 'fulfilled');
  expect(won).toHaveLength(1);
  for (const lock of won) await lock.value.release();
  expect(readdirSync(home).filter((name) => name.startsWith('lock'))).toHaveLength(1);
});
