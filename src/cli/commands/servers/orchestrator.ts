// `windrow orchestrator`: dispatches, records, reaps. Any number may run at the same time, without a leader.

import { runOrchestrator } from '../../../compose/orchestrator.ts';
import { openPaceReader } from '../../../compose/pace.ts';
import { serveStatus } from '../../../compose/process/metrics.ts';
import { processName } from '../../../compose/process/name.ts';
import { openConfiguredStore } from '../../../compose/store.ts';
import { openWire } from '../../../compose/wire.ts';
import { createHealth } from '../../../observe/health.ts';
import type { Store } from '../../../store/store.ts';
import { serverCommand, takesSettings } from '../../command.ts';
import { serve } from '../../process/serve.ts';

export const make = () =>
  takesSettings(
    serverCommand({
      name: 'orchestrator',
      about:
        'Runs an orchestrator: dispatches tasks, records results, requeues lost tasks. Needs DATABASE_URL and REDIS_URL.',
      examples: [
        ['DATABASE_URL=postgres://… REDIS_URL=redis://… windrow orchestrator', 'any number may run'],
        ['windrow orchestrator --dispatch-window 5000', 'more tasks in Redis, for many workers'],
      ],
    }),
    ['dispatchWindow', 'leaseSeconds', 'sweepSeconds', 'metricsPort', 'metricsHost', 'logLevel'],
  ).action((options: Record<string, unknown>) =>
    serve({ options, needs: ['databaseUrl', 'redisUrl'], name: processName('orchestrator') }, async (role) => {
      const wire = await openWire(role);
      // Before the store: a process that still waits for it can be asked.
      let store: Store | undefined;
      const pingStore = (): Promise<number> => store?.ping() ?? Promise.reject(new Error('It is not there yet.'));
      await serveStatus(
        role,
        createHealth({ parts: { store: pingStore, wire: () => wire.ping() }, needed: ['store'] }),
      );
      store = await openConfiguredStore(role);
      runOrchestrator(role, store, wire, await openPaceReader(role));
      role.log.info('process.started', { role: 'orchestrator', name: role.name });
    }),
  );
