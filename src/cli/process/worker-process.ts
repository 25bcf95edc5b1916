// What a worker process is made of.
import { flushCompileCache } from 'node:module';
import { openPace } from '../../compose/pace.ts';
import { processName } from '../../compose/process/name.ts';
import { openWire } from '../../compose/wire.ts';
import { runWorker } from '../../compose/worker.ts';
import { serve } from './serve.ts';

export function runWorkerProcess(options: Record<string, unknown>): Promise<never> {
  return serve({ options, needs: ['redisUrl'], name: processName('worker') }, async (role) => {
    await runWorker(role, await openWire(role), await openPace(role));
    role.log.info('process.started', { role: 'worker', worker: role.name });
    // For the next one, where a cache is kept (lean.ts): what a process holds by now is all it needs.
    flushCompileCache();
  });
}
