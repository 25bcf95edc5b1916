// The HTTP API from the configuration.
import { createApi } from '../../api/server.ts';
import type { Config } from '../../config.ts';
import { createMetrics } from '../../observe/metrics.ts';
import { createIntake } from '../../orchestrator/intake.ts';
import { SOURCES } from '../../sources/index.ts';
import type { Store } from '../../store/store.ts';
import type { Wire } from '../../wire/port.ts';
import type { Role } from '../serve.ts';
import { windrowVersion } from '../version.ts';
import { siteCatalogue } from './sites.ts';

const CLOSE_MS = 5_000;

/** Resolves with where it listens. */
export async function runApi({ config, log, life }: Role, store: Store, wire: Wire): Promise<string> {
  const version = windrowVersion();
  const api = await createApi({
    store,
    wire,
    intake: createIntake({
      store,
      wire,
      maxRetries: config.maxRetryAttempts,
      taskTimeoutSeconds: config.taskTimeoutSeconds,
      laneOf: laneOf(config),
      cart: { source: config.cartSource, freshSeconds: config.cartFreshSeconds },
    }),
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

/** The lane that configuration gives a source, else the source's own. */
function laneOf(config: Config): (source: string) => string {
  const given = new Map((config.sourceLanes ?? []).map((entry) => entry.split('=') as [string, string]));
  return (source) => given.get(source) ?? SOURCES.get(source)?.lane ?? 'http';
}
