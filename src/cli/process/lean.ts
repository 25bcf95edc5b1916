// A worker should use little memory, since there are many of them. The defaults of V8 and malloc are for few large processes, and can only be changed
// when a process starts; so the command reads its options and then replaces itself, under the same pid, by a process with these flags, which loads only
// what it needs. Measured by bench/memory.
import { readdirSync, statSync } from 'node:fs';
import { flushCompileCache, getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const LEAN_FLAGS = [
  // A small young generation, and a heap that is collected before it grows large.
  '--max-semi-space-size=1',
  '--initial-old-space-size=12',
  '--heap-growing-percent=10',
  '--optimize-for-size',
  // Two compilers off: they need more memory than they are worth in a process that mostly waits.
  '--no-maglev',
  '--no-sparkplug',
];

/** For glibc; the environment's own values go before these. */
const MALLOC = {
  // One arena: otherwise memory is kept for each thread.
  MALLOC_ARENA_MAX: '1',
  // Buffers of pages are returned to the system after use instead of leaving holes: a sixth of the process.
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

/** State from the process that replaced itself by this one; undefined in an ordinary process. */
export function takeReexecState(): Handed | undefined {
  const text = process.env[HANDED];
  delete process.env[HANDED];
  return text === undefined ? undefined : (JSON.parse(text) as Handed);
}

/**
 * Call when all code is loaded. Stripping types takes 30 MB that the process never returns. If it had to be done, the result is now in the compile
 * cache, and the process replaces itself once more to start from it.
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
