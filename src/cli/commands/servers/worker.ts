// `windrow worker`: takes tasks from Redis and scrapes. It has no database credentials.
import { serverCommand, takesSettings } from '../../command.ts';
import { beginLean } from '../../process/lean.ts';
import { flagsFrom } from '../../settings/flags.ts';
import { loadConfig } from '../../settings/load.ts';

export const make = () =>
  takesSettings(
    serverCommand({
      name: 'worker',
      about: 'Runs a worker: takes tasks from Redis, scrapes, sends results. Needs REDIS_URL only.',
      examples: [
        ['REDIS_URL=redis://10.0.0.5 windrow worker', 'a worker for all lanes'],
        ['windrow worker --lanes http --concurrency 100', '100 concurrent fetches, no browser'],
        ['windrow worker --lean on', 'a quarter of the memory, half the pages per CPU second'],
      ],
      notes:
        'SIGTERM: takes no new tasks, waits up to SHUTDOWN_GRACE_SECONDS for running tasks, returns the others to the queue, exits with 0.',
    }),
    [
      'workerLanes',
      'workerConcurrency',
      'workerLean',
      'shutdownGraceSeconds',
      'webHostMap',
      'metricsPort',
      'metricsHost',
      'logLevel',
    ],
  ).action(async (options: Record<string, unknown>) => {
    // Before the process replaces itself, so that wrong settings are reported as in any other command.
    const { workerLean } = loadConfig({
      flags: flagsFrom(options),
      file: options.config as string | undefined,
      needs: ['redisUrl'],
    });
    if (workerLean) beginLean();
    const { runWorkerProcess } = await import('../../process/worker-process.ts');
    await runWorkerProcess(options);
  });
