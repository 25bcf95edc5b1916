// A worker from the configuration. It needs the wire and nothing else: no database, no credentials for one.
import type { Config } from '../../config.ts';
import { SOURCES } from '../../sources/index.ts';
import { createWeb, type WebOptions } from '../../web/web.ts';
import type { Wire } from '../../wire/port.ts';
import { startWorker } from '../../worker/worker.ts';
import type { Role } from '../serve.ts';
import { windrowVersion } from '../version.ts';

/** Beyond the grace itself, for sending what is left. */
const SEND_MS = 5_000;

export function runWorker({ config, log, life, name }: Role, wire: Wire, hostMap?: string): void {
  const webs = createWeb(webOptions(config, hostMap));
  life.own('web', () => webs.close());
  const worker = startWorker({
    name,
    wire,
    lanes: [...config.workerLanes],
    slots: config.workerConcurrency,
    sourceOf: (source) => SOURCES.get(source),
    webFor: (source, signal) => webs.forAttempt({ signal, source: source.name }),
    heartbeatMs: config.heartbeatSeconds * 1_000,
    version: windrowVersion(),
    log: (level, event, fields) => log[level](event, { ...fields }),
  });
  const graceMs = config.shutdownGraceSeconds * 1_000;
  life.own('worker', () => worker.drain(graceMs), graceMs + SEND_MS);
}

export function webOptions(config: Config, hostMap = config.webHostMap?.join(',')): WebOptions {
  return {
    timeoutMs: config.scrapeTimeoutSeconds * 1_000,
    maxBytes: config.webMaxBytes,
    ...(hostMap ? { hostMap } : {}),
    ...(config.webUserAgent ? { userAgent: config.webUserAgent } : {}),
    guard: { allow: [...(config.webAllowPrivate ?? [])], ports: (config.webPorts ?? []).map(Number) },
  };
}
