// Watching a run at the terminal: a bar for a person, JSON lines for a program, and an exit code that says how it ended. Ctrl-C stops the watching,
// never the run.
import type { Client } from './client.ts';
import { progressBar, type Terminal } from './terminal.ts';
import { type RunState, watchRun } from './watch.ts';

const REDRAW_MS = 250;

export async function follow(client: Client, id: string, terminal: Terminal, isJson: boolean): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const started = performance.now();
  let last: RunState | undefined;
  const draw = () => last && terminal.progress(`${progressBar(last)} · ${seconds(started)}`);
  // The clock goes on while nothing happens: a person sees that the watching has not stopped.
  const clock = isJson ? undefined : setInterval(draw, REDRAW_MS);
  const onState = (state: RunState): void => {
    last = state;
    if (isJson) terminal.out(JSON.stringify({ type: 'job_update', job_id: id, ...state }));
    else draw();
  };
  try {
    const final = await watchRun(client, id, onState, stop.signal);
    clearInterval(clock);
    terminal.progress(null);
    if (!final) {
      terminal.say(`${id} goes on without you; look again with: windrow run ${id} --watch`);
      process.exitCode = 130;
      return;
    }
    if (!isJson)
      terminal.say(`${final.status}: ${final.completed} scraped, ${final.failed} failed, ${seconds(started)}`);
    if (final.status !== 'COMPLETED') process.exitCode = 1;
  } finally {
    clearInterval(clock);
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

const seconds = (since: number): string => `${((performance.now() - since) / 1_000).toFixed(1)} s`;
