// Carts on the whole engine: an API on a real database, an orchestrator and a worker in this process, and the sandbox's Google Shopping for a web. What an
// item is called says what becomes of it: `held …` waits until the test lets go, `gone …` is a page that is not there,
// `doubted …` is asked whether it is a person, everything else is found.
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiOptions, createApi } from '../../../src/api/server.ts';
import { RETRY_POLICY } from '../../../src/model/task/retry.ts';
import { retryWaits } from '../../../src/model/task/retry-table.ts';
import { createLog } from '../../../src/observe/log.ts';
import { createMetrics } from '../../../src/observe/metrics/api.ts';
import { createMetricRegistry } from '../../../src/observe/metrics/registry.ts';
import { createIntake } from '../../../src/orchestrator/intake/intake.ts';
import { createScheduler } from '../../../src/orchestrator/loops/schedule.ts';
import { startOrchestrator } from '../../../src/orchestrator/orchestrator.ts';
import type { Replica } from '../../../src/sandbox/replica.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { google } from '../../../src/sandbox/shopping/google.ts';
import { SOURCES } from '../../../src/sources/built-in.ts';
import { openStore } from '../../../src/store/store.ts';
import { createWeb } from '../../../src/web/web.ts';
import { createMemoryWire } from '../../../src/wire/memory.ts';
import { runHere } from '../../../src/worker/run-source.ts';
import { startWorker } from '../../../src/worker/worker.ts';
import { openSql } from '../invariants.ts';
import { freshDatabase } from '../own-servers.ts';

export interface CartWorldOptions {
  freshSeconds?: number;
  slots?: number;
  /** How long the shop takes for each answer. */
  answerMs?: number;
  api?: Partial<ApiOptions>;
}

const DOUBT =
  '<form id="captcha-form"></form><div>Our systems have detected unusual traffic from your computer network.</div>';

export type CartWorld = Awaited<ReturnType<typeof openCartWorld>>;

export async function openCartWorld({ freshSeconds = 900, slots = 10, answerMs = 0, api }: CartWorldOptions = {}) {
  const database = await freshDatabase();
  const store = await openStore({ connection: database.url, connectTimeoutMs: 30_000 });
  const { sql, close: closeSql } = await openSql(database.url);
  let gate = Promise.withResolvers<void>();
  const shop: Replica = {
    ...google,
    async handle(request) {
      const asked = request.query.get('q') ?? '';
      if (asked.startsWith('gone')) return undefined;
      if (asked.startsWith('doubted')) return { status: 429, type: 'text/html', body: DOUBT };
      if (asked.startsWith('held')) await gate.promise;
      if (answerMs > 0) await sleep(answerMs);
      return google.handle(request);
    },
  };
  const sandbox = await startSandbox({ replicas: [shop] });
  const webs = createWeb({ timeoutMs: 30_000, hostMap: `*=${sandbox.origin}`, robots: 'off' });
  const wire = createMemoryWire();
  const metrics = createMetrics(createMetricRegistry({ version: 'test', isWithProcess: false }));
  const intake = createIntake({
    store,
    wire,
    maxRetries: 1,
    taskTimeoutSeconds: 60,
    laneOf: () => 'http',
    cart: { source: 'google-shopping', freshSeconds },
  });
  const catalogue = { all: () => [], check: () => null };
  const cleanup = { sessionDays: 90, positionDays: 0, batch: 100 };
  const orchestrator = startOrchestrator({
    store,
    wire,
    leaseSeconds: 60,
    sweepSeconds: 5,
    maxWindow: 1_000,
    policy: { ...RETRY_POLICY, waits: retryWaits(['all=20ms']) },
    retention: { runDays: 30, deadLetterDays: 30, idempotencyHours: 24, articleDays: 0, batch: 1_000 },
    log: () => {},
  });
  const worker = startWorker({
    name: 'w1',
    wire,
    lanes: ['http'],
    slots,
    runSource: runHere((name) => SOURCES.get(name)),
    webFor: (source, signal, task) =>
      webs.forAttempt({ signal, source: source.name, locality: String(task.params.zipcode) }),
    heartbeatMs: 500,
    version: 'test',
    log: () => {},
  });
  // The API then knows from its first look on that somebody works.
  while ((await store.countOrchestrators()) === 0) await sleep(10);
  const server = await createApi({
    store,
    wire,
    intake,
    log: createLog({ level: 'error', to: { write: () => {} } }),
    metrics,
    version: 'test',
    host: '127.0.0.1',
    catalogue,
    careers: {
      types: () => [],
      problems: () => [],
      rows: async () => [],
      read: async () => [],
      detect: async () => ({ findings: [], looked: [], hints: [] }),
    },
    scheduler: createScheduler({ store, intake, catalogue, staleDays: 14, cleanup, log: () => {} }),
    syncTimeoutSeconds: 5,
    probeLimitMs: 30_000,
    resultTtlSeconds: 3_600,
    ...api,
  });
  const url = await server.listen({ port: 0 });

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const reply = await fetch(url + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(90_000),
    });
    const text = await reply.text();
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    return { status: reply.status, headers: reply.headers, text, body: (text === '' ? null : JSON.parse(text)) as any };
  }

  return {
    url,
    store,
    sandbox,
    metrics,
    sql,
    call,
    /** How often the shop was asked for an item. */
    hits: (item: string) =>
      sandbox.log('www.google.com').filter(({ path }) => {
        const asked = new URL(path, 'http://x').searchParams.get('q') ?? '';
        return asked === item || asked.startsWith(`${item} near zip`);
      }).length,
    /** Lets every `held …` item through, now and from now on until `hold`. */
    letGo: () => gate.resolve(),
    hold: () => {
      gate = Promise.withResolvers<void>();
    },
    async submit(items: string[], zipcode = '10001', more: object = {}): Promise<string> {
      const { status, body } = await call('POST', '/cart', { items, zipcode, ...more });
      if (status !== 202) throw new Error(JSON.stringify(body));
      return body.job_id;
    },
    async until(id: string, isSo: (answer: { status: string; [field: string]: unknown }) => boolean) {
      const end = performance.now() + 120_000;
      for (;;) {
        const answer = await call('GET', `/results/${id}`);
        if (isSo(answer.body)) return answer;
        if (performance.now() > end) throw new Error(`${id} stays ${answer.text.slice(0, 300)}`);
        await sleep(20);
      }
    },
    async done(id: string) {
      return this.until(id, ({ status }) => status !== 'queued' && status !== 'processing');
    },
    async [Symbol.asyncDispose]() {
      await this.close();
    },
    async close() {
      gate.resolve();
      await server.close(1_000);
      await worker.drain(0);
      await orchestrator.stop();
      await webs.close();
      await sandbox.close();
      await wire.close();
      await Promise.all([store.close(), closeSql()]);
      await database.drop();
    },
  };
}
