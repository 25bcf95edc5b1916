// `windrow cancel <id>`, which is `windrow runs cancel <id>`: removes waiting tasks, stops running ones, of a run of any kind.
import { clientCommand } from '../../client/client.ts';
import { type ClientOptions, openClient } from '../lists/about-one.ts';

export const make = () => cancelCommand('cancel');

/** `line`: as it is typed. */
export const cancelCommand = (line: string) =>
  clientCommand({
    name: line.split(' ').at(-1)!,
    about: 'Cancels a run of any kind. Waiting tasks are removed, running tasks are stopped, what was found is kept.',
    examples: [[`windrow ${line} job_a1b2c3d4e5f6`, 'exit code 1 when the run has already ended']],
  })
    .argument('<id>', 'run id')
    .action(async (id: string, options: ClientOptions) => {
      const { client, terminal } = await openClient(options);
      const cancelled = await client.send<{ removed_tasks: number }>('DELETE', `/runs/${encodeURIComponent(id)}`);
      const { removed_tasks: removed } = cancelled;
      if (options.json) terminal.document(cancelled);
      else terminal.say(`Cancelled. Removed ${removed} pending ${removed === 1 ? 'task' : 'tasks'}.`);
    });
