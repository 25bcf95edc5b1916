// (a) The life of a task: submitted, dispatched, run by a worker that does nothing, recorded in PostgreSQL, through Redis. Beside it BullMQ's
// add → process → complete, bare (Redis only, nothing durable) and with a processor that writes its result row, as its users do.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freshDatabase, startRedis } from '../../tests/support/own-servers.ts';
import { found } from '../found.ts';
import { median, row, runPeer, type Sample } from '../peers.ts';

const REPEATS = Number(process.env.BENCH_REPEATS ?? 3);
const peers = ['windrow', 'windrow-traced-1%', 'windrow-traced', 'bullmq', 'bullmq-row'] as const;
const collector = createServer((request, response) => request.resume().on('end', () => response.end())).listen(0);
const traced = (share: string): Record<string, string> => ({
  OTEL_TRACES_EXPORTER: 'otlp',
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  OTEL_TRACES_SAMPLER_ARG: share,
});
/** Where a peer is Windrow with something else switched on. */
const VARIANTS: Partial<Record<(typeof peers)[number], Record<string, string>>> = {
  'windrow-traced-1%': traced('0.01'),
  'windrow-traced': traced('1'),
};
const redis = await startRedis();
const samples: Record<string, Sample[]> = {};
try {
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    for (const peer of peers) {
      await redis.flush();
      const database = await freshDatabase();
      samples[peer] = [
        ...(samples[peer] ?? []),
        await runPeer(new URL(`./${VARIANTS[peer] ? 'windrow' : peer}.ts`, import.meta.url), {
          DATABASE_URL: database.url,
          REDIS_URL: redis.url,
          ...VARIANTS[peer],
        }),
      ];
      await database.drop();
    }
  }
} finally {
  await redis.stop();
  collector.close();
}
const rate = (peer: string): number => median(samples[peer]!.map((sample) => sample.rate));
row('peer', 'tasks/s (median)', 'min', 'max');
row('---', '---', '---', '---');
for (const peer of peers) {
  const rates = samples[peer]!.map((sample) => sample.rate);
  row(peer, rate(peer), Math.min(...rates), Math.max(...rates));
}
found('life of a task next to bare BullMQ', rate('windrow') / rate('bullmq'), 'times', { atLeast: 1.3 });
found('life of a task next to BullMQ with a row', rate('windrow') / rate('bullmq-row'), 'times', { atLeast: 3.5 });
found('life of a task with all traces, next to none', rate('windrow-traced') / rate('windrow'), 'times');
process.exit();
