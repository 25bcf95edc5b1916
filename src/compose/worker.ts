// A worker from the configuration. It needs the wire and nothing else: no database, no credentials for one.

import { extname } from 'node:path';
import { AppError } from '../model/errors.ts';
import type { EvidenceReport } from '../model/evidence/evidence.ts';
import { lanesWith } from '../model/source/own-lane.ts';
import type { WebTotals } from '../model/task/messages.ts';
import { createWorkerMetrics } from '../observe/metrics/worker.ts';
import { rarely } from '../observe/rarely.ts';
import { NO_BROWSER } from '../web/browser/find-browser.ts';
import type { LedgerTotals } from '../web/ledger.ts';
import type { PaceStore } from '../web/pace/pace.ts';
import type { Wire } from '../wire/port.ts';
import { createEvidence } from '../worker/evidence.ts';
import { createIsolation } from '../worker/isolation.ts';
import { startWorker } from '../worker/worker.ts';
import { attemptFor } from './attempt.ts';
import type { Role } from './process/role.ts';
import { windrowVersion } from './process/version.ts';
import { openReading } from './reading/reading.ts';
import { hasBrowser, openWeb } from './web.ts';

/** `.ts` in a clone, `.js` in a package. */
const SUSPECTS = new URL(`./process/suspect-process${extname(import.meta.url)}`, import.meta.url);
/** After the grace period, for sending the last results. */
const SEND_MS = 5_000;

export async function runWorker(role: Role, wire: Wire, pace: PaceStore): Promise<void> {
  const { config, log, life, name } = role;
  const metrics = createWorkerMetrics(role.metrics);
  const webs = await openWeb(role, pace, metrics);
  const reading = openReading(config, role.modules);
  life.own('reading', () => reading.close());
  const lanes = await workableLanes(role);
  const own = role.modules.sources.map(({ source }) => source.name);
  const webTotals = () => Object.fromEntries([...webs.totals()].map(([source, totals]) => [source, totalsOf(totals)]));
  const sendEvidence = (one: EvidenceReport) => wire.sendEvidence(one);
  const say = rarely((_event, error, before) =>
    log.warn('evidence.failed', { worker: name, error: String(error), ...before }),
  );
  const onEvidenceError = (error: unknown) => say('evidence.failed', error);
  const evidence =
    config.evidenceStore === 'off' ? undefined : createEvidence({ send: sendEvidence, onError: onEvidenceError });
  const worker = startWorker({
    name,
    wire,
    lanes: lanesWith(lanes, own),
    ownSources: own,
    slots: config.workerConcurrency,
    runSource: reading.run,
    webFor: (...of) => webs.forAttempt(attemptFor(...of)),
    webTotals,
    counts: metrics,
    trace: role.trace ?? null,
    isOnlyHere: (source) => role.modules.isHandedOver === true && own.includes(source),
    isolation: createIsolation({
      script: SUSPECTS,
      setting: config,
      onEvidence: (one) => void sendEvidence(one).catch(onEvidenceError),
    }),
    ...(evidence && { evidence }),
    heartbeatMs: config.heartbeatSeconds * 1_000,
    version: windrowVersion(),
    log: (level, event, fields) => log[level](event, { ...fields }),
  });
  metrics.read({
    busy: () => worker.busy,
    unsent: () => worker.unsent,
    web: webTotals,
    proxies: () => webs.proxies(),
  });
  const graceMs = config.shutdownGraceSeconds * 1_000;
  life.own('worker', () => worker.drain(graceMs), graceMs + SEND_MS);
}

/** Those that this worker can work: tasks that need a browser wait for a worker that has one. */
async function workableLanes({ config, log, name }: Role): Promise<readonly string[]> {
  const lanes = config.workerLanes;
  if (!lanes.includes('browser') || (await hasBrowser(config))) return lanes;
  const others = lanes.filter((lane) => lane !== 'browser');
  if (others.length === 0)
    throw new AppError('invalid_config', `This worker has only the lane browser, and ${NO_BROWSER}.`);
  log.warn('worker.no_browser', { worker: name, reason: NO_BROWSER });
  return others;
}

function totalsOf({ browserMs, proxyRequests, ...counts }: LedgerTotals): WebTotals {
  return { ...counts, proxy_requests: proxyRequests, browser_seconds: browserMs / 1_000 };
}
