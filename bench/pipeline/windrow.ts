import { openReading } from '../../src/compose/reading/reading.ts';
import { resolveConfig } from '../../src/compose/settings/resolve-config.ts';
import { createIntake } from '../../src/orchestrator/intake/intake.ts';
import { startOrchestrator } from '../../src/orchestrator/orchestrator.ts';
import { NO_MODULES } from '../../src/source-modules/load.ts';
import { openStore } from '../../src/store/store.ts';
import { createWeb } from '../../src/web/web.ts';
import { createMemoryWire } from '../../src/wire/memory.ts';
import { startWorker } from '../../src/worker/worker.ts';
import { CONCURRENCY, measure, pageAt } from './pages.ts';

const log = (level: string, event: string, fields: object): void => {
  if (level === 'warn' || level === 'error') console.error(level, event, fields);
};
const store = await openStore({ connection: process.env.DATABASE_URL! });
const wire = createMemoryWire();
const webs = createWeb({ hostMap: `*=${process.env.TARGET}` });
const orchestrator = startOrchestrator({
  store,
  wire,
  leaseSeconds: 10,
  sweepSeconds: 5,
  maxWindow: 5_000,
  retention: { runDays: 30, deadLetterDays: 30, idempotencyHours: 24, articleDays: 0, batch: 1_000 },
  log,
});
const reading = openReading(resolveConfig({ flags: {}, env: {}, readSecret: () => '' }).config, NO_MODULES);
const worker = startWorker({
  name: 'bench',
  wire,
  lanes: ['http'],
  slots: CONCURRENCY,
  runSource: reading.run,
  webFor: (source, signal) => webs.forAttempt({ source: source.name, pace: source.pace, signal }),
  heartbeatMs: 3_000,
  version: 'bench',
  log,
});
const intake = createIntake({ store, wire, maxRetries: 0, taskTimeoutSeconds: 30, laneOf: () => 'http' });
const over = new Set<string>();
await measure(async (first, last) => {
  const ended = Promise.withResolvers<number>();
  const stop = wire.onUpdates((updates) => {
    for (const { runId, status, completed } of updates) {
      if (status === 'running' || over.has(runId)) continue;
      over.add(runId);
      ended.resolve(completed);
    }
  });
  await intake.submitArticles(
    {
      articles: Array.from({ length: last - first }, (_, index) => {
        const { host, path } = pageAt(first + index);
        return { url: `https://${host}${path}` };
      }),
    },
    { requestId: null, idempotency: null },
  );
  const completed = await ended.promise;
  stop();
  return completed;
});
await worker.drain(1_000);
await reading.close();
await orchestrator.stop();
await webs.close();
await wire.close();
await store.close();
