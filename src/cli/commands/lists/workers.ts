// `windrow workers …`: the workers of a server. `windrow workers NAME drain` is the same as `windrow workers drain NAME`. Draining is for a machine that is to be stopped or changed: the worker ends what it has and
// takes no more.
import type { Command } from 'commander';
import type { z } from 'zod';
import type { Worker } from '../../../api/workers/views.ts';
import { AppError } from '../../../model/errors.ts';
import { type Client, clientCommand } from '../../client/client.ts';
import { noun } from '../../command.ts';
import { type Terminal, timeText } from '../../terminal/terminal.ts';
import { inputText } from '../dead-letters/filter.ts';
import { openClient } from './about-one.ts';
import { readCommand } from './read-command.ts';

type WorkerView = z.infer<typeof Worker>;
type Options = Record<string, unknown> & { json?: boolean; reason?: string };

export const make = () =>
  noun({
    name: 'workers',
    about: 'Lists workers, drains or resumes a worker.',
    verbs: [
      lists(),
      tasks(),
      named('drain', 'Drains a worker: it ends what it has and takes no more.').option(
        '--reason <text>',
        'reason, shown in the API and dashboard',
      ),
      named('resume', 'Resumes a worker: it takes tasks again.'),
    ],
    usual: 'list',
  });

const named = (action: 'drain' | 'resume', about: string): Command =>
  clientCommand({
    name: action,
    about,
    examples: [[`windrow workers ${action} host-1.4711`, 'a name from `windrow workers`']],
  })
    .argument('<name>', 'worker name')
    .action(async (name: string, options: Options) => hold({ ...(await openClient(options)), name, action, options }));

const lists = (): Command =>
  clientCommand({
    name: 'list',
    about: 'Lists the workers that are alive, with their slots.',
    examples: [
      ['windrow workers', 'all of them'],
      ['windrow workers drain host-1.4711 --reason "more memory"', 'it ends what it has and takes no more'],
    ],
  })
    .argument('[name]', 'worker name')
    .argument('[action]', 'drain or resume')
    .option('--reason <text>', 'reason for the drain, shown in the API and dashboard')
    .action(async (name: string | undefined, action: string | undefined, options: Options) => {
      const { client, terminal } = await openClient(options);
      if (name !== undefined && action !== undefined) await hold({ client, terminal, name, action, options });
      else await list(client, terminal, name, options);
    });

interface WorkerTasks {
  tasks: {
    task_id: string;
    source: string;
    run_id: string;
    params: Record<string, unknown>;
    attempt: number;
    sent_at: string;
  }[];
}

const tasks = () =>
  readCommand<WorkerTasks>({
    name: 'tasks',
    about: 'Lists what a worker has in hand.',
    examples: [['windrow workers tasks host-1.4711', 'a name from `windrow workers`']],
    path: '/workers/{worker}/tasks',
    arguments: { worker: 'name of the worker' },
    show({ tasks }, { terminal }) {
      if (tasks.length === 0) return terminal.say('It has no tasks.');
      const rows = tasks.map((one) => [
        one.task_id,
        one.source,
        one.run_id,
        String(one.attempt),
        timeText(one.sent_at),
        inputText(one.params),
      ]);
      terminal.table([['TASK', 'SOURCE', 'RUN', 'ATTEMPT', 'SENT (UTC)', 'INPUT'], ...rows]);
    },
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
  terminal.table([head, ...rows]);
}

interface Hold {
  client: Client;
  terminal: Terminal;
  name: string;
  action: string;
  options: Options;
}

async function hold({ client, terminal, name, action, options }: Hold): Promise<void> {
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
