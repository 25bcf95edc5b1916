// `windrow schemas`: the message contract as JSON Schema, so that a worker can be written in any language.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Report, Result, TaskMessage } from '../../../model/task/messages.ts';
import { command } from '../../command.ts';
import { createTerminal } from '../../terminal/terminal.ts';

const MESSAGES = {
  task: { schema: TaskMessage, about: 'What a worker takes off a task stream.' },
  result: { schema: Result, about: 'What a worker reports when an attempt has ended, in one or several parts.' },
  report: { schema: Report, about: 'Everything a worker may report: a result, what it holds, what it gives back.' },
};

/** File name to file text. */
export function messageSchemas(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(MESSAGES).map(([name, { schema, about }]) => {
      // As a worker writes them: what has a default may be left out.
      const json = z.toJSONSchema(schema, { io: 'input' });
      const { $schema, ...rest } = json;
      return [`${name}.json`, `${JSON.stringify({ $schema, title: name, description: about, ...rest }, null, 2)}\n`];
    }),
  );
}

export const make = () =>
  command({
    name: 'schemas',
    about: 'Writes the JSON Schemas of the messages between orchestrator and workers.',
    examples: [
      ['windrow schemas', 'brings the schemas folder up to date after a change of src/model/task/messages.ts'],
    ],
  })
    .option('-o, --output <folder>', 'where to write them', 'schemas')
    .action(async (options: { output: string; json?: boolean }) => {
      const terminal = createTerminal({ json: Boolean(options.json) });
      const files = messageSchemas();
      await mkdir(options.output, { recursive: true });
      for (const [name, text] of Object.entries(files)) await writeFile(join(options.output, name), text);
      const paths = Object.keys(files).map((name) => join(options.output, name));
      if (options.json) terminal.document({ written: paths });
      else for (const path of paths) terminal.say(`wrote ${path}`);
    });
