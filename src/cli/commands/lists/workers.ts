// `windrow workers [name] [drain|resume]`: the workers of a server. Draining is for a machine that is to be stopped or changed: the worker ends what it has and
// takes no more.
import type { z } from 'zod';
import type { Worker } from '../../../api/workers/views.ts';
import { AppError } from '../../../model/errors.ts';
import { type Client, clientCommand, configuredClient } from '../../client/client.ts';
import { columns, createTerminal, type Terminal } from '../../terminal/terminal.ts';

type WorkerView = z.infer<typeof Worker>;
type Options = Record<string, unknown> & { json?: boolean; reason?: string };

export const make = () =>
  clientCommand({
    name: 'workers',
    about: 'Lists workers, drains or resumes a worker.',
    examples: [
      ['windrow workers', 'all workers that are alive, with their slots'],
      ['windrow workers host-1.4711 drain --reason "more memory"', 'it ends what it has and takes no more'],
      ['windrow workers host-1.4711 resume', 'it takes tasks again'],
    ],
  })
    .argument('[name]', 'worker name')
    .argument('[action]', 'drain or resume')
    .option('--reason <text>', 'reason for the drain, shown in the API and dashboard')
    .action(async (name: string | undefined, action: string | undefined, options: Options) => {
      const terminal = createTerminal({ json: Boolean(options.json) });
      const client = await configuredClient(options, terminal);
      if (name !== undefined && action !== undefined) await hold(client, terminal, { name, action, options });
      else await list(client, terminal, name, options);
    });

function stateText({ draining, drain, busy }: WorkerView): string {
  if (drain) return busy > 0 ? 'draining' : 'drained';
  if (draining) return 'stopping';
  return busy > 0 ? 'at work' : 'idle';
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;

async function list(client: Client, terminal: Terminal, name: string | undefined, options: Options): Promise<void> {
  const { data } = await client.get<{ data: { wire: string; workers: WorkerView[] } }>('/jobs/queue/status');
  if (data.wire === 'down') throw new AppError('unavailable', 'Redis does not answer, so no worker is known.');
  const found = data.workers.filter(({ worker }) => name === undefined || worker === name);
  if (options.json) return terminal.document({ workers: found });
  if (found.length === 0 && name !== undefined)
    throw new AppError('unknown_id', `There is no worker ${name}. See windrow workers.`);
  if (found.length === 0) return terminal.say('No worker is running. Start one: windrow worker');
  const rows = found.map((worker) => [
    worker.worker,
    stateText(worker),
    `${worker.busy}/${worker.slots}`,
    worker.lanes.join(','),
    megabytes(worker.rss_bytes),
    worker.host,
    worker.version,
    worker.drain?.reason ?? '',
  ]);
  const head = ['WORKER', 'STATE', 'SLOTS', 'LANES', 'MEMORY', 'HOST', 'VERSION', 'REASON'];
  for (const line of columns([head, ...rows])) terminal.out(line.trimEnd());
}

interface Hold {
  name: string;
  action: string;
  options: Options;
}

async function hold(client: Client, terminal: Terminal, { name, action, options }: Hold): Promise<void> {
  if (action !== 'drain' && action !== 'resume')
    throw new AppError('invalid_usage', `The action has to be drain or resume, not "${action}".`);
  const body = action === 'drain' && options.reason !== undefined ? { reason: options.reason } : undefined;
  const path = `/workers/${encodeURIComponent(name)}/${action}`;
  const held = await client.send<{ worker: string; draining: boolean; tasks: number }>('POST', path, body);
  if (options.json) return terminal.document(held);
  const inHand = held.tasks === 1 ? '1 task' : `${held.tasks} tasks`;
  terminal.say(
    held.draining ? `Draining ${held.worker}: it ends ${inHand} and takes no more` : `Resumed ${held.worker}`,
  );
}
