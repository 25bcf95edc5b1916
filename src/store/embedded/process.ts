// Which processes are alive: distinguishes a process from a later one with the same pid, and finds the processes that use a folder.
// A pid alone proves nothing after a crash; a pid with its start time does.
import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { type ServerUser, spawnAs } from './data-folder.ts';

const run = promisify(execFile);

const isLinux = process.platform === 'linux';

/** A mark that no other process shares, in this boot or another; undefined when there is no such process (a zombie is none). */
export async function processMark(pid: number): Promise<string | undefined> {
  if (!isLinux) return markFromPs(pid);
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The command name may hold spaces and brackets; everything of interest follows its last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${await bootMark()}:${fields[19]}`;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** This boot of this machine. */
export async function bootMark(): Promise<string> {
  if (!isLinux) return 'one-boot';
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}

/** The pid namespace: a pid written by another container means nothing here. */
export async function pidNamespace(): Promise<string> {
  return isLinux ? readlink('/proc/self/ns/pid') : 'one-namespace';
}

/**
 * PostgreSQL processes whose working folder is `folder`; `knownPid` is all that can be asked about where there is no /proc. `user` is whose they are: root of a
 * container may not look into processes of others.
 */
export async function postgresProcessesIn(
  folder: string,
  knownPid: number | undefined,
  user?: ServerUser,
): Promise<number[]> {
  if (!isLinux) {
    if (knownPid === undefined) return [];
    const { stdout } = await psOf(knownPid, 'command=');
    return stdout.includes('postgres') && stdout.includes(folder) ? [knownPid] : [];
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(async (pid) => ((await isPostgresIn(pid, folder, user)) ? [pid] : [])));
  return found.flat();
}

async function isPostgresIn(pid: number, folder: string, user: ServerUser | undefined): Promise<boolean> {
  const links = ['exe', 'cwd'].map((name) => `/proc/${pid}/${name}`);
  try {
    return isPostgres(await Promise.all(links.map((link) => readlink(link))), folder);
  } catch (error) {
    // Processes end while we look.
    if (isGone(error)) return false;
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    const comm = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    if (!user?.ids || !comm.startsWith('postgres')) return false;
    // It ends with 1 for a process that has ended, or is of yet another user.
    const seen = await run('readlink', links, spawnAs(user)).catch(() => ({ stdout: '' }));
    return isPostgres(seen.stdout.trim().split('\n'), folder);
  }
}

/** The name of a process is what it calls itself; the program it runs is not. An update may have replaced its file meanwhile. */
const isPostgres = ([program = '', cwd]: string[], folder: string): boolean =>
  basename(program).replace(' (deleted)', '') === 'postgres' && cwd === folder;

/** Sends a signal; a process that has already ended is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** True once `isDone` says so, false when `limitMs` is over first. */
export async function waitUntil(isDone: () => Promise<boolean>, limitMs: number, stepMs = 20): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (!(await isDone())) {
    if (performance.now() >= end) return false;
    await sleep(stepMs);
  }
  return true;
}

async function markFromPs(pid: number): Promise<string | undefined> {
  const { stdout } = await psOf(pid, 'lstart=');
  return stdout.trim() === '' ? undefined : stdout.trim();
}

/** `ps` ends with 1 when there is no such process; then the text is empty. */
async function psOf(pid: number, column: string): Promise<{ stdout: string }> {
  return run('ps', ['-o', column, '-p', String(pid)]).catch((error: { code?: number | string }) => {
    if (error.code === 1) return { stdout: '' };
    throw error;
  });
}

function isGone(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ESRCH';
}
