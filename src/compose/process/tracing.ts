// Traces of a process, if they are on. Off costs nothing: the packages are not even loaded.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tracing } from '../../model/trace/trace.ts';
import type { Role } from './role.ts';
import { windrowVersion } from './version.ts';

/** For the last spans, also where the collector is away. */
const CLOSE_MS = 3_000;
const PROTOCOLS = new Set(['', 'http/protobuf']);

export async function openTracing({
  config,
  log,
  life,
  name,
}: Pick<Role, 'config' | 'log' | 'life' | 'name'>): Promise<Tracing | null> {
  if (config.tracesExporter === 'none') return null;
  const protocol = process.env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? process.env.OTEL_EXPORTER_OTLP_PROTOCOL ?? '';
  if (!PROTOCOLS.has(protocol)) log.warn('traces.protocol', { protocol, used: 'http/protobuf' });
  const { openTelemetry } = await import('../../observe/trace/open-telemetry.ts');
  const tracing = openTelemetry({
    service: { name: 'windrow', version: windrowVersion(), instance: name },
    // The variable for traces alone wins, and the exporter reads it.
    endpoint: process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ? undefined : config.otlpEndpoint,
    sampler: config.tracesSampler,
    ratio: config.tracesSamplerArg,
    onUnsent: (error) => log.warn('traces.unsent', { error }),
    onSentAgain: (lost) => log.info('traces.sent_again', { lost }),
  });
  // Its limit is no failure: what a collector that is away does not take is lost anyway.
  life.own('traces', () => Promise.race([tracing.close(), sleep(CLOSE_MS, undefined, { ref: false })]));
  log.info('traces.on', { sampler: config.tracesSampler });
  return tracing;
}
