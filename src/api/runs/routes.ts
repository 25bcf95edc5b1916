// Runs of all kinds, newest first. The results of a run are at the `path` of its kind.
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { maySee } from '../../model/key/key.ts';
import { RUN_KINDS, RUN_LABELS, runPath } from '../../model/run/run-labels.ts';
import { isStandstill } from '../../model/run/why-waits.ts';
import { within } from '../../observe/cached.ts';
import type { QualityStore } from '../../store/quality/quality-store.ts';
import type { ListedRun } from '../../store/runs/run-list.ts';
import type { RunStore } from '../../store/runs/run-store.ts';
import { ENTRY_STATES, type RunEntry } from '../../store/runs/run-tasks.ts';
import type { Needs } from '../deps.ts';
import { json, type Route, route } from '../http/route.ts';
import { decodeCursor, encodeCursor } from '../lists/cursor.ts';
import { OwnerFilter, ownerWanted } from '../lists/owner-filter.ts';
import { RunQuality } from '../quality/schemas.ts';
import { nameSchemas } from '../validation/named.ts';
import { timeOf } from '../validation/times.ts';
import { WAITING_EXAMPLE, WaitingView, waitingField } from './waiting.ts';

const LIST = 'runs';
const TASKS = 'run-tasks';
const LIMIT_MS = 10_000;

const RunView = z.object({
  run_id: z.string(),
  kind: z.enum(RUN_KINDS),
  trigger: z.string(),
  status: z.enum(RUN_LABELS),
  about: z.string().nullable().meta({ description: 'What was requested, or the first entry of it.' }),
  total: z.number().int(),
  cached: z.number().int(),
  completed: z.number().int(),
  failed: z.number().int(),
  created_at: z.string(),
  updated_at: z.string(),
  finished_at: z.string().nullable(),
  owner: z.string().nullable().meta({ description: 'Of the API key that asked; null where none was needed.' }),
  path: z.string().nullable().meta({ description: 'Path of the results.' }),
  quality: RunQuality,
});

const OneRun = RunView.extend({
  estimated_time: z.number().int().nullable().meta({
    description:
      'Seconds until it has ended, by its own speed so far; null where nothing of it is done yet, or nothing moves.',
  }),
  waiting: WaitingView.optional(),
  request: z.record(z.string(), z.unknown()).meta({ description: 'What it was requested with, besides its entries.' }),
});
nameSchemas({ Run: RunView, RunDetail: OneRun });

const EXAMPLE = {
  run_id: 'manual_a1b2c3d4e5f60718',
  kind: 'posting',
  trigger: 'manual',
  status: 'partial',
  about: 'python developer',
  total: 2,
  cached: 0,
  completed: 1,
  failed: 1,
  created_at: '2026-02-04T10:33:00.000Z',
  updated_at: '2026-02-04T10:34:10.000Z',
  finished_at: '2026-02-04T10:34:10.000Z',
  owner: 'data-team',
  path: '/jobs/scrape/manual_a1b2c3d4e5f60718',
  quality: { verdict: 'succeeded', findings: [] },
};

const RUN_ID = /^[\w-]{1,80}$/;

type RunDeps = Needs<
  Pick<RunStore, 'listAllRuns' | 'getListedRun' | 'getRun' | 'runOptions' | 'runEntries'> &
    Pick<QualityStore, 'qualityOfRuns'>,
  'waiting' | 'estimates' | 'intake' | 'log'
>;

export const runs = (deps: RunDeps): Route[] => [list(deps), show(deps), entries(deps), cancel(deps)];

function list({ store }: RunDeps): Route {
  return route({
    method: 'GET',
    path: '/runs',
    operationId: 'listRuns',
    scope: 'read',
    tag: 'Operations',
    summary: 'List runs of all kinds, newest first: articles, searches, companies, carts',
    description:
      '`status` has the same values for all kinds and for webhooks: `partial` if some of it failed. `total`, `completed` and `failed` count articles, sites, companies or items. A page may have fewer than `limit` entries. The last page has no `next_cursor`.',
    query: z.strictObject({
      kind: z.enum(RUN_KINDS).optional(),
      status: z.enum(RUN_LABELS).optional(),
      source: z.string().min(1).max(100).optional().meta({ description: 'Only runs with a task of this source.' }),
      q: z.string().min(1).max(200).optional().meta({
        description: 'Id of a run, or text in what was requested: a search term, a URL, a company, an item.',
      }),
      created_after: z
        .string()
        .max(40)
        .optional()
        .meta({ description: 'A day or a time: 2026-11-15 or 2026-11-15T08:00:00Z.' }),
      owner: OwnerFilter,
      limit: z.int().min(1).max(1_000).default(50),
      cursor: z.string().max(200).optional(),
    }),
    replies: {
      200: json('A page of runs.', z.object({ runs: z.array(RunView), next_cursor: z.string().nullable() }), {
        runs: [EXAMPLE],
        next_cursor: null,
      }),
    },
    problems: ['invalid_params'],
    async handle(request) {
      const { kind = null, status = null, source = null, q: text = null, created_after: after, limit } = request.query;
      const createdAfter = after === undefined ? null : timeOf('created_after', after);
      const cursor = decodeCursor(LIST, request.query.cursor, /^\d{1,18}$/);
      const owner = ownerWanted(request);
      const filters = { kind, status, source, text, createdAfter, owner, limit, cursor };
      const page = await within(store.listAllRuns(filters), LIMIT_MS, 'The database');
      const quality = await within(store.qualityOfRuns(page.runs.map((run) => run.id)), LIMIT_MS, 'The database');
      return {
        runs: page.runs.map((run) => view(run, quality.get(run.id))),
        next_cursor: page.nextCursor === null ? null : encodeCursor(LIST, page.nextCursor),
      };
    },
  });
}

function show({ store, waiting, estimates }: RunDeps): Route {
  return route({
    method: 'GET',
    path: '/runs/:run_id',
    operationId: 'getRun',
    scope: 'read',
    tag: 'Operations',
    summary: 'Get a run of any kind: its progress, and why it waits',
    description: 'While nothing of it is being worked on, `waiting` says why, and when it goes on where that is known.',
    params: z.object({ run_id: z.string() }),
    replies: {
      200: json('The run.', OneRun, {
        ...EXAMPLE,
        status: 'running',
        completed: 0,
        failed: 0,
        finished_at: null,
        quality: null,
        estimated_time: null,
        waiting: WAITING_EXAMPLE,
        request: { search_term: 'python developer', location: 'remote', results_wanted: 50 },
      }),
    },
    problems: ['unknown_id'],
    async handle(request) {
      const id = request.params.run_id;
      const run = RUN_ID.test(id) ? await within(store.getListedRun(id), LIMIT_MS, 'The database') : null;
      if (!run || !maySee(request.sees, run)) throw unknownRun(id);
      const [why, options, quality] = await Promise.all([
        waiting.of(run),
        within(store.runOptions(id), LIMIT_MS, 'The database'),
        within(store.qualityOfRuns([id]), LIMIT_MS, 'The database'),
      ]);
      return {
        ...view(run, quality.get(id)),
        estimated_time: isStandstill(why) ? null : estimates.of(run),
        ...waitingField(why),
        request: shown(options ?? {}),
      };
    },
  });
}

const Entry = z.object({
  position: z.number().int(),
  entry: z.record(z.string(), z.unknown()).meta({ description: 'What was requested: a URL, site, company or item.' }),
  task_id: z.string().nullable(),
  source: z.string().nullable(),
  lane: z.string().nullable(),
  state: z.enum(ENTRY_STATES).meta({
    description:
      '`stored`: its result was stored already. `ready`, `delayed`, `held`: it waits. `sent`, `started`: it is with a worker.',
  }),
  attempts: z.number().int(),
  error: z.object({ category: z.string(), code: z.string().nullable(), message: z.string() }).nullable(),
  worker: z.string().nullable(),
  created_at: z.string().nullable(),
  retry_at: z.string().nullable(),
  sent_at: z.string().nullable(),
  finished_at: z.string().nullable(),
});

const ENTRY_EXAMPLE = {
  position: 0,
  entry: { site: 'indeed' },
  task_id: '0199f1de-1f6b-7c0e-8f53-3a0f6f0f2b1a',
  source: 'indeed',
  lane: 'http',
  state: 'failed',
  attempts: 3,
  error: { category: 'blocked', code: 'captcha', message: 'blocked: captcha' },
  worker: null,
  created_at: '2026-02-04T10:33:00.000Z',
  retry_at: null,
  sent_at: null,
  finished_at: '2026-02-04T10:34:10.000Z',
};

function entries({ store }: RunDeps): Route {
  return route({
    method: 'GET',
    path: '/runs/:run_id/tasks',
    operationId: 'listRunTasks',
    scope: 'read',
    tag: 'Operations',
    summary: 'List what a run requested, with the task, attempts and error of each entry',
    params: z.object({ run_id: z.string() }),
    query: z.strictObject({
      limit: z.int().min(1).max(1_000).default(100),
      cursor: z.string().max(200).optional(),
    }),
    replies: {
      200: json(
        'A page of tasks, in the order of the request.',
        z.object({ tasks: z.array(Entry), next_cursor: z.string().nullable() }),
        { tasks: [ENTRY_EXAMPLE], next_cursor: null },
      ),
    },
    problems: ['unknown_id', 'invalid_params'],
    async handle(request) {
      const id = request.params.run_id;
      const { limit } = request.query;
      const after = Number(decodeCursor(TASKS, request.query.cursor, /^\d{1,9}$/) ?? -1);
      const run = RUN_ID.test(id) ? await within(store.getRun(id), LIMIT_MS, 'The database') : null;
      if (!run || !maySee(request.sees, run)) throw unknownRun(id);
      const found = await within(store.runEntries({ runId: id, after, limit: limit + 1 }), LIMIT_MS, 'The database');
      const page = found.slice(0, limit);
      return {
        tasks: page.map(entryView),
        next_cursor: found.length > limit ? encodeCursor(TASKS, String(page.at(-1)!.pos)) : null,
      };
    },
  });
}

const entryView = (entry: RunEntry): z.infer<typeof Entry> => ({
  position: entry.pos,
  entry: shown(entry.ref),
  task_id: entry.taskId,
  source: entry.source,
  lane: entry.lane,
  state: entry.state,
  attempts: entry.attempts,
  error: entry.error && {
    category: entry.error.category,
    code: entry.error.code ?? null,
    message: entry.error.message,
  },
  worker: entry.worker,
  created_at: entry.createdAt?.toISOString() ?? null,
  retry_at: entry.dueAt?.toISOString() ?? null,
  sent_at: entry.sentAt?.toISOString() ?? null,
  finished_at: entry.finishedAt?.toISOString() ?? null,
});

function cancel({ intake, log }: RunDeps): Route {
  return route({
    method: 'DELETE',
    path: '/runs/:run_id',
    operationId: 'cancelRun',
    scope: 'submit',
    tag: 'Operations',
    summary: 'Cancel a run of any kind (results found so far are kept)',
    params: z.object({ run_id: z.string() }),
    replies: {
      200: json(
        'The run is cancelled.',
        z.object({ run_id: z.string(), status: z.literal('cancelled'), removed_tasks: z.number().int() }),
        { run_id: 'manual_a1b2c3d4e5f60718', status: 'cancelled', removed_tasks: 1 },
      ),
    },
    problems: ['unknown_id', 'not_cancellable'],
    async handle(request) {
      const id = request.params.run_id;
      if (!RUN_ID.test(id)) throw unknownRun(id);
      const { run, removed } = await within(intake.cancelRun(id, request.sees), LIMIT_MS, 'The database');
      log.info('run.cancelled', { run_id: run.id, request_id: request.id, status: run.status, removed });
      return { run_id: run.id, status: 'cancelled', removed_tasks: removed };
    },
  });
}

const unknownRun = (id: string): AppError => new AppError('unknown_id', `There is no run ${id.slice(0, 80)}.`);

/** Both may contain passwords. */
const SECRET_FIELDS = new Set(['proxies', 'webhook_url']);

/** Null is stored where nothing was said. */
const shown = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== null && !SECRET_FIELDS.has(name)));

const view = (run: ListedRun, quality: z.output<typeof RunQuality> = null) => ({
  run_id: run.id,
  kind: run.kind,
  trigger: run.trigger,
  status: run.word,
  about: run.about,
  total: run.total,
  cached: run.cached,
  completed: run.completed,
  failed: run.failed,
  created_at: run.createdAt.toISOString(),
  updated_at: run.updatedAt.toISOString(),
  finished_at: run.finishedAt?.toISOString() ?? null,
  owner: run.owner,
  path: runPath(run),
  quality,
});
