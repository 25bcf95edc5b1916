// Watches a run of a server. Ctrl-C stops watching, never the run.
import { onInterrupt } from '../../compose/process/interrupts.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `watch` resolves with whether the run has ended; false when it was stopped before. */
export async function watching(
  id: string,
  terminal: Terminal,
  watch: (signal: AbortSignal) => Promise<boolean>,
): Promise<void> {
  const stop = new AbortController();
  const release = onInterrupt(() => stop.abort());
  try {
    const hasEnded = await watch(stop.signal);
    terminal.progress(null);
    if (hasEnded) return;
    terminal.say(`Stopped watching. ${id} goes on. To watch again: windrow run ${id} --watch`);
    process.exitCode = 130;
  } finally {
    terminal.progress(null);
    release();
  }
}
