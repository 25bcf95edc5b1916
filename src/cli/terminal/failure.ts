// How a command ends when it fails: which exit code, and what it says. 0 done, 1 it failed, 2 wrong usage or configuration, 130 interrupted.
import { CommanderError } from 'commander';
import { AppError, asAppError } from '../../model/errors.ts';
import { createTerminal } from './terminal.ts';

const WRONG_USAGE = new Set(['invalid_config', 'invalid_usage']);

/** Says what went wrong and returns the exit code. */
export function reportFailure(thrown: unknown, isJson: boolean): number {
  // Help and version were printed already; they come as "errors" with code 0.
  if (thrown instanceof CommanderError && thrown.exitCode === 0) return 0;
  // A command that only has others was called alone: its help was shown, and that is all there is to say.
  if (thrown instanceof CommanderError && thrown.code === 'commander.help') return 2;
  const error =
    thrown instanceof CommanderError
      ? new AppError('invalid_usage', thrown.message.replace(/^error: /, ''))
      : asAppError(thrown);
  const terminal = createTerminal({ json: isJson });
  if (isJson) {
    const { code, message, details, errors } = error;
    terminal.document({ error: { code, message, ...(details ? { details } : {}), ...(errors ? { errors } : {}) } });
  } else {
    terminal.say(`${terminal.style('red', 'windrow:')} ${error.message}`);
    // One that stands in the sentence already is not said again.
    const told = error.errors ?? [];
    const isSaid = told.length === 1 && error.message.includes(told[0]!.detail);
    for (const field of isSaid ? [] : told) terminal.say(`  ${field.pointer}: ${field.detail}`);
    if (error.code === 'internal' && error.cause instanceof Error && process.env.LOG_LEVEL === 'debug')
      terminal.say(error.cause.stack ?? '');
  }
  return WRONG_USAGE.has(error.code) ? 2 : 1;
}
