// Workers: what each has in hand, and draining: a drained worker ends what it has and takes no more, until it is resumed.
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { within } from '../../observe/cached.ts';
import type { LeaseStore } from '../../store/queue/queue-store.ts';
import type { WorkerDrainStore } from '../../store/workers/drains.ts';
import { shownParams } from '../dead-letters/schemas.ts';
import type { Needs } from '../deps.ts';
import { json, type Route, route } from '../http/route.ts';
import { nameSchemas } from '../validation/named.ts';

const LIMIT_MS = 10_000;
const Name = z.object({ worker: z.string().min(1).max(200) });

type WorkerDeps = Needs<WorkerDrainStore & Pick<LeaseStore, 'tasksOfWorker'>, 'workers' | 'tellDrains' | 'log'>;

export const workers = (deps: WorkerDeps): Route[] => [tasksOf(deps), drain(deps), resume(deps)];

const WorkerTaskView = z.object({
  task_id: z.string(),
  source: z.string(),
  run_id: z.string(),
  params: z.record(z.string(), z.unknown()),
  attempt: z.number().int(),
  sent_at: z.string(),
});
const WORKER_TASKS_MAX = 200;

function tasksOf({ store }: WorkerDeps): Route {
  return route({
    method: 'GET',
    path: '/workers/:worker/tasks',
    operationId: 'listWorkerTasks',
    scope: 'read',
    tag: 'Queue',
    summary: 'List the tasks that a worker has in hand, the oldest first',
    description: `At most ${WORKER_TASKS_MAX}, of the runs that the key may see. Of a worker that is not known there are none.`,
    params: Name,
    replies: {
      200: json('The tasks.', z.object({ tasks: z.array(WorkerTaskView) }), {
        tasks: [
          {
            task_id: '019a1b2c-3d4e-7000-8a1b-2c3d4e5f6071',
            source: 'article',
            run_id: 'job_a1b2c3d4e5f6',
            params: { url: 'https://example.com/story' },
            attempt: 1,
            sent_at: '2026-02-04T10:35:00.000Z',
          },
        ],
      }),
    },
    async handle(request) {
      const tasks = await within(
        store.tasksOfWorker(request.params.worker, WORKER_TASKS_MAX, request.sees),
        LIMIT_MS,
        'The database',
      );
      return {
        tasks: tasks.map(({ taskId, source, runId, params, attempt, sentAt }) => ({
          task_id: taskId,
          source,
          run_id: runId,
          params: shownParams(params),
          attempt,
          sent_at: sentAt.toISOString(),
        })),
      };
    },
  });
}

nameSchemas({ WorkerTask: WorkerTaskView });

const Drained = z.object({ worker: z.string(), draining: z.boolean(), tasks: z.number().int() });

function drain(deps: WorkerDeps): Route {
  const { store, log } = deps;
  return route({
    method: 'POST',
    path: '/workers/:worker/drain',
    operationId: 'drainWorker',
    scope: 'admin',
    tag: 'Queue',
    summary: 'Drain a worker (it ends what it has and takes no more)',
    description:
      'Nothing is lost: other workers take what waits. It holds until the worker is resumed or its process ends, also when Redis is lost. `tasks` is the number of tasks it still has in hand.',
    params: Name,
    body: z.strictObject({ reason: z.string().max(500).optional() }).nullable(),
    bodyExample: { reason: 'The machine gets more memory.' },
    replies: { 200: json('Drained.', Drained, { worker: 'host-1.4711', draining: true, tasks: 12 }) },
    problems: ['unknown_id'],
    async handle(request) {
      const { worker } = request.params;
      // While Redis is away nobody knows the workers: it is told when Redis is back.
      const beats = await deps.workers().catch(() => null);
      const beat = beats?.find((one) => one.worker === worker);
      if (beats && !beat)
        throw new AppError('unknown_id', `There is no worker ${worker.slice(0, 80)}. See GET /jobs/queue/status.`);
      await within(store.drainWorker(worker, request.body?.reason ?? null, request.caller), LIMIT_MS, 'The database');
      await tell(deps);
      log.info('worker.drain_asked', { request_id: request.id, worker, busy: beat?.busy ?? 0 });
      return { worker, draining: true, tasks: beat?.busy ?? 0 };
    },
  });
}

function resume(deps: WorkerDeps): Route {
  const { store, log } = deps;
  return route({
    method: 'POST',
    path: '/workers/:worker/resume',
    operationId: 'resumeWorker',
    scope: 'admin',
    tag: 'Queue',
    summary: 'Resume a drained worker (no effect if it is not drained)',
    params: Name,
    replies: { 200: json('Resumed.', Drained, { worker: 'host-1.4711', draining: false, tasks: 12 }) },
    async handle(request) {
      const { worker } = request.params;
      const wasDrained = await within(store.resumeWorker(worker), LIMIT_MS, 'The database');
      if (wasDrained) {
        await tell(deps);
        log.info('worker.resume_asked', { request_id: request.id, worker });
      }
      const beat = (await deps.workers().catch(() => [])).find((one) => one.worker === worker);
      return { worker, draining: false, tasks: beat?.busy ?? 0 };
    },
  });
}

/** Only saves the orchestrator's next word: it is stored, so that a Redis that is away changes nothing. */
async function tell({ store, tellDrains }: WorkerDeps): Promise<void> {
  const drains = await within(store.listDrains(), LIMIT_MS, 'The database');
  await tellDrains(drains.map(({ worker }) => worker)).catch(() => {});
}
