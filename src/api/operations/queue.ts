// The state of the queue and of the workers.
import { z } from 'zod';
import { slotsOf } from '../../model/source/staffing.ts';
import { BANDS, bandOf } from '../../model/task/band.ts';
import { cached } from '../../observe/cached.ts';
import type { DeadLetterStore } from '../../store/queue/queue-store.ts';
import type { WorkerDrainStore } from '../../store/workers/drains.ts';
import type { Needs } from '../deps.ts';
import { json, type Route, route } from '../http/route.ts';
import { nameSchemas } from '../validation/named.ts';
import { WORKER_EXAMPLE, Worker, workerViews } from '../workers/views.ts';

/** Counting reads all dead letters; past this number the count says "at least". */
const FAILED_MAX = 1_000;

const Counts = z.object({
  waiting: z.number().int(),
  active: z.number().int(),
  delayed: z.number().int(),
  failed: z.number().int(),
  paused: z.number().int(),
  oldest_waiting_seconds: z.number().nullable(),
});

const QueueStatus = z.object({
  status: z.literal('success'),
  data: z.object({
    queues: z.record(z.string(), Counts),
    oldest_waiting_seconds: z.number().nullable(),
    throughput_per_minute: z.number().int(),
    failed_is_at_least: z.boolean(),
    wire: z.enum(['up', 'down']),
    workers: z.array(Worker),
  }),
});

const COUNTS_EXAMPLE = { waiting: 120, active: 50, delayed: 3, failed: 2, paused: 0, oldest_waiting_seconds: 4.2 };

const EMPTY = { waiting: 0, active: 0, delayed: 0, failed: 0, paused: 0, oldest_waiting_seconds: null };

type QueueDeps = Needs<
  DeadLetterStore & Pick<WorkerDrainStore, 'listDrains'>,
  'sources' | 'workers' | 'depths' | 'throughput' | 'waiting'
>;

export const queue = (deps: QueueDeps): Route[] => [queueStatus(deps), queueHealth(deps)];

function queueStatus(deps: QueueDeps): Route {
  const deadByQueue = cached({ ask: () => countDead(deps.store), keepMs: 5_000, limitMs: 5_000, what: 'The database' });
  const drainsNow = cached({
    ask: () => deps.store.listDrains(),
    keepMs: 1_000,
    limitMs: 5_000,
    what: 'The database',
  });
  const lanes = new Set(deps.sources.map((source) => source.lane));
  return route({
    method: 'GET',
    path: '/jobs/queue/status',
    operationId: 'getQueueStatus',
    scope: 'read',
    tag: 'Queue',
    summary: 'Get queue sizes by lane and band, and the workers',
    description: '`paused` counts tasks whose source is paused or held by its circuit breaker: see `GET /sources`.',
    replies: {
      200: json('Queues by name (`lane:band`) and live workers.', QueueStatus, {
        status: 'success',
        data: {
          queues: { 'http:high': COUNTS_EXAMPLE },
          oldest_waiting_seconds: 4.2,
          throughput_per_minute: 840,
          failed_is_at_least: false,
          wire: 'up',
          workers: [WORKER_EXAMPLE],
        },
      }),
    },
    async handle() {
      const workers = deps.workers().catch(() => null);
      const [depths, dead, drains] = await Promise.all([deps.depths(), deadByQueue(), drainsNow()]);
      // Known queues are listed even while they are empty, so that monitoring always finds them.
      const queues: Record<string, z.infer<typeof Counts>> = {};
      for (const lane of lanes) for (const band of BANDS) queues[`${lane}:${band}`] = { ...EMPTY };
      for (const depth of depths) {
        queues[`${depth.lane}:${depth.band}`] = {
          waiting: depth.waiting,
          active: depth.active,
          delayed: depth.delayed,
          failed: 0,
          paused: depth.paused,
          oldest_waiting_seconds: depth.oldestWaitingSeconds,
        };
      }
      for (const [name, failed] of dead.counts) {
        queues[name] ??= { ...EMPTY };
        queues[name].failed = failed;
      }
      const heard = await workers;
      const ages = depths.flatMap((depth) => depth.oldestWaitingSeconds ?? []);
      return {
        status: 'success',
        data: {
          queues,
          oldest_waiting_seconds: ages.length > 0 ? Math.max(...ages) : null,
          throughput_per_minute: deps.throughput.perMinute(),
          failed_is_at_least: dead.isCapped,
          wire: heard ? 'up' : 'down',
          workers: workerViews(heard ?? [], drains),
        },
      };
    },
  });
}

async function countDead(store: QueueDeps['store']): Promise<{ counts: Map<string, number>; isCapped: boolean }> {
  const letters = await store.listDeadLetters({ source: null, category: null, limit: FAILED_MAX + 1, before: null });
  const counts = new Map<string, number>();
  for (const letter of letters.slice(0, FAILED_MAX)) {
    const name = `${letter.lane}:${bandOf(letter.priority)}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return { counts, isCapped: letters.length > FAILED_MAX };
}

const QueueHealth = z.object({
  status: z.enum(['healthy', 'degraded', 'down']),
  queue: z.object({ waiting: z.number().int(), active: z.number().int(), delayed: z.number().int() }).nullable(),
  workers: z.number().int().nullable(),
  slots: z.number().int().nullable(),
  reasons: z.array(z.string()),
});
nameSchemas({ QueueCounts: Counts });

function queueHealth(deps: QueueDeps): Route {
  return route({
    method: 'GET',
    path: '/jobs/health',
    operationId: 'getJobsHealth',
    scope: 'read',
    tag: 'Queue',
    summary: 'Check whether submitted work is being processed',
    replies: {
      200: json('Work is accepted. `degraded` lists what prevents processing.', QueueHealth, {
        status: 'healthy',
        queue: { waiting: 120, active: 50, delayed: 3 },
        workers: 2,
        slots: 100,
        reasons: [],
      }),
      503: {
        description: 'PostgreSQL does not answer: no work can be accepted.',
        schema: QueueHealth,
        examples: {
          'application/json': {
            status: 'down',
            queue: null,
            workers: null,
            slots: null,
            reasons: ['PostgreSQL does not answer.'],
          },
        },
      },
    },
    async handle(_request, reply) {
      const [depths, workers, engine] = await Promise.all([
        deps.depths().catch(() => null),
        deps.workers().catch(() => null),
        deps.waiting.engine().catch(() => null),
      ]);
      const reasons: string[] = [];
      if (!depths) reasons.push('PostgreSQL does not answer.');
      if (engine?.orchestrators === 0)
        reasons.push('No orchestrator is running. Start one with "windrow orchestrator".');
      if (!workers) reasons.push('Redis does not answer. Accepted work is stored and will run when Redis is back.');
      else if (workers.length === 0) reasons.push('No worker is running. Start one with "windrow worker".');
      else if (workers.every(({ draining }) => draining))
        reasons.push('Every worker is draining. Resume one with "windrow workers NAME resume", or start another.');
      const sum = (field: 'waiting' | 'active' | 'delayed') =>
        depths?.reduce((total, depth) => total + depth[field], 0) ?? 0;
      reply.code(depths ? 200 : 503);
      return {
        status: !depths ? 'down' : reasons.length > 0 ? 'degraded' : 'healthy',
        queue: depths && { waiting: sum('waiting'), active: sum('active'), delayed: sum('delayed') },
        workers: workers?.length ?? null,
        slots: workers ? slotsOf(workers) : null,
        reasons,
      };
    },
  });
}
