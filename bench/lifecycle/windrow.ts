import { z } from 'zod';
import type { OpenTracing } from '../../src/observe/trace/open-telemetry.ts';
import { createIntake } from '../../src/orchestrator/intake/intake.ts';
import { startOrchestrator } from '../../src/orchestrator/orchestrator.ts';
import type { Source } from '../../src/sources/define.ts';
import { openStore } from '../../src/store/store.ts';
import type { Web } from '../../src/web/port.ts';
import { openRedisWire } from '../../src/wire/redis.ts';
import { runHere } from '../../src/worker/run-source.ts';
import { startWorker } from '../../src/worker/worker.ts';
import { TASKS, WARM_UP } from './tasks.ts';

const RUN = 1_000;
const log = (level: string, event: string, fields: object): void => {
  if (level === 'warn' || level === 'error') console.error(level, event, fields);
};
const noop: Source = {
  name: 'article',
  title: 'Nothing',
  kind: 'article',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 1, delayMs: 0 },
  params: z.object({ url: z.string() }),
  async *scrape() {},
};
/** OTEL_TRACES_EXPORTER=otlp: as a process that sends traces. */
const trace = process.env.OTEL_TRACES_EXPORTER === 'otlp' ? await openTracing() : null;
const store = await openStore({ connection: process.env.DATABASE_URL! });
const wire = await openRedisWire({ url: process.env.REDIS_URL! });
const orchestrator = startOrchestrator({
  store,
  wire,
  leaseSeconds: 10,
  sweepSeconds: 5,
  maxWindow: 5_000,
  retention: { runDays: 30, deadLetterDays: 30, idempotencyHours: 24, articleDays: 0, batch: 1_000 },
  log,
  trace,
});
const worker = startWorker({
  name: 'bench',
  wire,
  lanes: ['http'],
  slots: 1_000,
  runSource: runHere(() => noop),
  webFor: () =>
    ({
      ledger: { requests: 0, bytes: 0, rateLimited: false, captchaEncountered: false, proxyUsed: null },
    }) as unknown as Web,
  heartbeatMs: 3_000,
  version: 'bench',
  log,
  trace,
});
const intake = createIntake({ store, wire, maxRetries: 3, taskTimeoutSeconds: 30, laneOf: () => 'http', trace });
let settled = 0;
let wanted = 0;
let done = Promise.withResolvers<void>();
wire.onUpdates((updates) => {
  for (const update of updates) if (update.status !== 'running') settled += update.total;
  if (settled >= wanted) done.resolve();
});
await new Promise((resolve) => setTimeout(resolve, 1_000));

async function round(name: string, count: number): Promise<object> {
  wanted += count;
  done = Promise.withResolvers();
  const started = performance.now();
  const cpu = process.cpuUsage();
  await Promise.all(
    Array.from({ length: count / RUN }, (_, run) =>
      intake.submitArticles(
        { articles: Array.from({ length: RUN }, (_, n) => ({ url: `https://example.com/${name}/${run}/${n}` })) },
        { requestId: null, idempotency: null },
      ),
    ),
  );
  const submitted = performance.now();
  await done.promise;
  const ended = performance.now();
  const used = process.cpuUsage(cpu);
  return {
    rate: count / ((ended - started) / 1_000),
    submit: count / ((submitted - started) / 1_000),
    cpuSeconds: (used.user + used.system) / 1e6,
    seconds: (ended - started) / 1_000,
  };
}

await round('warm-up', WARM_UP);
console.log(JSON.stringify(await round('counted', TASKS)));
await worker.drain(1_000);
await orchestrator.stop();
await wire.close();
await store.close();
await trace?.close();

async function openTracing(): Promise<OpenTracing> {
  const { openTelemetry } = await import('../../src/observe/trace/open-telemetry.ts');
  return openTelemetry({
    service: { name: 'bench', version: '0', instance: 'bench' },
    endpoint: process.env.OTEL_EXPORTER_OTLP_ENDPOINT!,
    sampler: 'parentbased_traceidratio',
    ratio: Number(process.env.OTEL_TRACES_SAMPLER_ARG),
    onUnsent: (error) => log('error', 'traces.unsent', { error }),
    onSentAgain() {},
  });
}
