// Job boards: search one site or several, follow the run, read the results, cancel. Even in sync mode a worker does the work; the request only waits.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { csvLine } from '../../model/csv.ts';
import { AppError, type FieldError } from '../../model/errors.ts';
import { maySee } from '../../model/key/key.ts';
import { POSTING_COLUMNS } from '../../model/posting/posting-columns.ts';
import type { Run } from '../../model/run/run.ts';
import { proxyErrors, proxyLabel } from '../../model/task/task-proxies.ts';
import { cached, within } from '../../observe/cached.ts';
import type { RunResultStore, RunStore } from '../../store/runs/run-store.ts';
import type { SourceHoldStore, SourceStore } from '../../store/sources/source-store.ts';
import type { Needs } from '../deps.ts';
import { startStream } from '../export/export.ts';
import { CSV, type Format, formatOf, NDJSON } from '../export/formats.ts';
import { contextOf } from '../http/intake-context.ts';
import { json, type Route, route } from '../http/route.ts';
import { decodeCursor, encodeCursor } from '../lists/cursor.ts';
import { waitingField } from '../runs/waiting.ts';
import { invalid } from '../validation/validators.ts';
import { checkReceiver } from '../webhooks/receiver-check.ts';
import {
  ACCEPTED_EXAMPLE,
  POSTING_EXAMPLE,
  RUN_EXAMPLES,
  SCRAPE_EXAMPLE,
  ScrapeAccepted,
  ScrapeRequest,
  ScrapeRun,
  SITES_EXAMPLE,
  Sites,
  SYNC_RESULTS_MAX,
} from './schemas.ts';
import { pauseErrors, siteName, unknownParams, unknownSite } from './site-params.ts';
import { healthOf, scrapeHead, taskIdOf } from './views.ts';

const RUN_ID = /^(manual|sched)_[0-9a-f]{8,32}$/;
const STORE_LIMIT_MS = 10_000;
const POSTINGS_LIST = 'postings';
const PAGE = 200;
const LIMIT_MAX = 1_000;
const POLL_MS = 150;
const RunParams = z.object({ run_id: z.string() });

type SearchDeps = Needs<
  RunStore & RunResultStore & Pick<SourceHoldStore, 'listHolds'> & Pick<SourceStore, 'sourceStats'>,
  'catalogue' | 'intake' | 'receivers' | 'metrics' | 'log' | 'syncTimeoutSeconds' | 'waiting' | 'health'
>;

export const scrapes = (deps: SearchDeps): Route[] => [sites(deps), scrape(deps), show(deps), cancel(deps)];

function sites({ catalogue, store }: SearchDeps): Route {
  const stats = cached({
    ask: () => Promise.all([store.sourceStats(60), store.listHolds()]),
    keepMs: 10_000,
    limitMs: STORE_LIMIT_MS,
    what: 'The database',
  });
  return route({
    method: 'GET',
    path: '/jobs/sites',
    operationId: 'listSites',
    scope: 'read',
    tag: 'Job boards',
    summary: 'List the sites that can be searched, with parameters and recent health',
    description: 'A paused site has `enabled: false`: its searches are accepted and wait.',
    replies: { 200: json('The sites.', Sites, SITES_EXAMPLE) },
    async handle() {
      const [counts, holds] = await stats();
      const known = new Map(counts.map((one) => [one.source, one]));
      const paused = new Set(holds.filter((hold) => hold.pausedAt !== null).map((hold) => hold.source));
      const all = catalogue
        .all()
        .map((site) => ({ ...site, enabled: !paused.has(site.name), health: healthOf(known.get(site.name)) }));
      return { status: 'success', data: { sites: all } };
    },
  });
}

function scrape(deps: SearchDeps): Route {
  return route({
    method: 'POST',
    path: '/jobs/scrape',
    operationId: 'scrapeSites',
    scope: 'submit',
    tag: 'Job boards',
    summary: 'Search one or several sites for postings',
    description:
      'Returns 202 at once. With `mode=sync` the response waits for the postings (at most 25). If the time limit is reached it is 202 too, and the run continues.',
    query: z.strictObject({ mode: z.enum(['async', 'sync']).default('async') }),
    body: ScrapeRequest,
    bodyExample: SCRAPE_EXAMPLE,
    replies: {
      200: json('Sync mode: the run has ended.', ScrapeAccepted, {
        status: 'success',
        data: {
          ...ACCEPTED_EXAMPLE.data,
          status: 'succeeded',
          execution_mode: 'sync',
          jobs_found: 1,
          jobs: [POSTING_EXAMPLE],
        },
      }),
      202: json('Accepted: the run is stored.', ScrapeAccepted, ACCEPTED_EXAMPLE),
    },
    problems: ['idempotency_key_reused'],
    isIdempotent: true,
    async handle(request, reply) {
      const { mode } = request.query;
      const { site_name, priority, proxies = [], webhook_url, ...params } = request.body;
      const names = [site_name].flat().map((name) => siteName(deps.catalogue, name));
      const sites = checkSites(deps, names, params, { mode, proxies });
      if (webhook_url !== undefined) await checkReceiver(deps, webhook_url, '/webhook_url');
      const accepted = await within(
        deps.intake.submitScrape(
          {
            sites,
            priority,
            trigger: 'manual',
            proxies,
            webhookUrl: webhook_url ?? null,
            options: { mode, ...params, ...(proxies.length > 0 ? { proxies: proxies.map(proxyLabel) } : {}) },
          },
          contextOf(request, 'POST /jobs/scrape'),
        ),
        STORE_LIMIT_MS,
        'The database',
      );
      if (accepted.replayed) reply.header('idempotent-replay', 'true');
      else
        deps.log.info('run.accepted', { run_id: accepted.runId, request_id: request.id, site_name: names.join(',') });
      if (mode === 'sync') return waitForRun(deps, accepted.runId, request, reply);
      reply.code(202).header('location', `/jobs/scrape/${accepted.runId}`).header('retry-after', '2');
      const data = {
        task_id: taskIdOf(accepted.runId),
        run_id: accepted.runId,
        status: 'queued',
        execution_mode: 'async',
      };
      return { status: 'success', data };
    },
  });
}

function checkSites(
  deps: SearchDeps,
  names: string[],
  params: Record<string, unknown>,
  { mode, proxies }: { mode: 'async' | 'sync'; proxies: string[] },
) {
  const errors: FieldError[] = proxyErrors(proxies);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) errors.push({ pointer: '/site_name', detail: `contains ${twice} twice` });
  if (mode === 'sync' && Number(params.results_wanted ?? 15) > SYNC_RESULTS_MAX) {
    errors.push({
      pointer: '/results_wanted',
      detail: `has to be at most ${SYNC_RESULTS_MAX} with mode=sync. Use mode=async for more`,
    });
  }
  errors.push(...unknownParams(deps.catalogue, names, params));
  errors.push(...pauseErrors(params.min_pause_seconds, params.max_pause_seconds));
  const checked = names.flatMap((name) => {
    const found = deps.catalogue.check(name, params);
    if (found !== null && 'params' in found) return [{ name, params: found.params }];
    errors.push(...(found?.errors ?? [unknownSite(deps.catalogue, name)]));
    return [];
  });
  // Several sites report the same error of a common parameter.
  const distinct = new Map(errors.map((error) => [`${error.pointer} ${error.detail}`, error]));
  if (distinct.size > 0) throw invalid([...distinct.values()], 'body');
  return checked;
}

async function waitForRun(
  deps: SearchDeps,
  id: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const until = performance.now() + deps.syncTimeoutSeconds * 1_000;
  // A caller who has closed the connection needs no response; the run continues. A process that stops answers now.
  while (performance.now() < until && !request.raw.socket.destroyed && !deps.health.isDraining) {
    const run = await findRun(deps, id, request.sees);
    if (run.status === 'running') {
      await sleep(POLL_MS);
      continue;
    }
    const found = await postings(deps, run, [-1, -1], SYNC_RESULTS_MAX * 20);
    const head = scrapeHead(run, await deps.store.siteTasks(id), 'sync');
    return { status: 'success', data: { ...head, jobs: found.jobs } };
  }
  reply.code(202).header('location', `/jobs/scrape/${id}`).header('retry-after', '2');
  return {
    status: 'success',
    data: { task_id: taskIdOf(id), run_id: id, status: 'running', execution_mode: 'sync' },
  };
}

function show(deps: SearchDeps): Route {
  return route({
    method: 'GET',
    path: '/jobs/scrape/:run_id',
    operationId: 'getScrape',
    scope: 'read',
    tag: 'Job boards',
    summary: 'Get the status and results of a search',
    description:
      'JSON in pages (`limit`, `cursor`), or all postings as one stream: `Accept: application/x-ndjson` (one JSON object per line) or `Accept: text/csv`.',
    params: RunParams,
    query: z.strictObject({
      limit: z
        .int()
        .min(1)
        .max(LIMIT_MAX)
        .optional()
        .meta({ description: `Postings per page. Default: ${PAGE} for JSON, all for streams.` }),
      cursor: z.string().max(200).optional(),
    }),
    replies: { 200: { description: 'The run.', schema: ScrapeRun, examples: RUN_EXAMPLES } },
    problems: ['unknown_id', 'invalid_params'],
    async handle(request, reply) {
      const run = await findRun(deps, request.params.run_id, request.sees);
      const cursor = decodeCursor(POSTINGS_LIST, request.query.cursor, /^\d{1,9},\d{1,9}$/);
      const after = (cursor?.split(',').map(Number) ?? [-1, -1]) as [number, number];
      const format = formatOf(request.headers.accept);
      reply.header('vary', 'accept');
      const { limit } = request.query;
      if (format !== 'json') {
        const lines = postingLines(deps, { run, format, after, limit: limit ?? Number.POSITIVE_INFINITY });
        const stream = await within(startStream(lines), STORE_LIMIT_MS, 'The database');
        if (format === 'csv') reply.header('content-disposition', `attachment; filename="${run.id}.csv"`);
        return reply.type(`${format === 'csv' ? CSV : NDJSON}; charset=utf-8`).send(stream);
      }
      const [sites, mode, found, stuck, waiting] = await within(
        Promise.all([
          deps.store.siteTasks(run.id),
          deps.store.scrapeMode(run.id),
          postings(deps, run, after, limit ?? PAGE),
          deps.waiting.bySource(),
          deps.waiting.of(run),
        ]),
        STORE_LIMIT_MS,
        'The database',
      );
      if (run.status === 'running') reply.header('retry-after', '2');
      return {
        status: 'success',
        data: {
          ...scrapeHead(run, sites, mode, stuck),
          ...waitingField(waiting),
          jobs: found.jobs,
          next_cursor: found.next,
        },
      };
    },
  });
}

function cancel({ intake, log }: SearchDeps): Route {
  return route({
    method: 'DELETE',
    path: '/jobs/scrape/:run_id',
    operationId: 'cancelScrape',
    scope: 'submit',
    tag: 'Job boards',
    summary: 'Cancel a search (postings found so far are kept)',
    params: RunParams,
    replies: {
      200: json(
        'The run is cancelled.',
        z.object({
          status: z.literal('success'),
          data: z.object({ run_id: z.string(), status: z.literal('cancelled'), removed_tasks: z.number().int() }),
        }),
        {
          status: 'success',
          data: { run_id: 'manual_a1b2c3d4', status: 'cancelled', removed_tasks: 1 },
        },
      ),
    },
    problems: ['unknown_id', 'not_cancellable'],
    async handle(request) {
      const id = request.params.run_id;
      if (!RUN_ID.test(id)) throw unknownRun(id);
      const { run, removed } = await within(intake.cancelRun(id, request.sees), STORE_LIMIT_MS, 'The database');
      log.info('run.cancelled', { run_id: run.id, request_id: request.id, status: run.status, removed });
      return { status: 'success', data: { run_id: run.id, status: 'cancelled', removed_tasks: removed } };
    },
  });
}

async function findRun({ store }: SearchDeps, id: string, sees: string | null): Promise<Run> {
  const run = RUN_ID.test(id) ? await within(store.getRun(id), STORE_LIMIT_MS, 'The database') : null;
  if (!run || !maySee(sees, run)) throw unknownRun(id);
  return run;
}

const unknownRun = (id: string): AppError => new AppError('unknown_id', `There is no run ${id.slice(0, 80)}.`);

async function postings({ store }: SearchDeps, run: Run, after: [number, number], limit: number) {
  const found = await store.runPostings({ runId: run.id, after, limit: limit + 1 });
  const page = found.slice(0, limit);
  const next = found.length > limit ? encodeCursor(POSTINGS_LIST, page.at(-1)!.at.join(',')) : null;
  return { jobs: page.map((entry) => entry.posting), next };
}

interface LinesRequest {
  run: Run;
  format: Exclude<Format, 'json'>;
  after: [number, number];
  limit: number;
}

async function* postingLines({ store }: SearchDeps, { run, format, ...from }: LinesRequest): AsyncGenerator<string> {
  let { after, limit: left } = from;
  let text = format === 'csv' ? csvLine(POSTING_COLUMNS) : '';
  for (;;) {
    const size = Math.min(PAGE, left);
    const found = await store.runPostings({ runId: run.id, after, limit: size });
    for (const { posting } of found) {
      text +=
        format === 'csv' ? csvLine(POSTING_COLUMNS.map((column) => posting[column])) : `${JSON.stringify(posting)}\n`;
    }
    yield text;
    left -= found.length;
    if (found.length < size || left === 0) return;
    text = '';
    after = found.at(-1)!.at;
  }
}
