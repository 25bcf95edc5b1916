import { createApi } from '../../src/api/server.ts';
import { createLog } from '../../src/observe/log.ts';
import { createMetrics } from '../../src/observe/metrics.ts';
import { createIntake } from '../../src/orchestrator/intake.ts';
import { openStore } from '../../src/store/store.ts';
import { createMemoryWire } from '../../src/wire/memory.ts';
import { cpuSeconds } from '../peers.ts';

// As it is set up by default: a log line for every run, metrics, no keys on loopback.
const log = createLog({ level: 'info', to: 'stderr', isSync: false });
const store = await openStore({ connection: process.env.DATABASE_URL! });
const wire = createMemoryWire();
const intake = createIntake({ store, wire, maxRetries: 3, taskTimeoutSeconds: 900, laneOf: () => 'http' });
const api = await createApi({
  store,
  wire,
  intake,
  log,
  metrics: createMetrics({ version: 'bench' }),
  version: 'bench',
  host: '127.0.0.1',
  catalogue: { all: () => [], check: () => null },
  syncTimeoutSeconds: 30,
  resultTtlSeconds: 3_600,
});
await api.listen({ port: 0 });
console.log(new URL(api.url).port);
const before = cpuSeconds();
process.on('SIGTERM', () => {
  console.log(cpuSeconds() - before);
  process.exit(0);
});
