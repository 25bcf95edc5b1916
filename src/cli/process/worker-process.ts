// What a worker process is made of.
import { flushCompileCache } from 'node:module';
import { openPace } from '../../compose/pace.ts';
import { serveStatus } from '../../compose/process/metrics.ts';
import { processName } from '../../compose/process/name.ts';
import { openWire } from '../../compose/wire.ts';
import { runWorker } from '../../compose/worker.ts';
import { createHealth } from '../../observe/health.ts';
import { serve } from './serve.ts';

export function runWorkerProcess(options: Record<string, unknown>): Promise<never> {
  return serve({ options, needs: ['redisUrl'], name: processName('worker') }, async (role) => {
    const wire = await openWire(role);
    await serveStatus(role, createHealth({ parts: { wire: () => wire.ping() }, needed: ['wire'] }));
    await runWorker(role, wire, await openPace(role));
    role.log.info('process.started', { role: 'worker', worker: role.name });
    // For the next one, where a cache is kept (lean.ts): what a process holds by now is all it needs.
    flushCompileCache();
  });
}
