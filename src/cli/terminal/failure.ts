// How a command fails: message and exit code. 0 success, 1 failure, 2 wrong usage or configuration, 130 interrupted.
import { CommanderError } from 'commander';
import { AppError, asAppError, type FieldError, fieldSentence } from '../../model/errors.ts';
import { createTerminal } from './terminal.ts';

const WRONG_USAGE = new Set(['invalid_config', 'invalid_usage']);

/** Prints the error and returns the exit code. */
export function reportFailure(thrown: unknown, isJson: boolean): number {
  // Help and version were printed already; they come as "errors" with code 0.
  if (thrown instanceof CommanderError && thrown.exitCode === 0) return 0;
  // A command that only has subcommands was called without one: its help was shown.
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
    // Not repeated if the message already has it.
    const fields = error.errors ?? [];
    const isSaid = fields.length === 1 && error.message.includes(fields[0]!.detail);
    for (const field of isSaid ? [] : fields) terminal.say(`  ${fieldLine(field)}`);
    if (error.code === 'internal' && error.cause instanceof Error && process.env.LOG_LEVEL === 'debug')
      terminal.say(error.cause.stack ?? '');
  }
  return WRONG_USAGE.has(error.code) ? 2 : 1;
}

/** A JSON Pointer becomes a field name; a command may have put the name of its option there instead. */
const fieldLine = (field: FieldError): string =>
  field.pointer === '' || field.pointer.startsWith('/')
    ? fieldSentence(field, 'The request')
    : `${field.pointer}: ${field.detail}`;
