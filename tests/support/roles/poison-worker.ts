// A worker that dies of one page, every time: F12. Otherwise as `windrow worker`, with a source that fetches and extracts nothing. ISOLATION=off makes it one
// that runs suspects itself.
import { SOURCES } from '../../../src/sources/built-in.ts';
import { openRedisWire } from '../../../src/wire/redis.ts';
import { createIsolation } from '../../../src/worker/isolation.ts';
import { runHere } from '../../../src/worker/run-source.ts';
import { startWorker } from '../../../src/worker/worker.ts';
import { poisonedWeb } from '../web/poisoned-web.ts';

const { REDIS_URL = '', HEARTBEAT_SECONDS, WORKER_CONCURRENCY, ISOLATION } = process.env;
const script = new URL('./poison-suspects.ts', import.meta.url);
startWorker({
  name: `poison-${process.pid}`,
  wire: await openRedisWire({ url: REDIS_URL }),
  lanes: ['http'],
  slots: Number(WORKER_CONCURRENCY),
  runSource: runHere((name) => SOURCES.get(name)),
  webFor: poisonedWeb(),
  ...(ISOLATION === 'off' ? {} : { isolation: createIsolation({ script, setting: null }) }),
  heartbeatMs: Number(HEARTBEAT_SECONDS) * 1_000,
  version: '0',
  log: (level, event, fields) => console.log(JSON.stringify({ level, event, ...fields })),
});
console.log('process.started');
