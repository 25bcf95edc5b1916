// A worker should cost little, since there are many of them. What V8 and malloc spend by default is meant for few large processes, and can only be
// chosen when a process begins; so the command, once it has read its options, replaces itself under the same pid by a process with these choices,
// which then loads no more than it needs. Measured by bench/memory.
import { readdirSync, statSync } from 'node:fs';
import { flushCompileCache, getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const LEAN_FLAGS = [
  // A small nursery, and a heap that is collected before it has grown large.
  '--max-semi-space-size=1',
  '--initial-old-space-size=12',
  '--heap-growing-percent=10',
  '--optimize-for-size',
  // Two compilers less: their code and their own memory cost more than they bring to a process that waits most of the time.
  '--no-maglev',
  '--no-sparkplug',
];

/** For glibc; the environment's own values go before these. */
const MALLOC = {
  // One arena: it would otherwise keep what each of its threads once needed.
  MALLOC_ARENA_MAX: '1',
  // A buffer as large as those that pages are read into is given back when it is done with, instead of leaving a hole: a sixth of the process.
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '65536',
  MALLOC_TOP_PAD_: '16384',
};

/** The options of the command, and how often the process has begun anew. */
const HANDED = 'WINDROW_LEAN';

interface Handed {
  options: Record<string, unknown>;
  count: number;
}

/** Does not return where the platform can replace a process. */
export function beginLean(options: Record<string, unknown>): void {
  replace({ options, count: 1 }, [...process.execArgv, ...LEAN_FLAGS]);
}

/** What the process before this one handed over; undefined in an ordinary one. */
export function takeReexecState(): Handed | undefined {
  const text = process.env[HANDED];
  delete process.env[HANDED];
  return text === undefined ? undefined : (JSON.parse(text) as Handed);
}

/**
 * Call when all code is loaded. Removing the types from code takes 30 MB that stay with the process. If it had to be done, the result is
 * kept for the next time, and the next time is now.
 */
export function reexecWithWarmCache(handed: Handed): void {
  const folder = getCompileCacheDir();
  if (folder === undefined || handed.count > 1) return;
  flushCompileCache();
  const isNew = (name: string): boolean => statSync(join(folder, name)).mtimeMs > performance.timeOrigin;
  if (readdirSync(folder).some(isNew)) replace({ ...handed, count: handed.count + 1 }, process.execArgv);
}

function replace(handed: Handed, flags: string[]): void {
  const { env, execPath, execve } = process;
  if (execve === undefined || process.platform === 'win32') return;
  const cache = fileURLToPath(new URL('../../../node_modules/.cache/windrow', import.meta.url));
  execve(execPath, [execPath, ...flags, ...process.argv.slice(1)], {
    ...MALLOC,
    ...env,
    [HANDED]: JSON.stringify(handed),
    NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE ?? cache,
  });
}
