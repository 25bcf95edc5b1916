// A worker as `windrow worker` runs it, but without the pace of the real shop, which would make the bench last for hours.
import { findSource } from '../../src/sources/find.ts';
import { createWeb } from '../../src/web/web.ts';
import { openRedisWire } from '../../src/wire/redis.ts';
import { startWorker } from '../../src/worker/worker.ts';

const name = `bench-worker-${process.pid}`;
const wire = await openRedisWire({ url: process.env.REDIS_URL!, name, log: () => {} });
const webs = createWeb({ hostMap: process.env.WEB_HOST_MAP!, robots: 'off', timeoutMs: 20_000 });
const pace = { concurrency: 1_000, delayMs: 0 };
const worker = startWorker({
  name,
  wire,
  lanes: ['http'],
  slots: Number(process.env.BENCH_SLOTS ?? 30),
  sourceOf: findSource,
  webFor: (source, signal, task) =>
    webs.forAttempt({ signal, source: source.name, pace, locality: String(task.params.zipcode) }),
  heartbeatMs: 1_000,
  version: 'bench',
  log: () => {},
});
console.log('process.started');
process.once('SIGTERM', async () => {
  await worker.drain(5_000);
  await webs.close();
  await wire.close();
  process.exit(0);
});
