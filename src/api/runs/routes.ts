// Runs of all kinds, newest first. The results of a run are at the `path` of its kind.
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { RUN_KINDS, RUN_LABELS, runPath } from '../../model/run/run-labels.ts';
import { isStandstill } from '../../model/run/why-waits.ts';
import { within } from '../../observe/cached.ts';
import type { ListedRun } from '../../store/runs/run-list.ts';
import type { RunStore } from '../../store/runs/run-store.ts';
import type { Needs } from '../deps.ts';
import { json, type Route, route } from '../http/route.ts';
import { decodeCursor, encodeCursor } from '../lists/cursor.ts';
import { WAITING_EXAMPLE, WaitingView, waitingField } from './waiting.ts';

const LIST = 'runs';
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
  path: z.string().nullable().meta({ description: 'Path of the results.' }),
});

const OneRun = RunView.extend({
  estimated_time: z.number().int().nullable().meta({
    description:
      'Seconds until it has ended, by its own speed so far; null where nothing of it is done yet, or nothing moves.',
  }),
  waiting: WaitingView.optional(),
});

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
  path: '/jobs/scrape/manual_a1b2c3d4e5f60718',
};

const RUN_ID = /^[\w-]{1,80}$/;

type RunDeps = Needs<Pick<RunStore, 'listAllRuns' | 'getListedRun'>, 'waiting' | 'estimates'>;

export const runs = (deps: RunDeps): Route[] => [list(deps), show(deps)];

function list({ store }: RunDeps): Route {
  return route({
    method: 'GET',
    path: '/runs',
    operationId: 'listRuns',
    tag: 'Operations',
    summary: 'List runs of all kinds, newest first: articles, searches, companies, carts',
    description:
      '`status` has the same values for all kinds and for webhooks: `partial` if some of it failed. `total`, `completed` and `failed` count articles, sites, companies or items. A page may have fewer than `limit` entries. The last page has no `next_cursor`.',
    query: z.strictObject({
      kind: z.enum(RUN_KINDS).optional(),
      status: z.enum(RUN_LABELS).optional(),
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
      const { kind = null, status = null, limit } = request.query;
      const cursor = decodeCursor(LIST, request.query.cursor, /^\d{1,18}$/);
      const page = await within(store.listAllRuns({ kind, status, limit, cursor }), LIMIT_MS, 'The database');
      return {
        runs: page.runs.map(view),
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
        estimated_time: null,
        waiting: WAITING_EXAMPLE,
      }),
    },
    problems: ['unknown_id'],
    async handle(request) {
      const id = request.params.run_id;
      const run = RUN_ID.test(id) ? await within(store.getListedRun(id), LIMIT_MS, 'The database') : null;
      if (!run) throw new AppError('unknown_id', `There is no run ${id.slice(0, 80)}.`);
      const why = await waiting.of(run);
      return { ...view(run), estimated_time: isStandstill(why) ? null : estimates.of(run), ...waitingField(why) };
    },
  });
}

const view = (run: ListedRun) => ({
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
  path: runPath(run),
});
