// Articles: submit URLs, follow the run, read the results, cancel. Submitting is the hot path: it is answered after the commit, and nothing on the way
// is done twice.
import { z } from 'zod';
import { TEXT_FORMATS } from '../../model/article/text-format.ts';
import { AppError } from '../../model/errors.ts';
import { maySee } from '../../model/key/key.ts';
import type { Run } from '../../model/run/run.ts';
import { isStandstill } from '../../model/run/why-waits.ts';
import { limitOf, within } from '../../observe/cached.ts';
import type { RunResultStore, RunStore } from '../../store/runs/run-store.ts';
import type { Needs } from '../deps.ts';
import { startStream } from '../export/export.ts';
import { CSV, formatOf, NDJSON } from '../export/formats.ts';
import { contextOf } from '../http/intake-context.ts';
import { json, type Route, route } from '../http/route.ts';
import { decodeCursor, encodeCursor } from '../lists/cursor.ts';
import { waitingField } from '../runs/waiting.ts';
import { checkReceiver } from '../webhooks/receiver-check.ts';
import { RESULTS_LIST, resultChunks } from './results.ts';
import {
  JOB_EXAMPLE,
  Job,
  JobList,
  RESULTS_EXAMPLES,
  Results,
  SUBMISSION_EXAMPLE,
  SUBMITTED_EXAMPLE,
  Submission,
  Submitted,
} from './schemas.ts';
import { JOB_STATUSES, jobStatus, jobView, runStatus } from './views.ts';

const JOB_ID = /^job_[0-9a-f]{12}$/;
const LIST = 'jobs';
const SUBMIT_LIMIT_MS = 10_000;
const READ_LIMIT_MS = 5_000;
const JobParams = z.object({ job_id: z.string() });

type ArticleRunDeps = Needs<
  RunStore & RunResultStore,
  'intake' | 'receivers' | 'throughput' | 'metrics' | 'health' | 'log' | 'waiting'
>;

export const articles = (deps: ArticleRunDeps): Route[] => [
  submit(deps),
  status(deps),
  results(deps),
  cancel(deps),
  list(deps),
];

function submit(deps: ArticleRunDeps): Route {
  const { intake, health, log, throughput } = deps;
  const limited = limitOf(SUBMIT_LIMIT_MS, 'The database');
  return route({
    method: 'POST',
    path: '/jobs/submit',
    operationId: 'submitJob',
    scope: 'submit',
    tag: 'Articles',
    summary: 'Submit URLs to scrape for title and content',
    description:
      'Answered once the job is stored. Articles scraped before, or being scraped for another job, are not scraped again.',
    body: Submission,
    bodyExample: SUBMISSION_EXAMPLE,
    replies: {
      201: json('Accepted: the job is stored.', Submitted, SUBMITTED_EXAMPLE),
    },
    problems: ['idempotency_key_reused'],
    isIdempotent: true,
    async handle(request, reply) {
      const { articles: wanted, max_age_seconds: maxAgeSeconds, webhook_url: webhookUrl } = request.body;
      const context = contextOf(request, 'POST /jobs/submit');
      if (health.isKnownDown('store')) await refuseWhileDown(health);
      if (webhookUrl !== undefined) await checkReceiver(deps, webhookUrl, '/webhook_url');
      const accepted = await limited(
        intake.submitArticles(
          { articles: wanted, maxAgeSeconds: maxAgeSeconds ?? null, webhookUrl: webhookUrl ?? null },
          context,
        ),
      );
      const { runId, total, cached } = accepted;
      if (accepted.replayed) reply.header('idempotent-replay', 'true');
      else {
        // A run of one is counted right by its end alone.
        if (accepted.status === 'running' && total > 1) throughput.begin(runId, cached);
        if (log.isOn('info'))
          log.info('run.accepted', { run_id: runId, request_id: request.id, status: accepted.status, total, cached });
      }
      reply.code(201).header('location', `/jobs/${runId}/status`);
      return {
        job_id: runId,
        status: jobStatus(accepted.status),
        total_articles: total,
        new_articles: total - cached,
        cached_articles: cached,
        message: 'Job submitted successfully',
      };
    },
  });
}

/** The last probe found no store: probe again (at most every two seconds) instead of letting every caller wait for its own timeout. */
async function refuseWhileDown(health: ArticleRunDeps['health']): Promise<void> {
  const reason = await health.notReady();
  if (reason !== null)
    throw new AppError('unavailable', `${reason} Nothing was accepted. Try again.`, { retryAfterMs: 3_000 });
}

function status(deps: ArticleRunDeps): Route {
  return route({
    method: 'GET',
    path: '/jobs/:job_id/status',
    operationId: 'getJobStatus',
    scope: 'read',
    tag: 'Articles',
    summary: 'Get the status of a job',
    params: JobParams,
    replies: { 200: json('The job.', Job, JOB_EXAMPLE) },
    problems: ['unknown_id'],
    async handle(request) {
      const run = await findJob(deps.store, request.params.job_id, request.sees);
      const waiting = await deps.waiting.of(run);
      return {
        ...jobView(run),
        ...(waiting && isStandstill(waiting) ? { message: waiting.message } : {}),
        ...waitingField(waiting),
      };
    },
  });
}

function results({ store }: ArticleRunDeps): Route {
  return route({
    method: 'GET',
    path: '/jobs/:job_id/results',
    operationId: 'getJobResults',
    scope: 'read',
    tag: 'Articles',
    summary: 'Get the results of a job',
    description:
      'JSON in pages (`limit`, `cursor`), or all results as one stream: `Accept: application/x-ndjson` (one JSON object per line) or `Accept: text/csv`.',
    params: JobParams,
    query: z.strictObject({
      limit: z
        .int()
        .min(1)
        .max(1_000)
        .optional()
        .meta({ description: 'Entries per page. Default: 1,000 for JSON, all for streams.' }),
      cursor: z.string().max(200).optional(),
      explain: z
        .enum(['0', '1'])
        .default('0')
        .meta({ description: '1: adds `details`: more fields of the page, and where each field was found.' }),
      format: z.enum(TEXT_FORMATS).default('text').meta({
        description:
          'What `content` is written in: plain text, Markdown or clean HTML, with headings, lists, links, pictures, tables and code. Articles stored by earlier versions have paragraphs only.',
      }),
    }),
    replies: {
      200: {
        description: 'Results and failures, in the order of submission.',
        schema: Results,
        examples: RESULTS_EXAMPLES,
      },
    },
    problems: ['unknown_id', 'invalid_params'],
    async handle(request, reply) {
      const { limit, cursor } = request.query;
      const after = Number(decodeCursor(RESULTS_LIST, cursor, /^\d{1,9}$/) ?? -1);
      const format = formatOf(request.headers.accept);
      const run = await findJob(store, request.params.job_id, request.sees);
      const chunks = resultChunks(store, {
        run,
        after,
        limit: limit ?? (format === 'json' ? 1_000 : null),
        format,
        isExplained: request.query.explain === '1',
        textFormat: request.query.format,
      });
      const stream = await within(startStream(chunks), READ_LIMIT_MS, 'The database');
      const type = { json: 'application/json', ndjson: NDJSON, csv: CSV }[format];
      reply.header('vary', 'accept').type(`${type}; charset=utf-8`);
      if (format === 'csv') reply.header('content-disposition', `attachment; filename="${run.id}.csv"`);
      return reply.send(stream);
    },
  });
}

function cancel({ intake, log }: ArticleRunDeps): Route {
  return route({
    method: 'DELETE',
    path: '/jobs/:job_id',
    operationId: 'cancelJob',
    scope: 'submit',
    tag: 'Articles',
    summary: 'Cancel a job',
    description: 'Waiting articles never start and running ones are aborted, except those that another job waits for.',
    params: JobParams,
    replies: {
      200: json(
        'The job is cancelled.',
        z.object({ job_id: z.string(), status: z.enum(JOB_STATUSES), message: z.string() }),
        {
          job_id: 'job_a1b2c3d4e5f6',
          status: 'CANCELLED',
          message: 'Job cancelled. Removed 5 pending tasks.',
        },
      ),
    },
    problems: ['unknown_id', 'not_cancellable'],
    async handle(request) {
      const id = request.params.job_id;
      if (!JOB_ID.test(id)) throw unknownJob(id);
      const { run, removed } = await within(intake.cancelRun(id, request.sees), SUBMIT_LIMIT_MS, 'The database');
      log.info('run.cancelled', { run_id: run.id, request_id: request.id, status: run.status, removed });
      return {
        job_id: run.id,
        status: jobStatus(run.status),
        message: `Job cancelled. Removed ${removed} pending tasks.`,
      };
    },
  });
}

function list({ store }: ArticleRunDeps): Route {
  return route({
    method: 'GET',
    path: '/jobs/',
    operationId: 'listJobs',
    scope: 'read',
    tag: 'Articles',
    summary: 'List jobs, newest first',
    query: z.strictObject({
      status_filter: z.enum(JOB_STATUSES).optional(),
      limit: z.int().min(1).max(1_000).default(50),
      skip: z
        .int()
        .min(0)
        .max(1_000_000)
        .default(0)
        .meta({ description: 'For the first pages. For many pages use `cursor`, which stays fast.' }),
      cursor: z.string().max(200).optional(),
    }),
    replies: {
      200: json('A page of jobs.', JobList, { jobs: [JOB_EXAMPLE], total: 1, limit: 50, skip: 0, next_cursor: null }),
    },
    problems: ['invalid_params'],
    async handle(request) {
      const { status_filter, limit, skip } = request.query;
      const cursor = decodeCursor(LIST, request.query.cursor, /^\d{1,18}$/);
      const wanted = status_filter === undefined ? null : runStatus(status_filter);
      if (status_filter !== undefined && wanted === null) return { jobs: [], total: 0, limit, skip, next_cursor: null };
      const page = await within(
        store.listRuns({ kind: 'article', status: wanted, limit, skip, cursor, owner: request.sees }),
        READ_LIMIT_MS,
        'The database',
      );
      const next_cursor = page.nextCursor === null ? null : encodeCursor(LIST, page.nextCursor);
      return { jobs: page.runs.map(jobView), total: page.total, limit, skip, next_cursor };
    },
  });
}

const unknownJob = (id: string) => new AppError('unknown_id', `There is no job ${id.slice(0, 60)}.`);

async function findJob(store: ArticleRunDeps['store'], id: string, sees: string | null): Promise<Run> {
  // Checked here, so that only ids reach the store.
  const run = JOB_ID.test(id) ? await within(store.getRun(id), READ_LIMIT_MS, 'The database') : null;
  if (run?.kind !== 'article' || !maySee(sees, run)) throw unknownJob(id);
  return run;
}
