// Quality of results: what runs brought next to the runs before, and decisions about what is kept apart.
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { maySee } from '../../model/key/key.ts';
import { QUALITY_VERDICTS, worst } from '../../model/quality/judge.ts';
import { within } from '../../observe/cached.ts';
import type { Evidence } from '../../store/evidence/evidence.ts';
import type { EvidenceStore } from '../../store/evidence/evidence-store.ts';
import type { QualityCheck } from '../../store/quality/quality-list.ts';
import type { QualityStore } from '../../store/quality/quality-store.ts';
import type { RunStore } from '../../store/runs/run-store.ts';
import type { Needs } from '../deps.ts';
import { json, type Route, route } from '../http/route.ts';
import { decodeCursor, encodeCursor } from '../lists/cursor.ts';
import { CHECK_EXAMPLE, CheckView, checkView, HELD_STATES } from './schemas.ts';

const LIST = 'quality';
const LIMIT_MS = 10_000;
const RUN_ID = /^[\w-]{1,80}$/;
const RunParams = z.object({ run_id: z.string() });

type QualityDeps = Needs<QualityStore & Pick<EvidenceStore, 'suspectEvidence'> & Pick<RunStore, 'getListedRun'>, 'log'>;

export const quality = (deps: QualityDeps): Route[] => [
  list(deps),
  show(deps),
  decide(deps, 'accepted'),
  decide(deps, 'rejected'),
];

function list(deps: QualityDeps): Route {
  const { store } = deps;
  return route({
    method: 'GET',
    path: '/quality',
    operationId: 'listQuality',
    scope: 'read',
    tag: 'Quality',
    summary: 'List how good the results of runs were, by run and source, newest first',
    query: z.strictObject({
      source: z
        .string()
        .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/)
        .optional(),
      verdict: z.enum(QUALITY_VERDICTS).optional(),
      state: z.enum(HELD_STATES).optional().meta({ description: 'held: only those whose items are kept apart.' }),
      limit: z.int().min(1).max(1_000).default(50),
      cursor: z.string().max(200).optional(),
    }),
    replies: {
      200: json('A page of checks.', z.object({ checks: z.array(CheckView), next_cursor: z.string().nullable() }), {
        checks: [CHECK_EXAMPLE],
        next_cursor: null,
      }),
    },
    problems: ['invalid_params'],
    async handle(request) {
      const { limit, cursor, ...filter } = request.query;
      const before = decodeCursor(LIST, cursor, /^\d{1,18}$/);
      const found = await within(
        store.listQuality({ ...filter, owner: request.sees, limit: limit + 1, before }),
        LIMIT_MS,
        'The database',
      );
      const page = found.slice(0, limit);
      const evidence = await evidenceOf(deps, page);
      const last = found.length > limit ? page.at(-1) : undefined;
      return {
        checks: page.map((check) => checkView(check, evidence)),
        next_cursor: last ? encodeCursor(LIST, last.id) : null,
      };
    },
  });
}

function show(deps: QualityDeps): Route {
  return route({
    method: 'GET',
    path: '/quality/:run_id',
    operationId: 'getQuality',
    scope: 'read',
    tag: 'Quality',
    summary: 'Get how good the results of a run were, by source',
    description:
      'The worst first. `verdict` is null while nothing of the run was judged: it has not ended, or it has fewer than ten articles.',
    params: RunParams,
    replies: {
      200: json(
        'The checks of the run.',
        z.object({
          run_id: z.string(),
          verdict: z.enum(QUALITY_VERDICTS).nullable(),
          checks: z.array(CheckView),
        }),
        { run_id: CHECK_EXAMPLE.run_id, verdict: 'suspect', checks: [CHECK_EXAMPLE] },
      ),
    },
    problems: ['unknown_id'],
    async handle(request) {
      const runId = await knownRun(deps, request.params.run_id, request.sees);
      const checks = await within(deps.store.qualityOfRun(runId), LIMIT_MS, 'The database');
      const evidence = await evidenceOf(deps, checks);
      const verdict = checks.length === 0 ? null : worst(checks.map((check) => check.verdict));
      return { run_id: runId, verdict, checks: checks.map((check) => checkView(check, evidence)) };
    },
  });
}

const DECISIONS = {
  accepted: {
    path: '/quality/:run_id/accept',
    operationId: 'acceptQuality',
    summary: 'Accept suspect results of a run',
    description:
      'Items that are kept apart are stored, and later runs are compared with this one and not with those before it. A second call changes nothing.',
  },
  rejected: {
    path: '/quality/:run_id/reject',
    operationId: 'rejectQuality',
    summary: 'Reject suspect results of a run',
    description:
      'Items that are kept apart are deleted, and later runs are not compared with this one. What was stored stays. A second call changes nothing.',
  },
} as const;

function decide(deps: QualityDeps, decision: keyof typeof DECISIONS): Route {
  return route({
    method: 'POST',
    scope: 'submit',
    tag: 'Quality',
    ...DECISIONS[decision],
    params: RunParams,
    replies: {
      200: json(
        'What was decided.',
        z.object({ run_id: z.string(), decision: z.string(), checks: z.int(), items: z.int() }),
        { run_id: CHECK_EXAMPLE.run_id, decision, checks: 1, items: 50 },
      ),
    },
    problems: ['unknown_id'],
    async handle(request) {
      const runId = await knownRun(deps, request.params.run_id, request.sees);
      const decided = await within(deps.store.decideQuality({ runId, decision }), LIMIT_MS, 'The database');
      if (decided.checks > 0)
        deps.log.info('quality.decided', { run_id: runId, request_id: request.id, decision, ...decided });
      return { run_id: runId, decision, ...decided };
    },
  });
}

async function evidenceOf({ store }: QualityDeps, checks: readonly QualityCheck[]): Promise<Evidence[]> {
  const runs = checks.filter((check) => check.verdict === 'suspect').map((check) => check.runId);
  return runs.length === 0 ? [] : within(store.suspectEvidence([...new Set(runs)]), LIMIT_MS, 'The database');
}

async function knownRun({ store }: QualityDeps, id: string, sees: string | null): Promise<string> {
  const run = RUN_ID.test(id) ? await within(store.getListedRun(id), LIMIT_MS, 'The database') : null;
  if (!run || !maySee(sees, run)) throw new AppError('unknown_id', `There is no run ${id.slice(0, 80)}.`);
  return run.id;
}
