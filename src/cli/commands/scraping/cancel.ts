// `windrow cancel <id>`: removes waiting tasks, stops running ones.
import { AppError } from '../../../model/errors.ts';
import { clientCommand, configuredClient } from '../../client/client.ts';
import { createTerminal } from '../../terminal/terminal.ts';
import { isCartRun } from '../lists/cart-run.ts';
import { isSearchRun, searchRunPath } from '../lists/search-run.ts';

export const make = () =>
  clientCommand({
    name: 'cancel',
    about: 'Cancels a run. Waiting tasks are removed, running tasks are stopped.',
    examples: [['windrow cancel job_a1b2c3d4e5f6', 'exit code 1 when the run has already ended']],
  })
    .argument('<id>', 'run id')
    .action(async (id: string, options: Record<string, unknown>) => {
      const terminal = createTerminal({ json: Boolean(options.json) });
      const client = await configuredClient(options, terminal);
      if (isCartRun(id))
        throw new AppError('invalid_usage', 'A cart cannot be cancelled: other carts may share its searches.');
      if (isSearchRun(id)) {
        const { data } = await client.send<{ data: { removed_tasks: number } }>('DELETE', searchRunPath(id));
        if (options.json) terminal.document(data);
        else terminal.say(`Run cancelled. Removed ${data.removed_tasks} pending tasks.`);
        return;
      }
      const answer = await client.send<{ message: string }>('DELETE', `/jobs/${encodeURIComponent(id)}`);
      if (options.json) terminal.document(answer);
      else terminal.say(answer.message);
    });
