// Crawls: start one, follow it, read its pages, cancel it. A map of a site is the same run without reading the pages, and its answer mostly comes at once.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { TEXT_FORMATS } from '../../model/article/text-format.ts';
import { csvLine } from '../../model/csv.ts';
import { AppError } from '../../model/errors.ts';
import { maySee } from '../../model/key/key.ts';
import { isFinal, type Run } from '../../model/run/run.ts';
import { within } from '../../observe/cached.ts';
import { type Crawl, PAGE_STATES, type PageState } from '../../store/crawls/crawl-pages.ts';
import type { CrawlStore } from '../../store/crawls/crawl-store.ts';
import type { RunStore } from '../../store/runs/run-store.ts';
import type { Needs } from '../deps.ts';
import { startStream } from '../export/export.ts';
import { CSV, formatOf, NDJSON } from '../export/formats.ts';
import { contextOf } from '../http/intake-context.ts';
import { json, type Route, route } from '../http/route.ts';
import { decodeCursor, encodeCursor } from '../lists/cursor.ts';
import { checkReceiver } from '../webhooks/receiver-check.ts';
import { crawlOptions, mapOptions } from './options.ts';
import {
  CRAWL_ACCEPTED_EXAMPLE,
  CRAWL_PAGE_EXAMPLE,
  CRAWL_REQUEST_EXAMPLE,
  CRAWL_STATUS_EXAMPLE,
  CrawlAccepted,
  CrawlPages,
  CrawlRequest,
  CrawlStatus,
  MAP_REQUEST_EXAMPLE,
  MapRequest,
  SITE_MAP_EXAMPLE,
  SiteMap,
} from './schemas.ts';
import { crawlView, mapView, pageView } from './views.ts';

const RUN_ID = { crawl: /^crawl_[0-9a-f]{16}$/, map: /^map_[0-9a-f]{16}$/ };
type Mode = keyof typeof RUN_ID;
const SUBMIT_LIMIT_MS = 10_000;
const READ_LIMIT_MS = 5_000;
const POLL_MS = 150;
const PAGES_LIST = 'crawl-pages';
const MAP_LIST = 'map';
/** Read at once: each with its whole text. */
const CHUNK = 100;
const MAP_PAGE = 10_000;
const RunParams = z.object({ run_id: z.string() });

type CrawlDeps = Needs<RunStore & CrawlStore, 'intake' | 'receivers' | 'log' | 'waiting' | 'health' | 'crawlMaxPages'>;

export const crawls = (deps: CrawlDeps): Route[] => [
  start(deps),
  status(deps),
  pages(deps),
  cancel(deps),
  map(deps),
  mapStatus(deps),
];

function start(deps: CrawlDeps): Route {
  return route({
    method: 'POST',
    path: '/crawl',
    operationId: 'startCrawl',
    scope: 'submit',
    tag: 'Crawls',
    summary: 'Crawl a site: follow its links and sitemaps, and scrape the articles',
    description:
      'Answered once the crawl is stored. It reads pages of one host, as fast as robots.txt and the pace of the source allow, the shallowest first.',
    body: CrawlRequest,
    bodyExample: CRAWL_REQUEST_EXAMPLE,
    replies: { 202: json('Accepted: the crawl is stored.', CrawlAccepted, CRAWL_ACCEPTED_EXAMPLE) },
    problems: ['idempotency_key_reused'],
    isIdempotent: true,
    async handle(request, reply) {
      const { webhook_url: webhookUrl, priority } = request.body;
      const options = crawlOptions(request.body, deps.crawlMaxPages);
      if (webhookUrl !== undefined) await checkReceiver(deps, webhookUrl, '/webhook_url');
      const accepted = await within(
        deps.intake.submitCrawl(
          { options, priority, webhookUrl: webhookUrl ?? null },
          contextOf(request, 'POST /crawl'),
        ),
        SUBMIT_LIMIT_MS,
        'The database',
      );
      const { runId } = accepted;
      if (accepted.replayed) reply.header('idempotent-replay', 'true');
      else deps.log.info('run.accepted', { run_id: runId, request_id: request.id, kind: 'crawl', url: options.url });
      reply.code(202).header('location', `/crawl/${runId}`);
      return {
        run_id: runId,
        status: accepted.status,
        url: options.url,
        limit: options.limit,
        pages_path: `/crawl/${runId}/pages`,
      };
    },
  });
}

function status({ store, waiting }: CrawlDeps): Route {
  return route({
    method: 'GET',
    path: '/crawl/:run_id',
    operationId: 'getCrawl',
    scope: 'read',
    tag: 'Crawls',
    summary: 'Get how far a crawl is, and what it left out',
    params: RunParams,
    replies: { 200: json('The crawl.', CrawlStatus, CRAWL_STATUS_EXAMPLE) },
    problems: ['unknown_id'],
    async handle(request) {
      const { run, crawl } = await find(store, 'crawl', request.params.run_id, request.sees);
      return crawlView(run, crawl, await waiting.of(run), Date.now());
    },
  });
}

/** What `status` asks for, as states of pages. */
const SHOWN: Record<string, readonly PageState[]> = {
  read: ['done', 'failed'],
  open: ['waiting', 'queued'],
  all: PAGE_STATES,
  ...Object.fromEntries(PAGE_STATES.map((state) => [state, [state]])),
};

function pages({ store }: CrawlDeps): Route {
  return route({
    method: 'GET',
    path: '/crawl/:run_id/pages',
    operationId: 'getCrawlPages',
    scope: 'read',
    tag: 'Crawls',
    summary: 'Get the pages of a crawl, with their articles',
    description:
      'In the order in which they were found. JSON in pages (`limit`, `cursor`), or all of them as one stream: `Accept: application/x-ndjson` or `Accept: text/csv`.',
    params: RunParams,
    query: z.strictObject({
      limit: z.int().min(1).max(1_000).optional().meta({ description: 'Default: 100 for JSON, all for a stream.' }),
      cursor: z.string().max(200).optional(),
      status: z
        .enum(Object.keys(SHOWN) as [string, ...string[]])
        .default('read')
        .meta({
          description:
            '`read`: done and failed; `open`: waiting and queued; `left_out`: URLs that were not made pages.',
        }),
      search: z.string().max(200).optional().meta({ description: 'Only URLs that contain this text.' }),
      content: z.enum(['0', '1']).default('1').meta({ description: '0: without the articles.' }),
      format: z
        .enum(TEXT_FORMATS)
        .default('markdown')
        .meta({ description: 'What the text of articles is written in.' }),
    }),
    replies: {
      200: {
        description: 'Pages.',
        schema: CrawlPages,
        examples: {
          'application/json': { pages: [CRAWL_PAGE_EXAMPLE], next_cursor: null },
          [NDJSON]: `${JSON.stringify(CRAWL_PAGE_EXAMPLE)}\n`,
        },
      },
    },
    problems: ['unknown_id', 'invalid_params'],
    async handle(request, reply) {
      const { limit, cursor, status: asked, search = null, content, format } = request.query;
      const { run } = await find(store, 'crawl', request.params.run_id, request.sees);
      const kind = formatOf(request.headers.accept);
      const read = (after: number, most: number) =>
        within(
          store.crawlPages({
            runId: run.id,
            states: SHOWN[asked]!,
            search,
            after,
            limit: most,
            withArticles: content === '1',
          }),
          READ_LIMIT_MS,
          'The database',
        );
      let after = Number(decodeCursor(PAGES_LIST, cursor, /^\d{1,9}$/) ?? -1);
      reply.header('vary', 'accept');
      if (kind === 'json') {
        const size = limit ?? 100;
        const found = await read(after, size + 1);
        const page = found.slice(0, size);
        const next = found.length > size ? encodeCursor(PAGES_LIST, String(page.at(-1)!.pos)) : null;
        return { pages: page.map((one) => pageView(one, format)), next_cursor: next };
      }
      async function* lines(): AsyncGenerator<string> {
        const lineOf = kind === 'csv' ? csvOf : ndjsonOf;
        if (kind === 'csv') yield csvLine(CSV_COLUMNS);
        for (let left = limit ?? Number.POSITIVE_INFINITY; left > 0; ) {
          const size = Math.min(CHUNK, left);
          const found = await read(after, size);
          if (found.length > 0) yield found.map((one) => lineOf(pageView(one, format))).join('');
          if (found.length < size) return;
          after = found.at(-1)!.pos;
          left -= found.length;
        }
      }
      const stream = await within(startStream(lines()), READ_LIMIT_MS, 'The database');
      if (kind === 'csv') reply.header('content-disposition', `attachment; filename="${run.id}.csv"`);
      return reply.type(`${kind === 'csv' ? CSV : NDJSON}; charset=utf-8`).send(stream);
    },
  });
}

type PageView = ReturnType<typeof pageView>;
const ndjsonOf = (page: PageView): string => `${JSON.stringify(page)}\n`;
const CSV_COLUMNS = [
  'url',
  'depth',
  'found_on',
  'state',
  'outcome',
  'left_out',
  'http_status',
  'title',
  'redirect_to',
  'error',
  'author',
  'published_at',
  'language',
  'content',
];
const csvOf = ({ article, ...page }: PageView): string => {
  const row: Record<string, unknown> = { ...page, ...article, title: article?.title ?? page.title, url: page.url };
  return csvLine(CSV_COLUMNS.map((column) => row[column] ?? null));
};

function cancel({ store, intake, log }: CrawlDeps): Route {
  return route({
    method: 'DELETE',
    path: '/crawl/:run_id',
    operationId: 'cancelCrawl',
    scope: 'submit',
    tag: 'Crawls',
    summary: 'Cancel a crawl (what it has read is kept)',
    description: 'No further request is made for it. Pages under way are aborted.',
    params: RunParams,
    replies: { 200: json('The crawl is cancelled.', CrawlStatus, { ...CRAWL_STATUS_EXAMPLE, status: 'cancelled' }) },
    problems: ['unknown_id', 'not_cancellable'],
    async handle(request) {
      const { run_id: id } = request.params;
      const { sees } = request;
      await find(store, 'crawl', id, sees);
      const { run, removed } = await within(intake.cancelRun(id, sees), SUBMIT_LIMIT_MS, 'The database');
      log.info('run.cancelled', { run_id: id, request_id: request.id, status: run.status, removed });
      const { crawl } = await find(store, 'crawl', id, sees);
      return crawlView(run, crawl, null, Date.now());
    },
  });
}

function map(deps: CrawlDeps): Route {
  const { store, intake, log } = deps;
  return route({
    method: 'POST',
    path: '/map',
    operationId: 'mapSite',
    scope: 'submit',
    tag: 'Crawls',
    summary: 'List the URLs of a site, from its first page and its sitemaps',
    description:
      'Waits for the list, and answers 202 with the run where that takes longer than `wait_seconds`: then GET /map/{run_id}.',
    body: MapRequest,
    bodyExample: MAP_REQUEST_EXAMPLE,
    replies: {
      200: json('The URLs.', SiteMap, SITE_MAP_EXAMPLE),
      202: json('Not ready yet.', SiteMap, { ...SITE_MAP_EXAMPLE, status: 'running', urls: [] }),
    },
    problems: ['idempotency_key_reused'],
    isIdempotent: true,
    async handle(request, reply) {
      const { priority, search = null, wait_seconds: waitSeconds } = request.body;
      const options = mapOptions(request.body);
      const { runId, replayed } = await within(
        intake.submitCrawl({ options, priority }, contextOf(request, 'POST /map')),
        SUBMIT_LIMIT_MS,
        'The database',
      );
      if (replayed) reply.header('idempotent-replay', 'true');
      else log.info('run.accepted', { run_id: runId, request_id: request.id, kind: 'map', url: options.url });
      reply.header('location', `/map/${runId}`);
      const until = performance.now() + waitSeconds * 1_000;
      for (;;) {
        const { run } = await find(store, 'map', runId, request.sees);
        const hasEnded = isFinal(run.status);
        if (hasEnded || performance.now() >= until || request.raw.socket.destroyed || deps.health.isDraining) {
          reply.code(hasEnded ? 200 : 202);
          return listed(store, runId, { search, after: -1, limit: MAP_PAGE, sees: request.sees });
        }
        await sleep(POLL_MS);
      }
    },
  });
}

function mapStatus({ store }: CrawlDeps): Route {
  return route({
    method: 'GET',
    path: '/map/:run_id',
    operationId: 'getMap',
    scope: 'read',
    tag: 'Crawls',
    summary: 'Get the URLs that a map has found',
    params: RunParams,
    query: z.strictObject({
      limit: z.int().min(1).max(MAP_PAGE).default(1_000),
      cursor: z.string().max(200).optional(),
      search: z.string().max(200).optional().meta({ description: 'Only URLs that contain this text.' }),
    }),
    replies: { 200: json('The URLs.', SiteMap, SITE_MAP_EXAMPLE) },
    problems: ['unknown_id', 'invalid_params'],
    handle(request) {
      const { limit, cursor, search = null } = request.query;
      const after = Number(decodeCursor(MAP_LIST, cursor, /^\d{1,9}$/) ?? -1);
      return listed(store, request.params.run_id, { search, after, limit, sees: request.sees });
    },
  });
}

async function listed(
  store: CrawlDeps['store'],
  runId: string,
  { search, after, limit, sees }: { search: string | null; after: number; limit: number; sees: string | null },
) {
  const { run, crawl } = await find(store, 'map', runId, sees);
  const states = ['done', 'failed', 'listed'] as const;
  const found = await within(
    store.crawlPages({ runId, states, search, after, limit: limit + 1, withArticles: false }),
    READ_LIMIT_MS,
    'The database',
  );
  const page = found.slice(0, limit);
  const next = found.length > limit ? encodeCursor(MAP_LIST, String(page.at(-1)!.pos)) : null;
  return mapView(run, crawl, page, next);
}

/** Somebody else's is answered as one that does not exist. */
async function find(
  store: CrawlDeps['store'],
  mode: Mode,
  id: string,
  sees: string | null,
): Promise<{ run: Run; crawl: Crawl }> {
  // Checked here, so that only ids reach the store.
  if (RUN_ID[mode].test(id)) {
    const [run, crawl] = await within(
      Promise.all([store.getRun(id), store.getCrawl(id)]),
      READ_LIMIT_MS,
      'The database',
    );
    if (run !== null && crawl !== null && maySee(sees, run)) return { run, crawl };
  }
  throw new AppError('unknown_id', `There is no ${mode} ${id.slice(0, 60)}.`);
}
