// `windrow schemas`: the message contract as JSON Schema, so that a worker can be written in any language.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { EvidenceReport } from '../../../model/evidence/evidence.ts';
import { RunUpdate } from '../../../model/run/run.ts';
import {
  ErrorNotice,
  Held,
  Report,
  Result,
  Returned,
  TaskMessage,
  TaskRef,
  WorkerBeat,
} from '../../../model/task/messages.ts';
import { command } from '../../command.ts';
import { createTerminal } from '../../terminal/terminal.ts';

const MESSAGES = {
  task: { schema: TaskMessage, about: 'A task that a worker takes from a task stream.' },
  result: { schema: Result, about: 'The result of an attempt, in one or more parts.' },
  held: { schema: Held, about: 'The tasks that a worker holds: renews their leases.' },
  returned: { schema: Returned, about: 'Tasks that a worker returns unfinished: queued again at no cost.' },
  report: { schema: Report, about: 'Any report of a worker: a result, the tasks it holds, the tasks it returns.' },
  evidence: {
    schema: EvidenceReport,
    about: 'The page that an attempt saw before it failed. Sent beside its result, or not at all.',
  },
  heartbeat: { schema: WorkerBeat, about: 'What a worker says about itself every few seconds.' },
  cancel: { schema: z.array(TaskRef), about: 'Attempts that workers must stop.' },
  error: { schema: ErrorNotice, about: 'An attempt that failed; the durable copy is in its result.' },
  updates: { schema: z.array(RunUpdate), about: 'Runs that have moved.' },
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
    examples: [['windrow schemas', 'updates the schemas folder after a change in src/model/task/messages.ts']],
  })
    .option('-o, --output <folder>', 'output folder', 'schemas')
    .action(async (options: { output: string; json?: boolean }) => {
      const terminal = createTerminal({ json: Boolean(options.json) });
      const files = messageSchemas();
      await mkdir(options.output, { recursive: true });
      for (const [name, text] of Object.entries(files)) await writeFile(join(options.output, name), text);
      const paths = Object.keys(files).map((name) => join(options.output, name));
      if (options.json) terminal.document({ written: paths });
      else for (const path of paths) terminal.say(`wrote ${path}`);
    });
