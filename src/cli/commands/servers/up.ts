// `windrow up`, which is `npm start`: all roles in one process, with an embedded database.
import { resolve } from 'node:path';
import { processName } from '../../../compose/process/name.ts';
import type { Config } from '../../../config.ts';
import { AppError } from '../../../model/errors.ts';
import { serverCommand, takesSettings } from '../../command.ts';
import { type Started, startEverything } from '../../process/everything.ts';
import { serve } from '../../process/serve.ts';
import { wholeNumber } from '../../terminal/options.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export const make = () =>
  takesSettings(
    serverCommand({
      name: 'up',
      about: 'Runs API, dashboard, orchestrator, worker and an embedded PostgreSQL in this process.',
      examples: [
        ['windrow up', 'on http://127.0.0.1:8000, data in .windrow'],
        ['windrow up --sandbox', 'all pages come from a sandbox web, none from the internet'],
        ['windrow up --port 9000 --home /var/lib/windrow', 'another port and data folder'],
        [
          'DATABASE_URL=postgres://… REDIS_URL=redis://… windrow up --no-worker',
          'your own PostgreSQL and Redis, workers on other machines',
        ],
      ],
      notes: `Ctrl-C or SIGTERM: accepts no more requests, waits up to SHUTDOWN_GRACE_SECONDS for running tasks, returns the others to the queue, stops.
A second Ctrl-C stops at once. Accepted work is not lost.`,
    })
      .option('--sandbox', 'scrape a sandbox web instead of the internet')
      .option(
        '--api-processes <number>',
        'API processes on the same port (more than one needs DATABASE_URL and REDIS_URL)',
        wholeNumber(1, 64),
        1,
      )
      .option('--no-worker', 'run no worker in this process (needs REDIS_URL)'),
    ['host', 'port', 'home', 'workerConcurrency', 'logLevel'],
  ).action((options: Record<string, unknown> & { sandbox?: boolean; worker: boolean; apiProcesses: number }) =>
    serve(
      {
        options,
        needs: options.apiProcesses > 1 ? ['databaseUrl', 'redisUrl'] : options.worker ? [] : ['redisUrl'],
        isListening: true,
        name: processName('up'),
      },
      async (role) => {
        if (options.sandbox && !options.worker)
          throw new AppError('invalid_usage', '--sandbox has no effect with --no-worker. Remove one of them.');
        const started = await startEverything(role, {
          sandbox: Boolean(options.sandbox),
          worker: options.worker,
          apiProcesses: options.apiProcesses,
          options,
        });
        if (role.terminal.isWatched) greet(role.terminal, role.config, started);
      },
    ),
  );

function greet(terminal: Terminal, config: Config, { url, sandbox }: Started): void {
  const bold = (text: string) => terminal.style('bold', text);
  const key = config.apiKeys ? ` -H "Authorization: Bearer $KEY"` : '';
  const lines = [
    '',
    `  ${bold('Windrow is running.')}  Ctrl-C stops it.`,
    '',
    `  dashboard  ${bold(url)}`,
    `  API docs   ${url}/docs`,
    `  data       ${config.databaseUrl ? 'database of DATABASE_URL' : resolve(config.home)}`,
    ...(sandbox
      ? [
          '',
          terminal.style(
            ['yellow', 'bold'],
            `  SANDBOX: all pages come from a sandbox web (${sandbox}), none from the internet.`,
          ),
        ]
      : []),
    '',
    '  Try it from another terminal:',
    `    curl -s ${url}/jobs/submit${key} -H 'content-type: application/json' \\`,
    `      -d '{"articles":[{"url":"https://example.com/story"}]}'`,
    '    npx windrow submit https://example.com/story --watch',
    '',
  ];
  for (const line of lines) terminal.say(line);
}
