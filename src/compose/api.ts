// The HTTP API from the configuration.
import { createApi } from '../api/server.ts';
import type { Config } from '../config.ts';
import { createMetrics } from '../observe/metrics/api.ts';
import type { MetricSet } from '../observe/metrics/registry.ts';
import { createScheduler } from '../orchestrator/loops/schedule.ts';
import { createRegistry, type SourceRegistry } from '../source-modules/registry.ts';
import { limitStore } from '../store/limits.ts';
import type { Store } from '../store/store.ts';
import type { PaceReader } from '../web/pace/pace.ts';
import { perSecond } from '../web/pace/pace.ts';
import type { Wire } from '../wire/port.ts';
import { careerCatalogue } from './careers.ts';
import { diskProbe } from './disk.ts';
import { configuredIntake, laneOf, schedulerOptions } from './intake.ts';
import { connectionsOf, hintsOf, readLimits } from './limits.ts';
import { paceOfSites } from './pace.ts';
import type { Role } from './process/role.ts';
import { windrowVersion } from './process/version.ts';
import { sharedRateCounts } from './rate-limit.ts';
import { configuredReceivers } from './receivers.ts';
import { settingTopics } from './settings/shown-settings.ts';
import { aboutSources, siteCatalogue } from './sites.ts';
import { evidenceFiles, openReads } from './store.ts';
import { exitsOf, webOptions } from './web.ts';

/** Beyond the grace: for what is closed after the last request. */
const CLOSE_MS = 5_000;

/** How long an API process takes to leave, at most. */
export const apiStopMs = ({ apiDrainSeconds, shutdownGraceSeconds }: Config): number =>
  (apiDrainSeconds + shutdownGraceSeconds) * 1_000 + CLOSE_MS;

export interface ApiRoom {
  /** What workers agree on, to tell people when it is a site's turn. */
  pace: PaceReader;
  /** Listens where others may listen too. */
  sharesPort?: boolean;
  /** The file descriptor of a socket that is open already. */
  socket?: number | null;
  peers?: MetricPeers;
}

/** The API processes on one port. */
export interface MetricPeers {
  /** Lets the others ask for the metrics of this process. */
  serve(own: () => Promise<MetricSet>): void;
  /** Of all of them. */
  all(): Promise<MetricSet[]>;
}

/** Resolves with where it listens. */
export async function runApi(
  role: Role,
  shared: Store,
  wire: Wire,
  { pace, sharesPort = false, socket = null, peers }: ApiRoom,
): Promise<string> {
  const { config, log, life } = role;
  const store = limitStore(shared, { limitMs: config.databaseAnswerMs });
  const reads = await openReads(role, store);
  const version = windrowVersion();
  const limits = await readLimits();
  for (const hint of hintsOf(limits)) log.warn('api.limits', { ...limits, hint });
  const registry = createRegistry(role.modules);
  const metrics = createMetrics(role.metrics);
  peers?.serve(() => metrics.registry.getMetricsAsJSON());
  const intake = configuredIntake(role, registry, store, wire);
  const api = await createApi({
    store,
    wire,
    disk: diskProbe(config, store),
    ...(reads ? { reads } : {}),
    intake,
    scheduler: createScheduler(schedulerOptions(role, registry, store, intake)),
    careers: careerCatalogue(role, registry),
    receivers: configuredReceivers(role, store),
    catalogue: siteCatalogue(registry),
    sources: aboutSources(registry, laneOf(config, registry)),
    moduleProblems: registry.problems,
    cartSource: config.cartSource,
    isSandbox: (config.webHostMap ?? []).some((rule) => rule.startsWith('*=')),
    sites: paceOfSites(config, registry, pace),
    syncTimeoutSeconds: config.syncTimeoutSeconds,
    resultTtlSeconds: config.resultTtlSeconds,
    cartSearchesPerSecond: cartSearchesPerSecond(config, registry),
    maxAlerts: config.alertsMax,
    crawlMaxPages: config.crawlMaxPages,
    evidenceFiles: evidenceFiles(config),
    log,
    metrics,
    trace: role.trace ?? null,
    ...(peers ? { metricsOfAll: peers.all } : {}),
    version,
    settings: settingTopics(config),
    host: config.host,
    apiKeys: config.apiKeys ?? [],
    rateLimitPerMinute: config.apiRateLimit,
    ...(config.apiAddressRateLimit === undefined ? {} : { addressLimitPerMinute: config.apiAddressRateLimit }),
    rateCounts: await sharedRateCounts(role),
    bodyLimitBytes: config.apiBodyLimitBytes,
    maxSockets: config.apiMaxSockets,
    maxConnections: connectionsOf(limits),
    drainMs: config.apiDrainSeconds * 1_000,
    ...(config.apiTrustProxy ? { trustProxy: [...config.apiTrustProxy] } : {}),
  });
  // At once, whatever else is stopped first.
  life.signal.addEventListener('abort', () => api.drain(), { once: true });
  life.own('api', () => api.close(config.shutdownGraceSeconds * 1_000), apiStopMs(config));
  return api.listen({ port: config.port, sharesPort, socket });
}

/** Carts mostly wait for the rate limit of the shop. */
function cartSearchesPerSecond(config: Config, registry: SourceRegistry): number | null {
  const pace = webOptions(config).paces?.get(config.cartSource) ?? registry.get(config.cartSource)?.pace;
  const perExit = pace ? perSecond(pace) : null;
  return perExit === null ? null : perExit * exitsOf(config);
}
