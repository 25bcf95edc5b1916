// The HTTP API from the configuration.
import { createApi } from '../../api/server.ts';
import { createMetrics } from '../../observe/metrics.ts';
import { createScheduler } from '../../orchestrator/schedule.ts';
import type { Store } from '../../store/store.ts';
import type { Wire } from '../../wire/port.ts';
import type { Role } from '../serve.ts';
import { windrowVersion } from '../version.ts';
import { careerCatalogue } from './careers.ts';
import { configuredIntake, schedulerOptions } from './intake.ts';
import { siteCatalogue } from './sites.ts';

const CLOSE_MS = 5_000;

/** Resolves with where it listens. */
export async function runApi(role: Role, store: Store, wire: Wire): Promise<string> {
  const { config, log, life } = role;
  const version = windrowVersion();
  const intake = configuredIntake(config, store, wire);
  const api = await createApi({
    store,
    wire,
    intake,
    scheduler: createScheduler(schedulerOptions(role, store, intake)),
    careers: careerCatalogue(role),
    catalogue: siteCatalogue(),
    syncTimeoutSeconds: config.syncTimeoutSeconds,
    resultTtlSeconds: config.resultTtlSeconds,
    log,
    metrics: createMetrics({ version }),
    version,
    host: config.host,
    apiKeys: config.apiKeys ?? [],
    rateLimitPerMinute: config.apiRateLimit,
    bodyLimitBytes: config.apiBodyLimitBytes,
    maxSockets: config.apiMaxSockets,
    ...(config.apiTrustProxy ? { trustProxy: [...config.apiTrustProxy] } : {}),
  });
  life.own('api', () => api.close(CLOSE_MS), CLOSE_MS * 2);
  return api.listen({ port: config.port });
}
