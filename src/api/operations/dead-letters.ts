// Dead letters: tasks that ran out of attempts. List, retry or delete them, one or many at once. A retry creates a new run; the runs that failed stay as
// they are.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, ERRORS } from '../../model/errors.ts';
import { hideSecrets } from '../../model/secrets.ts';
import { within } from '../../observe/cached.ts';
import { redact } from '../../observe/redact.ts';
import type { DeadLetter } from '../../store/queue/dead-letters.ts';
import type { DeadLetterStore } from '../../store/queue/queue-store.ts';
import { jobStatus } from '../articles/views.ts';
import type { Needs } from '../deps.ts';
import { idempotencyClaim } from '../http/idempotency.ts';
import { json, type Route, route } from '../http/route.ts';
import { decodeCursor, encodeCursor } from '../lists/cursor.ts';
import { invalid } from '../validation/validators.ts';

const TASK_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LIST = 'dead-letters';
const BULK_MAX = 1_000;
const LIMIT_MS = 10_000;
const CATEGORIES = [...new Set(Object.values(ERRORS).map((row) => row.category))];

const TaskParams = z.object({ task_id: z.string() });
const filter = {
  source: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/)
    .optional(),
  category: z.enum(CATEGORIES).optional(),
};

const Letter = z.object({
  task_id: z.string(),
  source: z.string(),
  lane: z.string(),
  run_id: z.string(),
  params: z.looseObject({}),
  priority: z.number().int(),
  attempts: z.number().int(),
  error: z.object({ category: z.string(), code: z.string().nullable(), message: z.string() }).nullable(),
  died_at: z.string(),
});
const LETTER_EXAMPLE = {
  task_id: '019a1b2c-3d4e-7000-8a1b-2c3d4e5f6071',
  source: 'article',
  lane: 'http',
  run_id: 'job_a1b2c3d4e5f6',
  params: { url: 'https://example.com/gone' },
  priority: 5,
  attempts: 1,
  error: { category: 'not_found', code: 'not_found', message: '404 Not Found' },
  died_at: '2026-02-04T10:33:00.000Z',
};

const Retried = z.object({ job_id: z.string(), status: z.string(), retried: z.number().int(), has_more: z.boolean() });
const RETRIED_EXAMPLE = { job_id: 'job_0a1b2c3d4e5f', status: 'IN_PROGRESS', retried: 1, has_more: false };
const Removed = z.object({ removed: z.number().int(), has_more: z.boolean() });

type DeadLetterDeps = Needs<DeadLetterStore, 'intake' | 'log'>;

export const deadLetters = (deps: DeadLetterDeps): Route[] => [
  list(deps),
  get(deps),
  retryOne(deps),
  retryMany(deps),
  removeOne(deps),
  removeMany(deps),
];

function list({ store }: DeadLetterDeps): Route {
  return route({
    method: 'GET',
    path: '/dead-letters',
    operationId: 'listDeadLetters',
    tag: 'Dead letters',
    summary: 'List dead letters (tasks that ran out of attempts), newest first',
    query: z.strictObject({
      ...filter,
      limit: z.int().min(1).max(1_000).default(50),
      cursor: z.string().max(200).optional(),
    }),
    replies: {
      200: json(
        'A page of dead letters.',
        z.object({ dead_letters: z.array(Letter), next_cursor: z.string().nullable() }),
        { dead_letters: [LETTER_EXAMPLE], next_cursor: null },
      ),
    },
    problems: ['invalid_params'],
    async handle(request) {
      const { source = null, category = null, limit, cursor } = request.query;
      const [diedAt, taskId] = decodeCursor(LIST, cursor, /^[\d:.TZ-]{20,40} [0-9a-f-]{36}$/)?.split(' ') ?? [];
      const before = diedAt !== undefined && taskId !== undefined ? { diedAt, taskId } : null;
      const found = await within(
        store.listDeadLetters({ source, category, limit: limit + 1, before }),
        LIMIT_MS,
        'The database',
      );
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      return {
        dead_letters: page.map(letterView),
        next_cursor: last ? encodeCursor(LIST, `${last.diedAtText} ${last.taskId}`) : null,
      };
    },
  });
}

function get({ store }: DeadLetterDeps): Route {
  return route({
    method: 'GET',
    path: '/dead-letters/:task_id',
    operationId: 'getDeadLetter',
    tag: 'Dead letters',
    summary: 'Get a dead letter',
    params: TaskParams,
    replies: {
      200: json('The dead letter.', Letter, LETTER_EXAMPLE),
    },
    problems: ['unknown_id'],
    async handle(request) {
      const [letter] = await within(store.getDeadLetters([taskIdOf(request.params.task_id)]), LIMIT_MS, 'The database');
      if (!letter) throw unknownLetter(request.params.task_id);
      return letterView(letter);
    },
  });
}

function retryOne(deps: DeadLetterDeps): Route {
  return route({
    method: 'POST',
    path: '/dead-letters/:task_id/retry',
    operationId: 'retryDeadLetter',
    tag: 'Dead letters',
    summary: 'Retry a dead letter as a new job',
    params: TaskParams,
    replies: {
      202: json('Queued again.', Retried, RETRIED_EXAMPLE),
    },
    problems: ['unknown_id', 'idempotency_key_reused'],
    isIdempotent: true,
    async handle(request, reply) {
      const accepted = await retry(deps, [taskIdOf(request.params.task_id)], request, reply);
      if (!accepted) throw unknownLetter(request.params.task_id);
      return accepted;
    },
  });
}

function retryMany(deps: DeadLetterDeps): Route {
  return route({
    method: 'POST',
    path: '/dead-letters/retry',
    operationId: 'retryDeadLetters',
    tag: 'Dead letters',
    summary: 'Retry many dead letters as one new job',
    description: `Those named in \`task_ids\`, or the newest ${BULK_MAX} that match \`source\` and \`category\`, or of all with \`all: true\`. A job has letters of one kind (articles, postings, products): others stay. Call again while \`has_more\`.`,
    body: z.strictObject({
      task_ids: z.array(z.string().max(36)).min(1).max(BULK_MAX).optional(),
      ...filter,
      all: z.boolean().optional(),
    }),
    bodyExample: { category: 'timeout' },
    replies: {
      202: json('Queued again.', Retried, RETRIED_EXAMPLE),
    },
    problems: ['unknown_id', 'idempotency_key_reused'],
    isIdempotent: true,
    async handle(request, reply) {
      const { task_ids } = request.body;
      const { ids, hasMore } = task_ids
        ? { ids: task_ids.filter(isTaskId), hasMore: false }
        : await matching(deps, request.body, 'body');
      const accepted = await retry(deps, ids, request, reply);
      if (!accepted) throw new AppError('unknown_id', 'None of these ids is a dead letter.');
      return { ...accepted, has_more: accepted.has_more || hasMore };
    },
  });
}

function removeOne({ store, log }: DeadLetterDeps): Route {
  return route({
    method: 'DELETE',
    path: '/dead-letters/:task_id',
    operationId: 'removeDeadLetter',
    tag: 'Dead letters',
    summary: 'Delete a dead letter',
    params: TaskParams,
    replies: {
      200: json('Deleted.', Removed, { removed: 1, has_more: false }),
    },
    problems: ['unknown_id'],
    async handle(request) {
      const removed = await within(
        store.removeDeadLetters([taskIdOf(request.params.task_id)]),
        LIMIT_MS,
        'The database',
      );
      if (removed.length === 0) throw unknownLetter(request.params.task_id);
      log.info('dead_letters.removed', { request_id: request.id, task_id: removed[0], count: 1 });
      return { removed: 1, has_more: false };
    },
  });
}

function removeMany(deps: DeadLetterDeps): Route {
  return route({
    method: 'DELETE',
    path: '/dead-letters',
    operationId: 'removeDeadLetters',
    tag: 'Dead letters',
    summary: 'Delete many dead letters',
    description: `The newest ${BULK_MAX} that match \`source\` and \`category\`, or of all with \`all=true\`. Call again while \`has_more\`.`,
    query: z.strictObject({ ...filter, all: z.boolean().optional() }),
    replies: {
      200: json('Deleted.', Removed, { removed: 12, has_more: false }),
    },
    problems: ['invalid_params'],
    async handle(request) {
      const { ids, hasMore } = await matching(deps, request.query, 'querystring');
      const removed = await within(deps.store.removeDeadLetters(ids), LIMIT_MS, 'The database');
      deps.log.info('dead_letters.removed', { request_id: request.id, count: removed.length });
      return { removed: removed.length, has_more: hasMore };
    },
  });
}

/** A filter has to be given: an empty request must not mean everything. */
async function matching(
  { store }: DeadLetterDeps,
  wanted: { source?: string; category?: string; all?: boolean },
  part: string,
): Promise<{ ids: string[]; hasMore: boolean }> {
  const { source = null, category = null } = wanted;
  if (source === null && category === null && wanted.all !== true) {
    throw invalid([{ pointer: '/all', detail: 'has to be true if neither source nor category is given' }], part);
  }
  const found = await within(
    store.listDeadLetters({ source, category, limit: BULK_MAX + 1, before: null }),
    LIMIT_MS,
    'The database',
  );
  return { ids: found.slice(0, BULK_MAX).map((letter) => letter.taskId), hasMore: found.length > BULK_MAX };
}

async function retry({ intake, log }: DeadLetterDeps, taskIds: string[], request: FastifyRequest, reply: FastifyReply) {
  const requestId = request.id;
  const idempotency = idempotencyClaim(request, `${request.method} ${request.url}`);
  const accepted = await within(intake.retryDeadLetters(taskIds, { requestId, idempotency }), LIMIT_MS, 'The database');
  if (!accepted) return null;
  const { runId: id, total } = accepted;
  if (accepted.replayed) reply.header('idempotent-replay', 'true');
  else log.info('dead_letters.retried', { run_id: id, request_id: requestId, count: total });
  reply.code(202).header('location', id.startsWith('job_') ? `/jobs/${id}/status` : `/jobs/scrape/${id}`);
  return { job_id: id, status: jobStatus(accepted.status), retried: total, has_more: accepted.left > 0 };
}

function letterView(letter: DeadLetter) {
  const { error } = letter;
  return {
    task_id: letter.taskId,
    source: letter.source,
    lane: letter.lane,
    run_id: letter.runId,
    // A task may hold its proxies, with passwords, and the headers of a company.
    params: redact(hideSecrets(letter.params)),
    priority: letter.priority,
    attempts: letter.attempts,
    error: error && { category: error.category, code: error.code ?? null, message: error.message },
    died_at: letter.diedAt.toISOString(),
  };
}

const isTaskId = (id: string): boolean => TASK_ID.test(id);

function taskIdOf(id: string): string {
  if (!isTaskId(id)) throw unknownLetter(id);
  return id;
}

const unknownLetter = (id: string) => new AppError('unknown_id', `There is no dead letter ${id.slice(0, 60)}.`);
