// The metrics of a process, and where a process without an API serves them: `METRICS_PORT`.
import { createMetricRegistry, type MetricRegistry } from '../../observe/metrics/registry.ts';
import { type StatusServerOptions, startStatusServer } from '../../observe/status-server.ts';
import type { Role } from './role.ts';
import { windrowVersion } from './version.ts';

export const processMetrics = (options: { isWithProcess?: boolean } = {}): MetricRegistry =>
  createMetricRegistry({ version: windrowVersion(), ...options });

/** Nothing without METRICS_PORT. Started before the role itself, so that a process that waits for its servers can be asked. */
export async function serveStatus(
  { config, log, life, metrics }: Role,
  health: StatusServerOptions['health'],
): Promise<void> {
  if (config.metricsPort === 0) return;
  life.signal.addEventListener('abort', () => health.drain(), { once: true });
  const server = await startStatusServer({
    registry: metrics,
    health,
    host: config.metricsHost,
    port: config.metricsPort,
  });
  life.own('metrics', () => server.close());
  log.info('metrics.listening', { url: server.url });
}
