// The first look: what needs attention, the numbers of now, the last day by hours. One call, read at most every two seconds however many pages are open, so that a wall of
// dashboards costs no more than one.
import { z } from 'zod';
import { ATTENTION_KINDS, attentionOf } from '../../model/attention.ts';
import { slotsOf, whyUntaken, workersOf } from '../../model/source/staffing.ts';
import { latencyAt, newTally } from '../../model/source/tally.ts';
import { cached, within } from '../../observe/cached.ts';
import type { DeadLetterStore } from '../../store/queue/queue-store.ts';
import type { SourceHoldStore, SourceStore } from '../../store/sources/source-store.ts';
import type { SourceTally } from '../../store/sources/source-tallies.ts';
import type { Needs } from '../deps.ts';
import { json, type Route, route } from '../http/route.ts';
import { nameSchemas } from '../validation/named.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;
const KEPT_MS = 2_000;
/** Reading them reads the whole queue. */
const DEPTHS_KEPT_MS = 10_000;
const LIMIT_MS = 8_000;

const whole = z.number().int();
const Latency = z.object({ p50: z.number().nullable(), p95: z.number().nullable(), p99: z.number().nullable() });
const Attempts = {
  done: whole,
  retried: whole,
  failed: whole,
  requests: z.number(),
  blocks: whole,
  items: whole,
  latency_seconds: Latency,
};
const HourView = z.object({ at: z.string(), ...Attempts });
const AttentionView = z.object({
  kind: z.enum(ATTENTION_KINDS),
  severity: z.enum(['bad', 'warn']),
  message: z.string(),
  source: z.string().nullable(),
  count: whole.nullable().meta({ description: 'Tasks, attempts or requests that it concerns.' }),
});
const Overview = z.object({
  as_of: z.string(),
  attention: z.array(AttentionView).meta({ description: 'The worst first; empty while all is well.' }),
  queue: z.object({
    waiting: whole,
    delayed: whole,
    held: whole,
    active: whole,
    oldest_waiting_seconds: z.number().nullable(),
  }),
  workers: z.object({ count: whole.nullable(), slots: whole, busy: whole }),
  orchestrators: whole.nullable(),
  throughput_per_minute: whole,
  dead_letters: whole,
  last_hour: z.object(Attempts),
  hours: z.array(HourView).meta({ description: 'The last 24 hours, oldest first, without gaps.' }),
});
nameSchemas({ Attention: AttentionView, OverviewHour: HourView });

const ATTEMPTS_EXAMPLE = {
  done: 114,
  retried: 5,
  failed: 1,
  requests: 640,
  blocks: 3,
  items: 2_310,
  latency_seconds: { p50: 1.1, p95: 4.2, p99: 8.5 },
};
const EXAMPLE = {
  as_of: '2026-02-04T10:35:00.000Z',
  attention: [
    {
      kind: 'source_held',
      severity: 'bad',
      message: 'indeed is held by its circuit breaker: 9 of 10 attempts failed',
      source: 'indeed',
      count: 12,
    },
  ],
  queue: { waiting: 120, delayed: 3, held: 12, active: 50, oldest_waiting_seconds: 4.2 },
  workers: { count: 2, slots: 100, busy: 50 },
  orchestrators: 1,
  throughput_per_minute: 840,
  dead_letters: 2,
  last_hour: ATTEMPTS_EXAMPLE,
  hours: [{ at: '2026-02-04T10:00:00.000Z', ...ATTEMPTS_EXAMPLE }],
};

type OverviewDeps = Needs<
  SourceHoldStore & Pick<SourceStore, 'sourceTallies' | 'sourceDepths'> & Pick<DeadLetterStore, 'countDeadLetters'>,
  'sources' | 'workers' | 'depths' | 'throughput' | 'health' | 'waiting'
>;

export const overview = (deps: OverviewDeps): Route[] => {
  const ofSources = cached({
    ask: () => deps.store.sourceDepths(),
    keepMs: DEPTHS_KEPT_MS,
    limitMs: LIMIT_MS,
    what: 'The database',
  });
  const read = cached({
    ask: () => readOverview(deps, ofSources),
    keepMs: KEPT_MS,
    limitMs: LIMIT_MS,
    what: 'The database',
  });
  return [
    route({
      method: 'GET',
      path: '/overview',
      operationId: 'getOverview',
      scope: 'read',
      tag: 'Operations',
      summary: 'Get what needs attention, the numbers of now, and the last 24 hours',
      replies: { 200: json('The overview.', Overview, EXAMPLE) },
      handle: read,
    }),
  ];
};

type Depths = Awaited<ReturnType<OverviewDeps['store']['sourceDepths']>>;

async function readOverview(deps: OverviewDeps, ofSources: () => Promise<Depths>): Promise<z.infer<typeof Overview>> {
  const { store, sources, throughput } = deps;
  const now = new Date();
  const thisHour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  const to = new Date(thisHour + HOUR_MS);
  const [hour, day, holds, letters, depths, waitingBySource, beats, engine, report] = await Promise.all([
    store.sourceTallies({ from: new Date(now.getTime() - HOUR_MS), to, bucket: null }),
    store.sourceTallies({ from: new Date(thisHour - (HOURS - 1) * HOUR_MS), to, bucket: 'hour' }),
    store.listHolds(),
    store.countDeadLetters(),
    deps.depths(),
    ofSources(),
    // The rest is known without the wire too.
    deps.workers().catch(() => null),
    deps.waiting.engine().catch(() => null),
    within(deps.health.report(), LIMIT_MS, 'Health'),
  ]);
  const sum = (field: 'waiting' | 'delayed' | 'paused' | 'active'): number =>
    depths.reduce((total, depth) => total + depth[field], 0);
  const ages = depths.flatMap(({ oldestWaitingSeconds }) => oldestWaitingSeconds ?? []);
  const oldest = ages.length === 0 ? null : Math.max(...ages);
  const slots = slotsOf(beats ?? []);
  const deadLetters = letters.reduce((total, { count }) => total + count, 0);
  const byName = new Map(hour.map((tally) => [tally.source, tally]));
  const attention = attentionOf({
    orchestrators: engine?.orchestrators ?? null,
    workers: beats?.length ?? null,
    draining: beats?.filter(({ draining }) => draining).length ?? 0,
    slots,
    waiting: sum('waiting'),
    oldestWaitingSeconds: oldest,
    throughputPerMinute: throughput.perMinute(),
    deadLetters,
    partsDown: Object.entries(report.parts)
      .filter(([part, { status }]) => status === 'down' && part !== 'wire')
      .map(([part, { detail }]) => ({ part, detail })),
    sources: sources.map((about) => {
      const { done = 0, failed = 0, retried = 0, requests = 0, blocks = 0 } = byName.get(about.name) ?? {};
      return {
        name: about.name,
        ...{ done, failed, retried, requests, blocks },
        waiting: waitingBySource.get(about.name)?.waiting ?? 0,
        hold: holds.find(({ source }) => source === about.name) ?? null,
        // Without any worker that takes tasks that is the news, not each of its sources.
        unstaffed: beats && slots > 0 && workersOf(about, beats) === 0 ? whyUntaken(about, beats) : null,
      };
    }),
  });
  return {
    as_of: now.toISOString(),
    attention,
    queue: {
      waiting: sum('waiting'),
      delayed: sum('delayed'),
      held: sum('paused'),
      active: sum('active'),
      oldest_waiting_seconds: oldest,
    },
    workers: { count: beats?.length ?? null, slots, busy: (beats ?? []).reduce((total, { busy }) => total + busy, 0) },
    orchestrators: engine?.orchestrators ?? null,
    throughput_per_minute: throughput.perMinute(),
    dead_letters: deadLetters,
    last_hour: attemptsOf(hour),
    hours: Array.from({ length: HOURS }, (_, index) => {
      const at = thisHour - (HOURS - 1 - index) * HOUR_MS;
      return { at: new Date(at).toISOString(), ...attemptsOf(day.filter(({ bucket }) => bucket?.getTime() === at)) };
    }),
  };
}

/** Of several sources together. */
function attemptsOf(tallies: readonly SourceTally[]) {
  const all = newTally();
  for (const tally of tallies) {
    for (const field of ['done', 'retried', 'failed', 'requests', 'blocks', 'items'] as const)
      all[field] += tally[field];
    for (const [slot, count] of tally.latencies.entries()) all.latencies[slot] = (all.latencies[slot] ?? 0) + count;
  }
  const { done, retried, failed, requests, blocks, items, latencies } = all;
  return {
    ...{ done, retried, failed, requests, blocks, items },
    latency_seconds: {
      p50: latencyAt(latencies, 0.5),
      p95: latencyAt(latencies, 0.95),
      p99: latencyAt(latencies, 0.99),
    },
  };
}
