// `windrow <noun> change <id> --set name=value`: any field that the API lets one change.
import type { Command } from 'commander';
import { AppError } from '../../../model/errors.ts';
import { clientCommand } from '../../client/client.ts';
import { type ClientOptions, openClient } from './about-one.ts';
import { fieldRows } from './read-command.ts';
import { collect } from './set-option.ts';

export interface Change {
  /** Also the path in the API. */
  noun: string;
  argument: readonly [name: string, about: string];
  /** A line with what it does, without `windrow <noun> change`. */
  examples: readonly (readonly [string, string])[];
  fields: string;
}

export const changeCommand = ({ noun, argument: [name, about], examples, fields }: Change): Command =>
  clientCommand({
    name: 'change',
    about: `Changes fields: ${fields}.`,
    examples: examples.map(([line, what]) => [`windrow ${noun} change ${line}`, what]),
  })
    .argument(`<${name}>`, about)
    .requiredOption(
      '--set <name=value>',
      'field and its new value: text, true, false, null, or JSON {…} or […]. name:=3 for a number',
      collect,
      {},
    )
    .action(async (id: string, options: ClientOptions & { set: Record<string, unknown> }) => {
      if (Object.keys(options.set).length === 0)
        throw new AppError('invalid_usage', `Say what to change: --set name=value. There are ${fields}.`);
      const { client, terminal } = await openClient(options);
      const changed = await client.send<object>('PATCH', `/${noun}/${encodeURIComponent(id)}`, options.set);
      if (options.json) terminal.document(changed);
      else terminal.table(fieldRows(changed));
    });
