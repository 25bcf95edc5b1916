// Watching a run that goes on elsewhere. Ctrl-C stops the watching, never the run.
import { onInterrupt } from '../../compose/process/interrupts.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `watch` says whether the run has ended; false when it was told to stop before. */
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
