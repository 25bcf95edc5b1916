// How a command fails: message and exit code. 0 success, 1 failure, 2 wrong usage or configuration, 130 interrupted.
import { type Command, CommanderError } from 'commander';
import { AppError, asAppError, type FieldError, fieldSentence } from '../../model/errors.ts';
import { asTyped } from './flag-names.ts';
import { createTerminal } from './terminal.ts';

const WRONG_USAGE = new Set(['invalid_config', 'invalid_usage', 'invalid_params']);

/** Prints the error and returns the exit code. `command`: the one that ran, whose flags the person typed. */
export function reportFailure(thrown: unknown, isJson: boolean, command?: Command): number {
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
    const fields = (error.errors ?? []).map((field) => (command ? asTyped(field, command) : field));
    // A server names fields of the request, and so does its message.
    const isRefused = error.code === 'invalid_params' && fields.length > 0 && command !== undefined;
    // Not repeated if the message already has it.
    const isSaid = !isRefused && fields.length === 1 && error.message.includes(fields[0]!.detail);
    const isOne = isRefused && fields.length === 1;
    const message = isOne ? fieldLine(fields[0]!) : isRefused ? 'The request is not valid:' : error.message;
    terminal.say(`${terminal.style('red', 'windrow:')} ${message}`);
    for (const field of isSaid || isOne ? [] : fields) terminal.say(`  ${fieldLine(field)}`);
    if (error.code === 'internal' && error.cause instanceof Error && process.env.LOG_LEVEL === 'debug')
      terminal.say(error.cause.stack ?? '');
  }
  return WRONG_USAGE.has(error.code) ? 2 : 1;
}

/** A JSON Pointer becomes a field name; a command may have put the name of its option there instead. */
const fieldLine = (field: FieldError): string => {
  if (field.pointer === '' || field.pointer.startsWith('/')) return fieldSentence(field, 'The request');
  return /^\p{Lu}/u.test(field.detail) ? `${field.pointer}: ${field.detail}` : `${field.pointer} ${field.detail}`;
};
