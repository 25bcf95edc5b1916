// One process at a time in a home folder. The lock is a file with a growing number, `lock.7`: the highest one is valid, and taking over from a dead owner
// means creating the next number. If a stale file was deleted and created again, two processes could both believe they have the lock.
import { link, mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../model/errors.ts';
import { bootMark, pidNamespace, processMark } from './process.ts';
import { isNoRoom } from './space.ts';

const BEAT_MS = 2_000;
/** An owner in another container or machine cannot be looked up; it is alive if it touched its file this recently. */
const FRESH_MS = 10_000;
/** A killed owner needs a moment to end, and a supervisor may restart us faster than that. */
const GRACE_MS = 500;

export interface LockOwner {
  pid: number;
  /** From `processMark`: a later process with the same pid has another. */
  mark: string;
  boot: string;
  namespace: string;
  host: string;
  since: string;
  released?: true;
}

export interface HomeLock {
  home: string;
  owner: LockOwner;
  /** Safe to call twice. */
  release(): Promise<void>;
}

/** Takes the home folder (made if absent) or refuses with `home_in_use`, naming the process that has it. */
export async function homeLock(home: string, options: { graceMs?: number } = {}): Promise<HomeLock> {
  // As root the server runs as another user, who must be able to pass through; the folders inside are closed.
  await mkdir(home, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const owner = await thisProcess();
  const draft = join(home, `lock-draft-${process.pid}-${crypto.randomUUID()}`);
  try {
    await writeDurably(draft, owner);
    const number = await take(home, draft, options.graceMs ?? GRACE_MS);
    return held(home, number, owner);
  } finally {
    await rm(draft, { force: true });
  }
}

/** The process that has this home now, if any. */
export async function homeOwner(home: string): Promise<LockOwner | undefined> {
  const highest = (await lockNumbers(home)).at(-1);
  return highest === undefined ? undefined : ownerIfAlive(join(home, `lock.${highest}`));
}

async function take(home: string, draft: string, graceMs: number): Promise<number> {
  const end = performance.now() + graceMs;
  for (;;) {
    const highest = (await lockNumbers(home)).at(-1) ?? 0;
    const owner = highest === 0 ? undefined : await ownerIfAlive(join(home, `lock.${highest}`));
    if (owner) {
      if (performance.now() >= end) throw inUse(home, highest, owner);
      await sleep(20);
      continue;
    }
    const mine = highest + 1;
    try {
      await link(draft, join(home, `lock.${mine}`));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    const after = await lockNumbers(home);
    if (after.at(-1) === mine) {
      for (const old of after.slice(0, -1)) await rm(join(home, `lock.${old}`), { force: true });
      return mine;
    }
    // Another process created a higher number meanwhile: that one is valid.
    await rm(join(home, `lock.${mine}`), { force: true });
  }
}

function held(home: string, number: number, owner: LockOwner): HomeLock {
  const path = join(home, `lock.${number}`);
  const beat = setInterval(() => {
    const now = new Date();
    // A home that was deleted under us has no lock to keep fresh; the next use of the folder will say so. On a full disk it is tried again.
    utimes(path, now, now).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') clearInterval(beat);
    });
  }, BEAT_MS);
  beat.unref();
  let released: Promise<void> | undefined;
  return {
    home,
    owner,
    release() {
      released ??= release(home, path, owner, beat);
      return released;
    },
  };
}

/** The number stays, marked as released: a number that is used again could be taken twice. */
async function release(home: string, path: string, owner: LockOwner, beat: NodeJS.Timeout): Promise<void> {
  clearInterval(beat);
  const draft = join(home, `lock-draft-${process.pid}-${crypto.randomUUID()}`);
  try {
    await writeDurably(draft, { ...owner, released: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    // The home itself is gone (a temporary one, removed by its owner): nothing is left to release. On a full disk the end of this process releases it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && !isNoRoom(error)) throw error;
  }
}

async function lockNumbers(home: string): Promise<number[]> {
  const names = await readdir(home).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const numbers = names.flatMap((name) => /^lock\.(\d+)$/.exec(name)?.[1] ?? []).map(Number);
  return numbers.sort((a, b) => a - b);
}

async function ownerIfAlive(path: string): Promise<LockOwner | undefined> {
  let owner: LockOwner;
  let beatAgeMs: number;
  try {
    owner = JSON.parse(await readFile(path, 'utf8')) as LockOwner;
    beatAgeMs = Date.now() - (await stat(path)).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new AppError('home_in_use', `${path} cannot be read. If no Windrow runs in that folder, delete the file.`, {
      cause: error,
    });
  }
  if (owner.released) return undefined;
  const isHere = owner.boot === (await bootMark()) && owner.namespace === (await pidNamespace());
  const isAlive = isHere ? (await processMark(owner.pid)) === owner.mark : beatAgeMs < FRESH_MS;
  return isAlive ? owner : undefined;
}

async function thisProcess(): Promise<LockOwner> {
  const mark = await processMark(process.pid);
  if (mark === undefined) throw new AppError('embedded_failed', 'This process was not found in the process table.');
  return {
    pid: process.pid,
    mark,
    boot: await bootMark(),
    namespace: await pidNamespace(),
    host: hostname(),
    since: new Date().toISOString(),
  };
}

async function writeDurably(path: string, owner: LockOwner): Promise<void> {
  const file = await open(path, 'wx', 0o644);
  try {
    await file.writeFile(JSON.stringify(owner));
    await file.sync();
  } finally {
    await file.close();
  }
}

function inUse(home: string, number: number, owner: LockOwner): AppError {
  const where = owner.host === hostname() ? '' : ` on ${owner.host}`;
  return new AppError(
    'home_in_use',
    `${home} is in use by process ${owner.pid}${where}, since ${owner.since}. Stop it (kill ${owner.pid}), or use another folder with --home or WINDROW_HOME.`,
    { details: { pid: owner.pid, host: owner.host, since: owner.since, lock: `lock.${number}` } },
  );
}
