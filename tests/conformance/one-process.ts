// The engine in the process of the test: store, wire, orchestrator and workers as `windrow up` puts them together, on a database of its own.
import { setTimeout as sleep } from 'node:timers/promises';
import { crawlOptions, mapOptions } from '../../src/api/crawls/options.ts';
import { CrawlRequest, MapRequest } from '../../src/api/crawls/schemas.ts';
import { createWaitingRuns } from '../../src/api/runs/waiting.ts';
import type { RunUpdate } from '../../src/model/run/run.ts';
import { RETRY_POLICY } from '../../src/model/task/retry.ts';
import { retryWaits } from '../../src/model/task/retry-table.ts';
import type { PaceOfSites } from '../../src/orchestrator/dispatch/pace.ts';
import { createIntake } from '../../src/orchestrator/intake/intake.ts';
import { type Orchestrator, startOrchestrator } from '../../src/orchestrator/orchestrator.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { SOURCES } from '../../src/sources/built-in.ts';
import { openStore } from '../../src/store/store.ts';
import { createMemoryPace } from '../../src/web/pace/memory.ts';
import { createWeb } from '../../src/web/web.ts';
import type { Wire } from '../../src/wire/port.ts';
import { runHere } from '../../src/worker/run-source.ts';
import { startWorker, type Worker } from '../../src/worker/worker.ts';
import { openSql } from '../support/invariants.ts';
import { freshDatabase } from '../support/own-servers.ts';
import { TargetSite } from '../support/web/target.ts';
import { type Accepted, bookTurn, type World } from './world.ts';

/** Long, for a slow machine; a test in which leases run out by themselves asks for less. */
const LEASE_SECONDS = 20;
const MAX_RETRIES = 3;
/** The maze is asked as quickly as it answers. */
const CRAWL_PACE = { concurrency: 16, delayMs: 0 };

export interface OneProcessOptions {
  wire: Wire;
  /** What the test itself speaks over; the same one, unless the carrier allows several. */
  testWire?: Wire;
  orchestrators?: number;
  leaseSeconds?: number;
}

export async function openOneProcess(options: OneProcessOptions): Promise<World> {
  const { wire, leaseSeconds = LEASE_SECONDS } = options;
  const testWire = options.testWire ?? wire;
  const database = await freshDatabase();
  const [store, sql, target, sandbox] = await Promise.all([
    openStore({ connection: database.url, max: 12, connectTimeoutMs: 30_000 }),
    freshSql(database.url),
    TargetSite.start(),
    startSandbox({ logSize: 20_000 }),
  ]);
  const log: string[] = [];
  const say = (level: string, event: string, fields: object): void => {
    if (level !== 'debug' && level !== 'info') log.push(`${event} ${JSON.stringify(fields)}`);
  };
  const pace = createMemoryPace();
  const sites: PaceOfSites = {
    of: (name) => ({ pace: name === 'crawl' ? CRAWL_PACE : SOURCES.get(name)!.pace, host: null }),
    turns: pace.turns,
  };
  let orchestrators: Orchestrator[] = [];
  const startOrchestrators = (): void => {
    orchestrators = Array.from({ length: options.orchestrators ?? 1 }, () =>
      startOrchestrator({
        store,
        wire,
        sites,
        leaseSeconds,
        sweepSeconds: 1,
        maxWindow: 2_000,
        policy: { ...RETRY_POLICY, waits: retryWaits(['all=60ms']) },
        retention: { runDays: 30, deadLetterDays: 30, idempotencyHours: 24, articleDays: 0, batch: 1_000 },
        log: say,
      }),
    );
  };
  const stopOrchestrators = async (): Promise<void> => {
    await Promise.all(orchestrators.splice(0).map((one) => one.stop()));
  };
  startOrchestrators();
  const waitingRuns = createWaitingRuns({ store, sources: [], workers: () => testWire.workers(), sites });
  const intake = createIntake({
    store,
    wire,
    maxRetries: MAX_RETRIES,
    taskTimeoutSeconds: 60,
    laneOf: () => 'http',
    hostOf: (_source, { url }) => new URL(String(url)).hostname,
  });
  const hostMap = `*.maze.example=${sandbox.origin},*=${target.origin}`;
  const webs = createWeb({
    timeoutMs: 300_000,
    maxPaceWaitMs: 60_000,
    pace,
    hostMap,
    guard: { allow: ['127.0.0.1'] },
    paces: new Map([['crawl', CRAWL_PACE]]),
  });
  let workers: Worker[] = [];
  const stopWorkers = async (): Promise<void> => {
    await Promise.all(workers.splice(0).map((worker) => worker.drain(5_000)));
  };

  return {
    async submit(request, idempotencyKey): Promise<Accepted> {
      const bodyHash = JSON.stringify(request);
      const idempotency = idempotencyKey ? { scope: 'test', key: idempotencyKey, bodyHash } : null;
      return intake.submitArticles(request, { requestId: 'req-test', idempotency });
    },
    async cancel(runId) {
      const { run, removed } = await intake.cancelRun(runId);
      return { status: run.status, removed };
    },
    async status(runId) {
      const run = await store.getRun(runId);
      if (!run) throw new Error(`there is no run ${runId}`);
      return { status: run.status, total: run.total, completed: run.completed, failed: run.failed };
    },
    async results(runId) {
      const entries = await store.articleEntries({ runId, after: -1, limit: 1_000 });
      return {
        items: entries.flatMap(({ state, ref, article, cached }) =>
          state === 'done' ? [{ url: ref.url, title: article!.title, content: article!.content, cached }] : [],
        ),
        failures: entries.flatMap(({ state, ref, error, attempts }) =>
          state === 'failed' ? [{ url: ref.url, error: error!.message, attempts }] : [],
        ),
      };
    },
    async retryDeadLetters(taskIds) {
      const accepted = await intake.retryDeadLetters(taskIds, { requestId: null, idempotency: null });
      if (!accepted) throw new Error('none of these is a dead letter');
      return accepted;
    },
    crawl: async (request) =>
      intake.submitCrawl({ options: optionsOf(request), priority: 5 }, { requestId: 'req-test', idempotency: null }),
    cancelCrawl: async (runId) => void (await intake.cancelRun(runId)),
    async watch(runId) {
      const updates: RunUpdate[] = [];
      const close = testWire.onUpdates((batch) => updates.push(...batch.filter((one) => one.runId === runId)));
      return { updates, close };
    },
    async startWorkers() {
      workers = ['a', 'b'].map((name) =>
        startWorker({
          name,
          wire,
          lanes: ['http'],
          slots: 10,
          runSource: runHere((source) => SOURCES.get(source)),
          webFor: (source, signal) => webs.forAttempt({ signal, source: source.name }),
          heartbeatMs: 500,
          version: '0',
          log: say,
        }),
      );
    },
    stopWorkers,
    waiting: async (runId) => waitingRuns.of((await store.getRun(runId))!),
    holdSite: (host, ms) => bookTurn(pace, host, ms),
    stopOrchestrators,
    startOrchestrators: async () => startOrchestrators(),
    target,
    sandbox,
    wire: testWire,
    store,
    sql: sql.sql,
    leaseSeconds,
    maxRetries: MAX_RETRIES,
    async close() {
      await stopWorkers();
      await stopOrchestrators();
      await webs.close();
      await Promise.all([testWire.close(), wire.close(), target.close(), sandbox.close(), sql.close(), store.close()]);
      await database.drop();
    },
  };
}

const optionsOf = ({ mode, ...request }: Record<string, unknown>) =>
  mode === 'map' ? mapOptions(MapRequest.parse(request)) : crawlOptions(CrawlRequest.parse(request), 100_000);

/** The database was made a moment ago; its first connection may come before the server lets anyone in. */
async function freshSql(url: string) {
  for (let tries = 0; ; tries++) {
    try {
      return await openSql(url);
    } catch (error) {
      if (tries > 5) throw error;
      await sleep(100);
    }
  }
}
