// A worker from the configuration. It needs the wire and nothing else: no database, no credentials for one.
import { findSource } from '../../sources/find.ts';
import type { Attempt } from '../../web/web.ts';
import type { Wire } from '../../wire/port.ts';
import { startWorker } from '../../worker/worker.ts';
import type { Role } from '../serve.ts';
import { windrowVersion } from '../version.ts';
import { openWeb } from './web.ts';

/** Beyond the grace itself, for sending what is left. */
const SEND_MS = 5_000;

export async function runWorker(role: Role, wire: Wire): Promise<void> {
  const { config, log, life, name } = role;
  const webs = await openWeb(role);
  const worker = startWorker({
    name,
    wire,
    lanes: [...config.workerLanes],
    slots: config.workerConcurrency,
    sourceOf: findSource,
    webFor: (source, signal, task) =>
      webs.forAttempt({
        signal,
        source: source.name,
        pace: source.pace,
        runId: task.run_id,
        taskId: task.task_id,
        ...(source.policy === undefined ? {} : { policy: source.policy }),
        ...fromParams(task.params),
      }),
    heartbeatMs: config.heartbeatSeconds * 1_000,
    version: windrowVersion(),
    log: (level, event, fields) => log[level](event, { ...fields }),
  });
  const graceMs = config.shutdownGraceSeconds * 1_000;
  life.own('worker', () => worker.drain(graceMs), graceMs + SEND_MS);
}

/** What a task says about how the web is to be met: the contract has a proxy and a user agent in its parameters. */
function fromParams(params: Record<string, unknown>): Pick<Attempt, 'proxy' | 'userAgent' | 'locality'> {
  const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
  const [proxy, userAgent, locality] = [text(params.proxy), text(params.user_agent), text(params.zipcode)];
  return { ...(proxy && { proxy }), ...(userAgent && { userAgent }), ...(locality && { locality }) };
}
