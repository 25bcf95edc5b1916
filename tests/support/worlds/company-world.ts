// Companies on the whole engine: a real database, orchestrators and a worker in this process, and the sandbox's replicas for a web. Retries that take
// minutes take milliseconds here; everything else is as `windrow up` puts it together.
import { setTimeout as sleep } from 'node:timers/promises';
import { createApi } from '../../../src/api/server.ts';
import { loadConfig } from '../../../src/cli/settings/load.ts';
import { careerCatalogue } from '../../../src/compose/careers.ts';
import { siteCatalogue } from '../../../src/compose/sites.ts';
import { RETRY_POLICY } from '../../../src/model/task/retry.ts';
import { retryWaits } from '../../../src/model/task/retry-table.ts';
import { createLog } from '../../../src/observe/log.ts';
import { createMetrics } from '../../../src/observe/metrics/api.ts';
import { createMetricRegistry } from '../../../src/observe/metrics/registry.ts';
import { createIntake } from '../../../src/orchestrator/intake/intake.ts';
import { createScheduler } from '../../../src/orchestrator/loops/schedule.ts';
import { startOrchestrator } from '../../../src/orchestrator/orchestrator.ts';
import { type SandboxOptions, startSandbox } from '../../../src/sandbox/server.ts';
import { NO_MODULES } from '../../../src/source-modules/load.ts';
import { createRegistry } from '../../../src/source-modules/registry.ts';
import { SOURCES } from '../../../src/sources/built-in.ts';
import type { Company } from '../../../src/store/companies/companies.ts';
import { openStore } from '../../../src/store/store.ts';
import { createWeb } from '../../../src/web/web.ts';
import { createMemoryWire } from '../../../src/wire/memory.ts';
import { runHere } from '../../../src/worker/run-source.ts';
import { startWorker } from '../../../src/worker/worker.ts';
import { openSql } from '../invariants.ts';
import { freshDatabase } from '../own-servers.ts';

export type CompanyWorld = Awaited<ReturnType<typeof openCompanyWorld>>;

const NO_CONTEXT = { requestId: null, idempotency: null };

export async function openCompanyWorld(
  options: SandboxOptions & { orchestrators?: number; slots?: number; companyWait?: string } = {},
) {
  const { orchestrators: count = 1, slots = 10, companyWait = '20ms', ...sandboxOptions } = options;
  const database = await freshDatabase();
  const store = await openStore({ connection: database.url, max: 12, connectTimeoutMs: 30_000 });
  const { sql, close: closeSql } = await openSql(database.url);
  const sandbox = await startSandbox(sandboxOptions);
  const webs = createWeb({ timeoutMs: 30_000, maxPaceWaitMs: 60_000, hostMap: `*=${sandbox.origin}` });
  const wire = createMemoryWire();
  const warnings: string[] = [];
  const log = (level: string, event: string, fields: object): void => {
    if (level === 'error' || event === 'orchestrator.error') warnings.push(`${event} ${JSON.stringify(fields)}`);
  };
  const orchestrators = Array.from({ length: count }, () =>
    startOrchestrator({
      store,
      wire,
      leaseSeconds: 60,
      sweepSeconds: 5,
      maxWindow: 1_000,
      policy: { ...RETRY_POLICY, waits: retryWaits(['all=20ms', `company=${companyWait}`]) },
      retention: { runDays: 30, deadLetterDays: 30, idempotencyHours: 24, articleDays: 0, batch: 1_000 },
      log,
    }),
  );
  const worker = startWorker({
    name: 'w1',
    wire,
    lanes: ['http'],
    slots,
    runSource: runHere((name) => SOURCES.get(name)),
    webFor: (source, signal) => webs.forAttempt({ signal, source: source.name }),
    heartbeatMs: 500,
    version: 'test',
    log: () => {},
  });
  const registry = createRegistry(NO_MODULES);
  const intake = createIntake({ store, wire, maxRetries: 3, taskTimeoutSeconds: 60, laneOf: () => 'http' });

  const schedulerOptions = {
    store,
    intake,
    catalogue: siteCatalogue(registry),
    staleDays: 14,
    cleanup: { sessionDays: 90, positionDays: 365, batch: 1_000 },
    log,
  };
  const owned: (() => unknown)[] = [];
  const api = await createApi({
    store,
    wire,
    intake,
    catalogue: siteCatalogue(registry),
    careers: careerCatalogue(
      {
        config: loadConfig({ flags: { webHostMap: `*=${sandbox.origin}` } }),
        life: { own: (_name: string, close: () => unknown) => void owned.push(close) } as never,
        modules: NO_MODULES,
      },
      registry,
    ),
    scheduler: createScheduler(schedulerOptions),
    syncTimeoutSeconds: 5,
    probeLimitMs: 30_000,
    resultTtlSeconds: 3_600,
    log: createLog({ level: 'silent', to: { write: () => {} } }),
    metrics: createMetrics(createMetricRegistry({ version: 'test', isWithProcess: false })),
    version: 'test',
    host: '127.0.0.1',
  });

  async function settled(runId: string, limitMs = 120_000): Promise<void> {
    const until = performance.now() + limitMs;
    for (;;) {
      const run = await store.getRun(runId);
      const waiting = await sql(`select 1 from windrow.sessions where run_id = $1 and status = 'running'`, [runId]);
      if (run?.status !== 'running' && waiting.length === 0) return;
      if (performance.now() > until) throw new Error(`${runId} has not settled: ${JSON.stringify(run)}`);
      await sleep(20);
    }
  }

  /** Waits until every new posting has been announced. */
  async function announced(limitMs = 120_000): Promise<void> {
    const until = performance.now() + limitMs;
    const left = `select 1 from windrow.postings where group_due union all select 1 from windrow.announcements limit 1`;
    while ((await sql(left)).length > 0) {
      if (performance.now() > until) throw new Error('new postings were not announced');
      await sleep(20);
    }
  }

  return {
    announced,
    databaseUrl: database.url,
    store,
    wire,
    intake,
    sandbox,
    webs,
    schedulerOptions,
    api,
    sql,
    warnings,
    settled,
    async company(name: string, scrapingConfig: Company['scrapingConfig']): Promise<Company> {
      await store.saveCompanies([{ name, website: null, active: true, scrapingConfig }]);
      return (await store.getCompany(name))!;
    },
    /** Scrapes, waits for the end, and returns the run's id. */
    async scrape(companies: Company[], incremental = false): Promise<string> {
      const { runId } = await intake.scrapeCompanies({ companies, incremental, trigger: 'manual' }, NO_CONTEXT);
      await settled(runId);
      return runId;
    },
    async close() {
      await api.close(1_000);
      for (const close of owned) await close();
      await worker.drain(0);
      await Promise.all(orchestrators.map((one) => one.stop()));
      await webs.close();
      await sandbox.close();
      await wire.close();
      await Promise.all([store.close(), closeSql()]);
      await database.drop();
    },
  };
}
