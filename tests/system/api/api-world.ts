// An API on a real database, with an orchestrator and a worker in the same process whose source makes its articles up: the path of an address says what
// becomes of it.
import { once } from 'node:events';
import { z } from 'zod';
import { type ApiOptions, createApi } from '../../../src/api/server.ts';
import { AppError } from '../../../src/model/errors.ts';
import type { BreakerPolicy } from '../../../src/model/source/breaker.ts';
import { RETRY_POLICY } from '../../../src/model/task/retry.ts';
import { retryWaits } from '../../../src/model/task/retry-table.ts';
import { createLog } from '../../../src/observe/log.ts';
import { createCountAccepted } from '../../../src/observe/metrics/accepted.ts';
import { createMetrics } from '../../../src/observe/metrics/api.ts';
import { createMetricRegistry } from '../../../src/observe/metrics/registry.ts';
import { createIntake } from '../../../src/orchestrator/intake/intake.ts';
import { createScheduler } from '../../../src/orchestrator/loops/schedule.ts';
import { type OrchestratorOptions, startOrchestrator } from '../../../src/orchestrator/orchestrator.ts';
import { defineSource } from '../../../src/sources/define.ts';
import { openStore } from '../../../src/store/store.ts';
import type { Web } from '../../../src/web/port.ts';
import { createMemoryWire } from '../../../src/wire/memory.ts';
import { runHere } from '../../../src/worker/run-source.ts';
import { startWorker, type WorkerOptions } from '../../../src/worker/worker.ts';
import { freshDatabase } from '../../support/own-servers.ts';

const NO_SITES = { all: () => [], check: () => null };
/** One kind of career page, which wants a board. */
const NO_CAREERS: ApiOptions['careers'] = {
  types: () => ['made-up'],
  problems: ({ board }) =>
    typeof board === 'string' ? [] : [{ pointer: '/scraping_config/board', detail: 'is missing' }],
  rows: async () => [],
  read: async () => [],
  detect: async (url) => ({ findings: [], looked: [{ url }], hints: [] }),
};

interface FakeWeb {
  signal: AbortSignal;
}

/** `/gone/…` is not found, `/hold/…` goes on until it is aborted, everything else is an article while the site is up and not throttling. */
const madeUp = (site: { isDown: boolean; isThrottling: boolean }) =>
  defineSource({
    name: 'article',
    title: 'Made up',
    kind: 'article',
    lane: 'http',
    hosts: [],
    pace: { concurrency: 1, delayMs: 0 },
    params: z.object({ url: z.string() }),
    async *scrape({ url }, web) {
      if (site.isDown) throw new AppError('network', 'connection refused');
      if (site.isThrottling) throw new AppError('rate_limited', '429 Too Many Requests', { retryAfterMs: 50 });
      if (url.includes('/gone/')) throw new AppError('not_found', '404 Not Found');
      if (url.includes('/hold/')) {
        const { signal } = web as unknown as FakeWeb;
        if (!signal.aborted) await once(signal, 'abort');
        throw new AppError('cancelled');
      }
      const nothing = { author: null, published_at: null, language: null, image: null };
      const markup = [{ kind: 'heading', from: 0, to: 4, level: 2 }];
      const details = url.includes('/marked/') ? { kind: 'article', modified_at: '2026-05-02', markup } : null;
      yield { url, title: `=Title of ${url}`, content: `Text of ${url}`, ...nothing, ...(details && { details }) };
    },
  });

export type ApiWorld = Awaited<ReturnType<typeof startApiWorld>>;

export async function startApiWorld(
  options: Partial<ApiOptions> & {
    isWithWorker?: boolean;
    databaseUrl?: string;
    statementTimeoutMs?: number;
    connectTimeoutMs?: number;
    breaker?: BreakerPolicy;
    orchestrator?: Partial<OrchestratorOptions>;
    worker?: Partial<WorkerOptions>;
  } = {},
) {
  const { isWithWorker = true, databaseUrl, statementTimeoutMs = 30_000, breaker, ...rest } = options;
  const { orchestrator: orchestratorOptions, worker: workerOptions, ...others } = rest;
  // Long, for a busy machine; a test of a store that is away asks for less.
  const { connectTimeoutMs = 30_000, ...apiOptions } = { probeLimitMs: 30_000, ...others };
  const database = databaseUrl ? null : await freshDatabase();
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: 'info', to: { write: (line) => void lines.push(JSON.parse(line)) } });
  const store = await openStore({
    connection: databaseUrl ?? database!.url,
    statementTimeoutMs,
    connectTimeoutMs,
  });
  const wire = createMemoryWire();
  const registry = createMetricRegistry({ version: 'test', isWithProcess: false });
  const intake = createIntake({
    store,
    wire,
    maxRetries: 3,
    taskTimeoutSeconds: 60,
    laneOf: () => 'http',
    onAccepted: createCountAccepted(registry),
  });
  const api = await createApi({
    store,
    wire,
    intake,
    log,
    metrics: createMetrics(registry),
    version: 'test',
    host: '127.0.0.1',
    catalogue: NO_SITES,
    careers: NO_CAREERS,
    sources: [
      {
        name: 'article',
        title: 'Made up',
        kind: 'article',
        lane: 'http',
        hosts: [],
        module: null,
        params: { type: 'object' },
        check: ({ url }) => (typeof url === 'string' ? [] : [{ pointer: '/url', detail: 'is missing' }]),
      },
    ],
    scheduler: createScheduler({
      store,
      intake,
      catalogue: NO_SITES,
      staleDays: 14,
      cleanup: { sessionDays: 90, positionDays: 0, batch: 100 },
      log: () => {},
    }),
    syncTimeoutSeconds: 5,
    resultTtlSeconds: 3_600,
    ...apiOptions,
  });
  const orchestrator = isWithWorker
    ? startOrchestrator({
        store,
        wire,
        leaseSeconds: 60,
        sweepSeconds: 5,
        maxWindow: 1_000,
        policy: { ...RETRY_POLICY, waits: retryWaits(['all=1s/3s/6s', 'retry_after=100ms']) },
        ...(breaker ? { breaker: { isGuarded: () => true, policy: breaker } } : {}),
        retention: { runDays: 30, deadLetterDays: 30, idempotencyHours: 24, articleDays: 0, batch: 1_000 },
        log: () => {},
        ...orchestratorOptions,
      })
    : null;
  const site = { isDown: false, isThrottling: false };
  const source = madeUp(site);
  const ledger = { requests: 0, bytes: 0, rateLimited: false, captchaEncountered: false, proxyUsed: null };
  const worker = isWithWorker
    ? startWorker({
        name: 'w1',
        wire,
        lanes: ['http'],
        slots: 20,
        runSource: runHere(() => source),
        webFor: (_source, signal) => ({ ledger, signal }) as unknown as Web,
        heartbeatMs: 500,
        version: 'test',
        log: () => {},
        ...workerOptions,
      })
    : null;
  const url = await api.listen({ port: 0 });

  return {
    api,
    url,
    store,
    wire,
    lines,
    site,
    async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const reply = await fetch(url + path, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await reply.text();
      const isJson =
        /json/.test(reply.headers.get('content-type') ?? '') && !/ndjson/.test(reply.headers.get('content-type') ?? '');
      // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
      return { status: reply.status, headers: reply.headers, text, body: (isJson ? JSON.parse(text) : null) as any };
    },
    async submit(paths: string[], more: object = {}): Promise<string> {
      const articles = paths.map((path) => ({ url: `https://example.com${path}` }));
      const { body, status } = await this.call('POST', '/jobs/submit', { articles, ...more });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.job_id;
    },
    async ended(jobId: string) {
      for (;;) {
        const { body } = await this.call('GET', `/jobs/${jobId}/status`);
        if (body.status !== 'IN_PROGRESS') return body;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async stop() {
      await api.close(1_000);
      await worker?.drain(0);
      await orchestrator?.stop();
      await wire.close();
      await store.close();
      await database?.drop();
    },
  };
}
