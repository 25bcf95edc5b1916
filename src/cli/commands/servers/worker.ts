// `windrow worker`: takes tasks off Redis and scrapes. It holds no database credentials.
import { command, takesSettings } from '../../command.ts';
import { beginLean } from '../../process/lean.ts';
import { flagsFrom } from '../../settings/flags.ts';
import { loadConfig } from '../../settings/load.ts';

export const make = () =>
  takesSettings(
    command({
      name: 'worker',
      about: 'Runs a worker: takes tasks off Redis, scrapes, reports. Needs REDIS_URL and nothing else.',
      examples: [
        ['REDIS_URL=redis://10.0.0.5 windrow worker', 'a worker for all lanes'],
        ['windrow worker --lanes http --concurrency 100', 'many fetches at a time, no browser'],
        ['windrow worker --lean off', 'more memory, more pages for the same CPU'],
      ],
      notes:
        'SIGTERM: takes nothing new, finishes what it can within SHUTDOWN_GRACE_SECONDS, gives the rest back unharmed, exits 0.',
    }),
    ['workerLanes', 'workerConcurrency', 'workerLean', 'shutdownGraceSeconds', 'webHostMap', 'logLevel'],
  ).action(async (options: Record<string, unknown>) => {
    // Before the process begins anew, so that wrong settings end it like those of any other command.
    const { workerLean } = loadConfig({
      flags: flagsFrom(options),
      file: options.config as string | undefined,
      needs: ['redisUrl'],
    });
    if (workerLean) beginLean(options);
    const { runWorkerProcess } = await import('../../process/worker-process.ts');
    await runWorkerProcess(options);
  });
