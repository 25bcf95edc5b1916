// Watches an article run: a progress bar for a person, JSON lines for a program, and the exit code of the outcome.

import { paceText, progressBar } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Client } from './client.ts';
import { runWord } from './run-word.ts';
import { type RunState, watchRun } from './watch.ts';
import { watching } from './watching.ts';

const REDRAW_MS = 250;

export const follow = (client: Client, id: string, terminal: Terminal, isJson: boolean): Promise<void> =>
  watching(id, terminal, async (signal) => {
    const started = performance.now();
    let last: RunState | undefined;
    let doneBefore: number | undefined;
    const draw = () => {
      if (!last) return;
      const ended = last.completed + last.failed;
      doneBefore ??= ended;
      const pace = paceText({
        done: ended - doneBefore,
        left: last.total - ended,
        seconds: (performance.now() - started) / 1_000,
      });
      const parts = [progressBar(last), seconds(started), pace, last.waiting?.message ?? ''];
      terminal.progress(parts.filter((part) => part !== '').join(' · '));
    };
    // The time is redrawn while nothing happens, so that a person sees that watching has not stopped.
    const clock = isJson ? undefined : setInterval(draw, REDRAW_MS);
    const onState = (state: RunState): void => {
      last = state;
      if (isJson) terminal.out(JSON.stringify({ type: 'job_update', job_id: id, ...state }));
      else draw();
    };
    const final = await watchRun(client, id, onState, signal).finally(() => clearInterval(clock));
    if (!final) return false;
    terminal.progress(null);
    if (!isJson)
      terminal.say(
        `${runWord(final.status, final.failed)}: ${final.completed} scraped, ${final.failed} failed, ${seconds(started)}`,
      );
    if (final.status !== 'COMPLETED') process.exitCode = 1;
    return true;
  });

const seconds = (since: number): string => `${((performance.now() - since) / 1_000).toFixed(1)} s`;
