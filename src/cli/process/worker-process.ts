// What a worker process is made of.
import { processName } from '../../compose/process/name.ts';
import { openWire } from '../../compose/wire.ts';
import { runWorker } from '../../compose/worker.ts';
import { serve } from './serve.ts';

/** What is otherwise loaded when it is first needed. */
export async function loadWorker(): Promise<void> {
  await Promise.all([
    import('../../wire/redis.ts'),
    import('../../web/pace/redis.ts'),
    import('../../sources/article/article.ts'),
  ]);
}

export function runWorkerProcess(options: Record<string, unknown>): Promise<never> {
  return serve({ options, needs: ['redisUrl'], name: processName('worker') }, async (role) => {
    await runWorker(role, await openWire(role));
    role.log.info('process.started', { role: 'worker', worker: role.name });
  });
}
