// Schedules, their history, "run now", and the state of the scheduler. The tick of the API is one more scheduler instance among the others.
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { maySee } from '../../model/key/key.ts';
import { SCHEDULE_TASKS } from '../../model/schedule/schedule.ts';
import { within } from '../../observe/cached.ts';
import type { ScheduleStore } from '../../store/schedules/schedule-store.ts';
import type { Schedule } from '../../store/schedules/schedules.ts';
import type { Needs } from '../deps.ts';
import { idempotencyClaim } from '../http/idempotency.ts';
import { contextOf } from '../http/intake-context.ts';
import { json, type Route, route } from '../http/route.ts';
import { decodeCursor, encodeCursor } from '../lists/cursor.ts';
import { checkReceiver } from '../webhooks/receiver-check.ts';
import {
  FIRES_EXAMPLE,
  fireView,
  SCHEDULE_BODY_EXAMPLE,
  SCHEDULE_EXAMPLE,
  ScheduleBody,
  ScheduleList,
  ScheduleView,
  ScheduleWithFires,
  scheduleInput,
  scheduleView,
} from './schemas.ts';

const TAG = 'Schedules';
const LIST = 'schedules';
const LIMIT_MS = 10_000;
/** Thousands of schedules may be due. */
const TICK_LIMIT_MS = 25_000;
const FIRES_SHOWN = 50;
const ScheduleParams = z.object({ schedule_id: z.string().max(80) });

type ScheduleDeps = Needs<ScheduleStore, 'catalogue' | 'receivers' | 'scheduler' | 'log'>;

export const schedules = (deps: ScheduleDeps): Route[] => [
  list(deps),
  create(deps),
  show(deps),
  change(deps),
  remove(deps),
  runNow(deps),
  look(deps),
  status(deps),
];

const inTime = <T>(work: Promise<T>): Promise<T> => within(work, LIMIT_MS, 'The database');

async function findSchedule({ store }: ScheduleDeps, id: string, sees: string | null): Promise<Schedule> {
  const schedule = /^[\w-]+$/.test(id) ? await inTime(store.getSchedule(id)) : null;
  if (!schedule || !maySee(sees, schedule))
    throw new AppError('unknown_id', `There is no schedule ${id.slice(0, 80)}.`);
  return schedule;
}

/** The webhook_url of its runs; checked again at each delivery. */
async function checkPayload(deps: ScheduleDeps, { webhook_url: url }: Record<string, unknown>): Promise<void> {
  if (typeof url === 'string') await checkReceiver(deps, url, '/payload/webhook_url');
}

function list({ store }: ScheduleDeps): Route {
  return route({
    method: 'GET',
    path: '/schedules',
    operationId: 'listSchedules',
    scope: 'read',
    tag: TAG,
    summary: 'List schedules, built-in ones included',
    query: z.strictObject({
      task: z.enum(SCHEDULE_TASKS).optional().meta({ description: 'Only schedules of this task.' }),
      limit: z.int().min(1).max(1_000).default(100),
      cursor: z.string().max(200).optional(),
    }),
    replies: {
      200: json('A page of schedules.', ScheduleList, { schedules: [SCHEDULE_EXAMPLE], total: 1, next_cursor: null }),
    },
    problems: ['invalid_params'],
    async handle({ query: { task, limit, cursor }, sees }) {
      const after = decodeCursor(LIST, cursor, /^[\w-]{1,80}$/);
      const found = await inTime(store.listSchedules({ after, limit: limit + 1, task: task ?? null, owner: sees }));
      const page = found.schedules.slice(0, limit);
      const next = found.schedules.length > limit ? encodeCursor(LIST, page.at(-1)!.id) : null;
      return { schedules: page.map(scheduleView), total: found.total, next_cursor: next };
    },
  });
}

function create(deps: ScheduleDeps): Route {
  return route({
    method: 'POST',
    path: '/schedules',
    operationId: 'createSchedule',
    scope: 'submit',
    tag: TAG,
    summary: 'Create a schedule',
    description: 'Give a site or a task, and an interval or a cron expression.',
    body: ScheduleBody,
    bodyExample: SCHEDULE_BODY_EXAMPLE,
    replies: {
      201: json('The schedule.', ScheduleView, SCHEDULE_EXAMPLE),
    },
    problems: ['unknown_id', 'idempotency_key_reused'],
    isIdempotent: true,
    async handle(request, reply) {
      const input = scheduleInput(request.body, null, deps.catalogue);
      await checkPayload(deps, input.payload);
      const claim = idempotencyClaim(request, 'POST /schedules');
      const { schedule, isReplay } = await inTime(deps.store.createSchedule(input, claim, request.owner));
      if (!schedule)
        throw new AppError(
          'unknown_id',
          'The schedule that an earlier request with this Idempotency-Key created was deleted.',
        );
      if (isReplay) reply.header('idempotent-replay', 'true');
      else deps.log.info('schedule.created', { schedule: schedule.id, request_id: request.id });
      reply.code(201).header('location', `/schedules/${schedule.id}`);
      return scheduleView(schedule);
    },
  });
}

function show(deps: ScheduleDeps): Route {
  return route({
    method: 'GET',
    path: '/schedules/:schedule_id',
    operationId: 'getSchedule',
    scope: 'read',
    tag: TAG,
    summary: 'Get a schedule with its latest fires',
    params: ScheduleParams,
    replies: {
      200: json('The schedule.', ScheduleWithFires, { ...SCHEDULE_EXAMPLE, fires: FIRES_EXAMPLE }),
    },
    problems: ['unknown_id'],
    async handle({ params, sees }) {
      const schedule = await findSchedule(deps, params.schedule_id, sees);
      const fires = await inTime(deps.store.listFires(schedule.id, FIRES_SHOWN));
      return { ...scheduleView(schedule), fires: fires.map(fireView) };
    },
  });
}

function change(deps: ScheduleDeps): Route {
  return route({
    method: 'PATCH',
    path: '/schedules/:schedule_id',
    operationId: 'changeSchedule',
    scope: 'submit',
    tag: TAG,
    summary: 'Update or pause a schedule (takes effect at once)',
    params: ScheduleParams,
    body: ScheduleBody,
    bodyExample: { enabled: false },
    replies: {
      200: json('The updated schedule.', ScheduleView, { ...SCHEDULE_EXAMPLE, enabled: false, next_run_at: null }),
    },
    problems: ['unknown_id'],
    async handle({ params, body, id, sees }) {
      const before = await findSchedule(deps, params.schedule_id, sees);
      const input = scheduleInput(body, before, deps.catalogue);
      await checkPayload(deps, input.payload);
      const schedule = await inTime(deps.store.saveSchedule(input, before.id));
      deps.log.info('schedule.changed', { schedule: schedule.id, enabled: schedule.enabled, request_id: id });
      return scheduleView(schedule);
    },
  });
}

function remove(deps: ScheduleDeps): Route {
  return route({
    method: 'DELETE',
    path: '/schedules/:schedule_id',
    operationId: 'deleteSchedule',
    scope: 'submit',
    tag: TAG,
    summary: 'Delete a schedule (runs it started go on)',
    params: ScheduleParams,
    replies: {
      200: json('Deleted.', z.object({ id: z.string(), deleted: z.literal(true) }), {
        id: SCHEDULE_EXAMPLE.id,
        deleted: true,
      }),
    },
    problems: ['unknown_id'],
    async handle({ params, id, sees }) {
      const schedule = await findSchedule(deps, params.schedule_id, sees);
      await inTime(deps.store.deleteSchedule(schedule.id));
      deps.log.info('schedule.deleted', { schedule: schedule.id, request_id: id });
      return { id: schedule.id, deleted: true };
    },
  });
}

function runNow(deps: ScheduleDeps): Route {
  return route({
    method: 'POST',
    path: '/schedules/:schedule_id/run',
    operationId: 'runSchedule',
    scope: 'submit',
    tag: TAG,
    summary: 'Run a schedule now, even if paused (its plan does not change)',
    params: ScheduleParams,
    replies: {
      202: json(
        'Started, or already done if there is no run to wait for.',
        z.object({
          status: z.literal('success'),
          data: z.object({
            run_id: z.string().nullable(),
            status: z.enum(['queued', 'done']),
            message: z.string().nullable(),
          }),
        }),
        {
          status: 'success',
          data: { run_id: 'manual_a1b2c3d4e5f60718', status: 'queued', message: null },
        },
      ),
    },
    problems: ['unknown_id', 'still_running', 'nothing_to_do', 'idempotency_key_reused'],
    isIdempotent: true,
    async handle(request, reply) {
      const schedule = await findSchedule(deps, request.params.schedule_id, request.sees);
      const context = contextOf(request, `POST /schedules/${schedule.id}/run`);
      const started = await within(deps.scheduler.runNow(schedule, context), TICK_LIMIT_MS, 'The database');
      if (started.isReplay) reply.header('idempotent-replay', 'true');
      if (started.runId) reply.header('location', `/jobs/scrape/${started.runId}`);
      reply.code(202);
      const data = { run_id: started.runId, status: started.runId ? 'queued' : 'done', message: started.reason };
      return { status: 'success', data };
    },
  });
}

function look({ scheduler }: ScheduleDeps): Route {
  return route({
    method: 'POST',
    path: '/scheduler/run',
    operationId: 'runScheduler',
    scope: 'admin',
    tag: TAG,
    summary: 'Start the schedules that are due now',
    replies: {
      200: json(
        'Schedules that were started, and those that were skipped.',
        z.object({
          status: z.literal('success'),
          data: z.object({
            enqueued: z.array(z.string()),
            skipped: z.array(
              z.object({ schedule_id: z.string(), site_name: z.string().nullable(), reason: z.string() }),
            ),
          }),
        }),
        {
          status: 'success',
          data: {
            enqueued: ['sched_a1b2c3d4e5f60718'],
            skipped: [
              {
                schedule_id: 'sch_0718a1b2c3d4e5f6',
                site_name: 'indeed',
                reason: 'run sched_0718a1b2c3d4e5f6 has not ended yet',
              },
            ],
          },
        },
      ),
    },
    async handle() {
      const { enqueued, skipped } = await within(scheduler.tick(), TICK_LIMIT_MS, 'The database');
      return {
        status: 'success',
        data: {
          enqueued,
          skipped: skipped.map(({ scheduleId, siteName, reason }) => ({
            schedule_id: scheduleId,
            site_name: siteName,
            reason,
          })),
        },
      };
    },
  });
}

const STATUS_EXAMPLE = {
  status: 'success',
  data: {
    instances: [
      {
        name: 'orchestrator-host-1-ab12',
        started_at: '2026-02-04T06:00:00.000Z',
        last_tick_at: '2026-02-04T10:33:00.000Z',
      },
    ],
    last_tick_at: '2026-02-04T10:33:00.000Z',
    next_due: { id: 'daily-companies', next_run_at: '2026-02-05T07:00:00.000Z' },
    schedules: [
      {
        id: 'daily-companies',
        enabled: true,
        next_run_at: '2026-02-05T07:00:00.000Z',
        started: 14,
        skipped: 1,
        failed: 0,
      },
    ],
  },
};

function status({ store }: ScheduleDeps): Route {
  const Due = z.object({ id: z.string(), next_run_at: z.string() });
  return route({
    method: 'GET',
    path: '/scheduler/status',
    operationId: 'getSchedulerStatus',
    scope: 'read',
    tag: TAG,
    summary: 'Get the state of the scheduler: instances, next due schedules, recent outcomes',
    replies: {
      200: json(
        'The state of scheduling.',
        z.object({
          status: z.literal('success'),
          data: z.object({
            instances: z.array(z.object({ name: z.string(), started_at: z.string(), last_tick_at: z.string() })),
            last_tick_at: z.string().nullable(),
            next_due: Due.nullable(),
            schedules: z.array(
              z.object({
                id: z.string(),
                enabled: z.boolean(),
                next_run_at: z.string().nullable(),
                started: z.number().int(),
                skipped: z.number().int(),
                failed: z.number().int(),
              }),
            ),
          }),
        }),
        STATUS_EXAMPLE,
      ),
    },
    async handle({ sees }) {
      const found = await inTime(store.schedulerStatus(sees));
      return {
        status: 'success',
        data: {
          instances: found.instances.map(({ name, started_at, ticked_at }) => ({
            name,
            started_at: started_at.toISOString(),
            last_tick_at: ticked_at.toISOString(),
          })),
          last_tick_at: found.lastTickAt?.toISOString() ?? null,
          next_due: found.next && { id: found.next.id, next_run_at: found.next.next_run_at.toISOString() },
          schedules: found.schedules.map((one) => ({ ...one, next_run_at: one.next_run_at?.toISOString() ?? null })),
        },
      };
    },
  });
}
