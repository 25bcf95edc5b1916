// `windrow worker`: takes tasks off Redis and scrapes. It holds no database credentials.
import { command, takesSettings } from './command.ts';
import { processName } from './parts/name.ts';
import { openWire } from './parts/wire.ts';
import { runWorker } from './parts/worker.ts';
import { serve } from './serve.ts';

export const make = () =>
  takesSettings(
    command({
      name: 'worker',
      about: 'Runs a worker: takes tasks off Redis, scrapes, reports. Needs REDIS_URL and nothing else.',
      examples: [
        ['REDIS_URL=redis://10.0.0.5 windrow worker', 'a worker for all lanes'],
        ['windrow worker --lanes http --concurrency 100', 'many fetches at a time, no browser'],
      ],
      notes:
        'SIGTERM: takes nothing new, finishes what it can within SHUTDOWN_GRACE_SECONDS, gives the rest back unharmed, exits 0.',
    }),
    ['workerLanes', 'workerConcurrency', 'shutdownGraceSeconds', 'webHostMap', 'logLevel'],
  ).action((options: Record<string, unknown>) =>
    serve({ options, needs: ['redisUrl'], name: processName('worker') }, async (role) => {
      await runWorker(role, await openWire(role));
      role.log.info('process.started', { role: 'worker', worker: role.name });
    }),
  );
