// An orchestrator from the configuration, and the scheduler that goes with it.
import { join, resolve } from 'node:path';
import { qualityRules } from '../model/quality/rules.ts';
import { RETRY_POLICY } from '../model/task/retry.ts';
import { retryWaits } from '../model/task/retry-table.ts';
import { createOrchestratorMetrics } from '../observe/metrics/orchestrator.ts';
import { startScheduler } from '../orchestrator/loops/schedule.ts';
import { startOrchestrator } from '../orchestrator/orchestrator.ts';
import { startWebhooks } from '../orchestrator/webhooks/webhooks.ts';
import { createRegistry } from '../source-modules/registry.ts';
import type { Store } from '../store/store.ts';
import type { PaceReader } from '../web/pace/pace.ts';
import type { Wire } from '../wire/port.ts';
import { configuredIntake, schedulerOptions } from './intake.ts';
import { paceOfSites } from './pace.ts';
import type { Role } from './process/role.ts';
import { receiverSecret, receiverWeb } from './receivers.ts';
import { evidenceFiles, evidenceLimits } from './store.ts';

const TRIM_BATCH = 1_000;
const FLUSH_MS = 3_000;

export function runOrchestrator(role: Role, store: Store, wire: Wire, pace: PaceReader): void {
  const { config, log, life, name } = role;
  const say = (level: 'debug' | 'info' | 'warn' | 'error', event: string, fields: object) =>
    log[level](event, { ...fields });
  const registry = createRegistry(role.modules);
  const receivers = receiverWeb(role);
  const counts = createOrchestratorMetrics(role.metrics);
  const webhooks = startWebhooks({
    store,
    onLoopFailed: counts.loopFailed,
    send: (request) => receivers.deliver(request),
    secret: receiverSecret(config, store),
    trace: role.trace ?? null,
    log: say,
  });
  const orchestrator = startOrchestrator({
    name,
    store,
    wire,
    leaseSeconds: config.leaseSeconds,
    sweepSeconds: config.sweepSeconds,
    maxWindow: config.dispatchWindow,
    sites: paceOfSites(config, registry, pace),
    policy: { ...RETRY_POLICY, waits: retryWaits(config.retryWaits ?? []) },
    alertFiles: {
      folder: resolve(config.alertFolder ?? join(config.home, 'alerts')),
      maxBytes: config.alertFileMaxBytes,
    },
    retention: {
      runDays: config.runRetentionDays,
      deadLetterDays: config.deadLetterRetentionDays,
      idempotencyHours: config.idempotencyHours,
      articleDays: config.articleRetentionDays,
      postingDays: config.postingRetentionDays,
      priceDays: config.priceRetentionDays,
      alertDays: config.alertRetentionDays,
      cartSeconds: config.resultTtlSeconds,
      deliveryDays: config.webhookRetentionDays,
      batch: TRIM_BATCH,
    },
    evidence: { limits: evidenceLimits(config), files: evidenceFiles(config) },
    rulesOf: qualityRules(config.qualityRules ?? []),
    breaker: { isGuarded: (source) => (registry.get(source)?.hosts.length ?? 0) > 0 },
    log: say,
    onRunEnded: () => webhooks.wake(),
    counts,
    trace: role.trace ?? null,
  });
  const scheduler = startScheduler({
    ...schedulerOptions(role, registry, store, configuredIntake(role, registry, store, wire)),
    name,
  });
  life.own('orchestrator', async () => {
    await scheduler.stop();
    // What workers have already reported is recorded before the wire goes, or it would have to be scraped again.
    if (!config.redisUrl) await untilRecorded(wire);
    await orchestrator.stop();
    await webhooks.stop();
  });
}

async function untilRecorded(wire: Wire): Promise<void> {
  const until = performance.now() + FLUSH_MS;
  while ((await wire.backlog()) > 0 && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 20));
}
