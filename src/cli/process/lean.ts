// Low-memory mode of a worker (WORKER_LEAN=on), for machines with many workers. The defaults of V8 and malloc are for few large processes, and can only be
// changed when a process starts; so the command reads its settings and then replaces itself, under the same pid, by a process with these flags.
// What a reader would get wrong: this costs half the pages per CPU second, which is why it is not the default. bench/memory measures both.
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

/** Returns where the process has these flags already, or the platform cannot replace a process. */
export function beginLean(): void {
  const { argv, env, execArgv, execPath, execve } = process;
  if (execArgv.includes(LEAN_FLAGS[0]!) || execve === undefined || process.platform === 'win32') return;
  // In a clone, stripping types takes 30 MB that the process never returns, unless the result is in the compile cache.
  const cache = fileURLToPath(new URL('../../../node_modules/.cache/windrow', import.meta.url));
  const own = { ...MALLOC, NODE_COMPILE_CACHE: cache };
  execve(execPath, [execPath, ...execArgv, ...LEAN_FLAGS, ...argv.slice(1)], { ...own, ...env });
}
