// A worker as `windrow worker` runs it, but with a web of its own (see web.ts).
import { findSource } from '../../src/sources/find.ts';
import { openRedisWire } from '../../src/wire/redis.ts';
import { createIsolation } from '../../src/worker/isolation.ts';
import { runHere } from '../../src/worker/run-source.ts';
import { startWorker } from '../../src/worker/worker.ts';
import { unpacedWeb } from './web.ts';

const name = `bench-worker-${process.pid}`;
const wire = await openRedisWire({ url: process.env.REDIS_URL!, name, log: () => {} });
const { webs, webFor } = unpacedWeb();
const worker = startWorker({
  name,
  wire,
  lanes: ['http'],
  slots: Number(process.env.BENCH_SLOTS ?? 30),
  runSource: runHere(findSource),
  webFor,
  isolation: createIsolation({ script: new URL('./suspects.ts', import.meta.url), setting: null }),
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
