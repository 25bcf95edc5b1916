// An orchestrator that dies between its commit and telling the wire: the moment F3 is about. Otherwise as `windrow orchestrator`.
import { startOrchestrator } from '../../../src/orchestrator/orchestrator.ts';
import { openStore } from '../../../src/store/store.ts';
import { openRedisWire } from '../../../src/wire/redis.ts';

const { DATABASE_URL = '', REDIS_URL = '', LEASE_SECONDS, SWEEP_SECONDS } = process.env;
const store = await openStore({ connection: DATABASE_URL });
const wire = await openRedisWire({ url: REDIS_URL });
startOrchestrator({
  store,
  wire: {
    ...wire,
    async readReports(max, signal) {
      const batch = await wire.readReports(max, signal);
      const hasResult = batch.reports.some((one) => (one as { type?: string }).type === 'result');
      return hasResult ? { ...batch, ack: async () => void process.kill(process.pid, 'SIGKILL') } : batch;
    },
  },
  leaseSeconds: Number(LEASE_SECONDS),
  sweepSeconds: Number(SWEEP_SECONDS),
  maxWindow: 1_000,
  retention: { runDays: 30, deadLetterDays: 30, idempotencyHours: 24, articleDays: 0, batch: 1_000 },
  log: (level, event, fields) => console.log(JSON.stringify({ level, event, ...fields })),
});
console.log('process.started');
