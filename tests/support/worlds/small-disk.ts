// A disk that a test can fill for the processes it starts on it, and empty again. Where mounting is allowed it is a file system of some megabytes, in a mount
// namespace of its own: no other process sees it, and it is gone with the last process on it. Elsewhere a limit of file sizes does it, for which no right
// is needed: no file can be written to any more, by none of the processes. Without either the test fails and says what is missing.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { treeOf } from '../embedded.ts';

const MEGABYTES = 300;

export interface SmallDisk {
  kind: 'mount' | 'limit';
  /** As the processes on the disk see it. */
  folder: string;
  /** The command that runs another one on the disk. */
  wrap(command: string, args: string[]): [string, string[]];
  /** No room left for these processes and all below them. */
  fill(...pids: number[]): void;
  empty(...pids: number[]): void;
  close(): Promise<void>;
}

export async function smallDisk(kind?: SmallDisk['kind']): Promise<SmallDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'windrow-disk-'));
  chmodSync(folder, 0o755);
  const holder = kind === 'limit' ? null : await mount(folder);
  return holder ? mounted(folder, holder) : limited(folder);
}

/** Holds the namespace until its input closes, which the end of this process does too. Null where mounting is not allowed. */
async function mount(folder: string): Promise<ChildProcess | null> {
  const script = `mount -t tmpfs -o size=${MEGABYTES}m,mode=755 tmpfs "$1" && echo mounted && exec cat`;
  const holder = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', folder], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const isMounted = await Promise.race([
    once(holder.stdout, 'data').then(() => true),
    once(holder, 'exit').then(() => false),
    once(holder, 'error').then(() => false),
  ]);
  return isMounted ? holder : null;
}

function mounted(folder: string, holder: ChildProcess): SmallDisk {
  const filler = join(`/proc/${holder.pid}/root`, folder, 'filler');
  return {
    kind: 'mount',
    folder,
    wrap: (command, args) => ['nsenter', [`--mount=/proc/${holder.pid}/ns/mnt`, command, ...args]],
    fill() {
      const file = openSync(filler, 'a');
      try {
        for (const bytes of [1_048_576, 4_096]) writeUntilFull(file, Buffer.alloc(bytes));
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(filler, { force: true }),
    async close() {
      holder.stdin!.end();
      await once(holder, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    for (;;) writeSync(file, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

function limited(folder: string): SmallDisk {
  let isFull = false;
  const limit = (pids: number[], bytes: string) => {
    for (const pid of pids.flatMap((one) => treeOf(one))) setLimit(pid, bytes);
  };
  return {
    kind: 'limit',
    folder,
    wrap: (command, args) => (isFull ? ['prlimit', ['--fsize=0:', command, ...args]] : [command, args]),
    fill(...pids) {
      isFull = true;
      limit(pids, '0');
    },
    empty(...pids) {
      isFull = false;
      limit(pids, 'unlimited');
    },
    close: async () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
}

function setLimit(pid: number, bytes: string): void {
  try {
    // As the user it belongs to: the limits of others are a right of their own, which root of a container may not have.
    const { uid, gid } = statSync(`/proc/${pid}`);
    execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:`], {
      stdio: 'pipe',
      cwd: '/',
      ...(process.getuid?.() === 0 ? { uid, gid } : {}),
    });
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { stderr?: Buffer };
    // It ended meanwhile.
    if (code === 'ENOENT' && !existsSync(`/proc/${pid}`)) return;
    if (/No such process/.test(String(stderr))) return;
    throw new Error(
      `a full disk needs root with the right to mount, or prlimit (util-linux) to limit file sizes: ${code ?? ''} ${stderr}`,
    );
  }
}
