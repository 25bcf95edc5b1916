// The word for the state of a run on the command line: the same as in `windrow runs` and webhooks, whatever its own part of the API calls it.
import type { RunLabel } from '../../model/run/run-labels.ts';

const WORDS: Record<string, RunLabel> = {
  pending: 'running',
  in_progress: 'running',
  processing: 'running',
  succeeded: 'completed',
  complete: 'completed',
  done: 'completed',
};

/** `failed`: how much of it failed, where that is known. */
export function runWord(status: string, failed = 0): string {
  const word = WORDS[status.toLowerCase()] ?? status.toLowerCase();
  return word === 'completed' && failed > 0 ? 'partial' : word;
}
