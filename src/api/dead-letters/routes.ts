// Dead letters: tasks that ran out of attempts. List them, by cause or one by one, retry or delete them, one or many at once. A retry creates a new run; the
// runs that failed stay as they are.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { retryProblem } from '../../model/crawl/letters.ts';
import { AppError } from '../../model/errors.ts';
import { within } from '../../observe/cached.ts';
import type { EvidenceStore } from '../../store/evidence/evidence-store.ts';
import type { LetterFilter } from '../../store/queue/dead-letters.ts';
import type { DeadLetterStore } from '../../store/queue/queue-store.ts';
import { jobStatus } from '../articles/views.ts';
import type { Needs } from '../deps.ts';
import { evidenceView } from '../evidence/schemas.ts';
import { contextOf } from '../http/intake-context.ts';
import { json, type Route, route } from '../http/route.ts';
import { decodeCursor, encodeCursor } from '../lists/cursor.ts';
import { invalid } from '../validation/validators.ts';
import { editedParams } from './edit.ts';
import {
  DRY_RUN_EXAMPLE,
  DryRun,
  type Filter,
  filterFields,
  GROUP_EXAMPLE,
  Group,
  LETTER_EXAMPLE,
  Letter,
  letterFilter,
  letterView,
  ONE_LETTER_EXAMPLE,
  OneLetter,
  oneLetterView,
  RETRIED_EXAMPLE,
  Removed,
  Retried,
  shownParams,
  TaskParams,
} from './schemas.ts';

const TASK_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LIST = 'dead-letters';
const BULK_MAX = 1_000;
const GROUPS_MAX = 1_000;
/** Ids that a dry run shows. */
const SHOWN_MAX = 100;
const COUNT_MAX = 100_000;
const LIMIT_MS = 10_000;

const dryRunQuery = { dry_run: z.enum(['1', 'true', '0', 'false']).optional() };
const isDry = (flag: string | undefined): boolean => flag === '1' || flag === 'true';

type DeadLetterDeps = Needs<DeadLetterStore & EvidenceStore, 'intake' | 'log' | 'sources'>;

export const deadLetters = (deps: DeadLetterDeps): Route[] => [
  list(deps),
  groups(deps),
  get(deps),
  retryOne(deps),
  retryMany(deps),
  removeOne(deps),
  removeMany(deps),
];

const ask = <T>(work: Promise<T>): Promise<T> => within(work, LIMIT_MS, 'The database');

function list({ store }: DeadLetterDeps): Route {
  return route({
    method: 'GET',
    path: '/dead-letters',
    operationId: 'listDeadLetters',
    scope: 'read',
    tag: 'Dead letters',
    summary: 'List dead letters (tasks that ran out of attempts), newest first',
    query: z.strictObject({
      ...filterFields,
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
      const { limit, cursor, ...wanted } = request.query;
      const [diedAt, taskId] = decodeCursor(LIST, cursor, /^[\d:.TZ-]{20,40} [0-9a-f-]{36}$/)?.split(' ') ?? [];
      const before = diedAt !== undefined && taskId !== undefined ? { diedAt, taskId } : null;
      const found = await ask(
        store.listDeadLetters({ ...letterFilter(wanted), owner: request.sees, limit: limit + 1, before }),
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

function groups({ store }: DeadLetterDeps): Route {
  return route({
    method: 'GET',
    path: '/dead-letters/groups',
    operationId: 'listDeadLetterGroups',
    scope: 'read',
    tag: 'Dead letters',
    summary: 'List dead letters by source and cause, the largest group first',
    query: z.strictObject({
      source: filterFields.source,
      category: filterFields.category,
      code: filterFields.code,
      limit: z.int().min(1).max(GROUPS_MAX).default(100),
    }),
    replies: {
      200: json('The groups.', z.object({ total: z.number().int(), groups: z.array(Group) }), {
        total: 1,
        groups: [GROUP_EXAMPLE],
      }),
    },
    problems: ['invalid_params'],
    async handle(request) {
      const { source = null, category = null, code = null, limit } = request.query;
      const { sees } = request;
      const wanted = { source, category, code, owner: sees };
      const [found, total] = await ask(
        Promise.all([store.deadLetterGroups(wanted, limit), store.countMatchingDeadLetters(wanted, COUNT_MAX)]),
      );
      const taskIds = found.map((group) => group.sampleTaskId);
      const [samples, evidence, newest] = await ask(
        Promise.all([
          store.getDeadLetters(taskIds, sees),
          store.evidenceOfTasks(taskIds),
          store.newestEvidence(found, sees),
        ]),
      );
      const byId = new Map(samples.map((letter) => [letter.taskId, letter]));
      return {
        total,
        groups: found.map((group) => {
          const sample = byId.get(group.sampleTaskId);
          const saved = newest.find((one) => one.source === group.source && one.code === group.code);
          return {
            source: group.source,
            category: group.category,
            code: group.code,
            count: group.count,
            first_died_at: group.firstDiedAt.toISOString(),
            last_died_at: group.lastDiedAt.toISOString(),
            // Retried or deleted at this moment.
            sample: sample ? oneLetterView(sample, evidence) : null,
            evidence: saved ? evidenceView(saved) : null,
          };
        }),
      };
    },
  });
}

function get({ store }: DeadLetterDeps): Route {
  return route({
    method: 'GET',
    path: '/dead-letters/:task_id',
    operationId: 'getDeadLetter',
    scope: 'read',
    tag: 'Dead letters',
    summary: 'Get a dead letter with its attempts',
    params: TaskParams,
    replies: {
      200: json('The dead letter.', OneLetter, ONE_LETTER_EXAMPLE),
    },
    problems: ['unknown_id'],
    async handle(request) {
      const id = taskIdOf(request.params.task_id);
      const [[letter], evidence] = await ask(
        Promise.all([store.getDeadLetters([id], request.sees), store.evidenceOfTasks([id])]),
      );
      if (!letter) throw unknownLetter(id);
      return oneLetterView(letter, evidence);
    },
  });
}

function retryOne(deps: DeadLetterDeps): Route {
  return route({
    method: 'POST',
    path: '/dead-letters/:task_id/retry',
    operationId: 'retryDeadLetter',
    scope: 'submit',
    tag: 'Dead letters',
    summary: 'Retry a dead letter as a new job, as it is or with edited input',
    description:
      'Fields of `params` replace those of the input, and null removes one; the result is checked by the schema of the source. The input before stays visible as `edited_from` of the new task, if that fails too. A page of a crawl is retried as an article, at another `url` if that is given; its first page and its sitemaps cannot be retried. With `dry_run` nothing is changed.',
    params: TaskParams,
    query: z.strictObject(dryRunQuery),
    body: z.strictObject({ params: z.looseObject({}).optional(), dry_run: z.boolean().optional() }).nullable(),
    bodyExample: { params: { url: 'https://example.com/moved' } },
    replies: {
      200: json('What would be retried.', DryRun, { ...DRY_RUN_EXAMPLE, matching: 1 }),
      202: json('Queued again.', Retried, RETRIED_EXAMPLE),
    },
    problems: ['unknown_id', 'not_retryable', 'idempotency_key_reused'],
    isIdempotent: true,
    async handle(request, reply) {
      const id = taskIdOf(request.params.task_id);
      const changes = request.body?.params;
      const isDryRun = isDry(request.query.dry_run) || request.body?.dry_run === true;
      const [letter] = changes || isDryRun ? await ask(deps.store.getDeadLetters([id], request.sees)) : [];
      const problem = letter ? retryProblem(letter) : null;
      if (problem !== null) throw new AppError('not_retryable', problem);
      const edit =
        letter && changes
          ? { params: editedParams(letter, changes, deps.sources), from: shownParams(letter.params) }
          : undefined;
      if (isDryRun) {
        if (!letter) throw unknownLetter(id);
        return { dry_run: true, matching: 1, task_ids: [id] };
      }
      const accepted = await retry(deps, [id], request, reply, edit);
      if (!accepted) throw unknownLetter(id);
      return accepted;
    },
  });
}

function retryMany(deps: DeadLetterDeps): Route {
  return route({
    method: 'POST',
    path: '/dead-letters/retry',
    operationId: 'retryDeadLetters',
    scope: 'submit',
    tag: 'Dead letters',
    summary: 'Retry many dead letters as one new job',
    description: `Those named in \`task_ids\`, or the newest ${BULK_MAX} that match the filter, or of all with \`all: true\`. A job has letters of one kind (articles, postings, products): others stay, and so do first pages and sitemaps of crawls. Call again with \`died_before\` of the answer while \`has_more\`. Each letter is taken in the transaction that queues it, so a call that is sent twice, or a crash, neither loses one nor retries it twice. With \`dry_run\` nothing is changed.`,
    query: z.strictObject(dryRunQuery),
    body: z.strictObject({
      task_ids: z.array(z.string().max(36)).min(1).max(BULK_MAX).optional(),
      ...filterFields,
      all: z.boolean().optional(),
      dry_run: z.boolean().optional(),
    }),
    bodyExample: { source: 'article', code: 'timeout' },
    replies: {
      200: json('What would be retried.', DryRun, DRY_RUN_EXAMPLE),
      202: json('Queued again.', Retried, RETRIED_EXAMPLE),
    },
    problems: ['unknown_id', 'not_retryable', 'idempotency_key_reused'],
    isIdempotent: true,
    async handle(request, reply) {
      const { task_ids, dry_run, all, ...wanted } = request.body;
      if (isDry(request.query.dry_run) || dry_run === true)
        return dryRun(deps, task_ids, { ...wanted, all }, { part: 'body', sees: request.sees });
      const { ids, hasMore, diedBefore } = task_ids
        ? { ids: task_ids.filter(isTaskId), hasMore: false, diedBefore: null }
        : await matching(deps, { ...wanted, all }, { part: 'body', sees: request.sees });
      const accepted = await retry(deps, ids, request, reply);
      if (!accepted) throw new AppError('unknown_id', 'None of these ids is a dead letter.');
      const isMore = accepted.has_more || hasMore;
      return { ...accepted, has_more: isMore, ...(isMore && diedBefore ? { died_before: diedBefore } : {}) };
    },
  });
}

function removeOne({ store, log }: DeadLetterDeps): Route {
  return route({
    method: 'DELETE',
    path: '/dead-letters/:task_id',
    operationId: 'removeDeadLetter',
    scope: 'submit',
    tag: 'Dead letters',
    summary: 'Delete a dead letter',
    params: TaskParams,
    replies: {
      200: json('Deleted.', Removed, { removed: 1, has_more: false }),
    },
    problems: ['unknown_id'],
    async handle(request) {
      const removed = await ask(store.removeDeadLetters([taskIdOf(request.params.task_id)], request.sees));
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
    scope: 'submit',
    tag: 'Dead letters',
    summary: 'Delete many dead letters',
    description: `The newest ${BULK_MAX} that match the filter, or of all with \`all=true\`. Call again while \`has_more\`. With \`dry_run\` nothing is changed.`,
    query: z.strictObject({ ...filterFields, ...dryRunQuery, all: z.boolean().optional() }),
    replies: {
      200: json('Deleted, or what would be.', z.union([Removed, DryRun]), { removed: 12, has_more: false }),
    },
    problems: ['invalid_params'],
    async handle(request) {
      const { dry_run, ...wanted } = request.query;
      if (isDry(dry_run)) return dryRun(deps, undefined, wanted, { part: 'querystring', sees: request.sees });
      const { ids, hasMore } = await matching(deps, wanted, { part: 'querystring', sees: request.sees });
      const removed = await ask(deps.store.removeDeadLetters(ids, request.sees));
      deps.log.info('dead_letters.removed', { request_id: request.id, count: removed.length });
      return { removed: removed.length, has_more: hasMore };
    },
  });
}

type Wanted = Filter & { all?: boolean | undefined };

interface Asker {
  /** Of the request, where the filter is. */
  part: string;
  sees: string | null;
}

/** A filter has to be given: an empty request must not mean everything. */
function givenFilter({ all, ...wanted }: Wanted, { part, sees }: Asker): LetterFilter {
  const filter = letterFilter(wanted);
  if (all !== true && Object.values(filter).every((one) => one === null))
    throw invalid([{ pointer: '/all', detail: 'has to be true if no filter is given' }], part);
  return { ...filter, owner: sees };
}

async function matching(
  { store }: DeadLetterDeps,
  wanted: Wanted,
  asker: Asker,
): Promise<{ ids: string[]; hasMore: boolean; diedBefore: string | null }> {
  const filter = givenFilter(wanted, asker);
  const found = await ask(store.matchingDeadLetters(filter, BULK_MAX + 1));
  const [newest] = found;
  return {
    ids: found.slice(0, BULK_MAX).map((letter) => letter.taskId),
    hasMore: found.length > BULK_MAX,
    // One that is retried now and fails again died later than the newest of today.
    diedBefore:
      wanted.died_before ?? (newest === undefined ? null : new Date(newest.diedAt.getTime() + 1).toISOString()),
  };
}

async function dryRun({ store }: DeadLetterDeps, taskIds: string[] | undefined, wanted: Wanted, asker: Asker) {
  if (taskIds) {
    const found = (await ask(store.getDeadLetters(taskIds.filter(isTaskId), asker.sees))).map(
      (letter) => letter.taskId,
    );
    return { dry_run: true, matching: found.length, task_ids: found.slice(0, SHOWN_MAX) };
  }
  const filter = givenFilter(wanted, asker);
  const [count, shown] = await ask(
    Promise.all([store.countMatchingDeadLetters(filter, COUNT_MAX), store.matchingDeadLetters(filter, SHOWN_MAX)]),
  );
  return { dry_run: true, matching: count, task_ids: shown.map((letter) => letter.taskId) };
}

async function retry(
  { intake, log }: DeadLetterDeps,
  taskIds: string[],
  request: FastifyRequest,
  reply: FastifyReply,
  edit?: { params: Record<string, unknown>; from: Record<string, unknown> },
) {
  const context = contextOf(request, `${request.method} ${request.url}`);
  const accepted = await ask(intake.retryDeadLetters(taskIds, context, edit));
  if (!accepted) return null;
  const { runId: id, total } = accepted;
  if (accepted.replayed) reply.header('idempotent-replay', 'true');
  else log.info('dead_letters.retried', { run_id: id, request_id: request.id, count: total });
  reply.code(202).header('location', id.startsWith('job_') ? `/jobs/${id}/status` : `/jobs/scrape/${id}`);
  return { job_id: id, status: jobStatus(accepted.status), retried: total, has_more: accepted.left > 0 };
}

const isTaskId = (id: string): boolean => TASK_ID.test(id);

function taskIdOf(id: string): string {
  if (!isTaskId(id)) throw unknownLetter(id);
  return id;
}

const unknownLetter = (id: string) => new AppError('unknown_id', `There is no dead letter ${id.slice(0, 60)}.`);
