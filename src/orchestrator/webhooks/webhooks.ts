// Webhook loops of an orchestrator: deliver pending events, and notice when a source degrades or recovers.
import { type Tracing, traceField } from '../../model/trace/trace.ts';
import type { SourceStore } from '../../store/sources/source-store.ts';
import type { DeliveryOutcome } from '../../store/webhooks/deliveries.ts';
import type { DeliveryStore } from '../../store/webhooks/webhook-store.ts';
import type { Loop } from '../loops/loop.ts';
import { startLoops } from '../loops/run-loops.ts';
import { createDeliver, type Send } from './deliver.ts';

export interface WebhooksOptions {
  store: DeliveryStore & Pick<SourceStore, 'tellSources'>;
  send: Send;
  secret(): Promise<string>;
  random?(): number;
  timeoutMs?: number;
  trace?: Tracing | null;
  /** A step failed, and is tried again. */
  onLoopFailed?(loop: string): void;
  log(level: 'debug' | 'info' | 'warn' | 'error', event: string, fields: object): void;
}

/** Thousands of runs may end in a second, mostly without a webhook, so this limits how often we look. */
const WAKE_MS = 100;
const WAITING_MAX = 10_000;
const SOURCES_MINUTES = 15;

export function startWebhooks(options: WebhooksOptions): Loop {
  const { store, send, secret, random = Math.random, timeoutMs, trace = null, log } = options;
  const onError = (loop: string, error: unknown): void => {
    options.onLoopFailed?.(loop);
    log('warn', 'orchestrator.error', { loop, error: error instanceof Error ? error.message : String(error) });
  };
  const deliver = createDeliver({
    store,
    send,
    secret,
    random,
    trace,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    onError,
    onOutcome: (outcome) => logOutcome(log, outcome),
  });

  async function sweep(): Promise<void> {
    const swept = await store.sweepDeliveries({ waitingMax: WAITING_MAX });
    if (swept.expired + swept.dropped > 0) log('info', 'webhooks.swept', swept);
  }

  async function watchSources(): Promise<void> {
    for (const { source, state, done, failed } of await store.tellSources({ minutes: SOURCES_MINUTES }))
      log('warn', state === 'ok' ? 'source.recovered' : 'source.degraded', { source, done, failed });
  }

  const loops = startLoops(
    [
      { name: 'deliver', every: 1_000, step: deliver.step, wakes: ['deliver'], atEnd: deliver.finish },
      { name: 'sweep-deliveries', every: 10_000, step: sweep },
      { name: 'watch-sources', every: 60_000, step: watchSources },
    ],
    onError,
  );
  let waking: NodeJS.Timeout | undefined;
  return {
    wake() {
      waking ??= setTimeout(() => {
        waking = undefined;
        loops.wake('deliver');
      }, WAKE_MS);
    },
    async stop() {
      clearTimeout(waking);
      await loops.stop();
    },
  };
}

/** Only the origin: the path of a receiver URL is often a secret. */
function logOutcome(log: WebhooksOptions['log'], { delivery, answer, verdict }: DeliveryOutcome): void {
  const isFine = verdict.state === 'delivered';
  log(isFine ? 'info' : 'warn', isFine ? 'webhook.delivered' : 'webhook.failed', {
    event_id: delivery.eventId,
    type: delivery.type,
    webhook: delivery.webhookId,
    receiver: delivery.url === null ? null : new URL(delivery.url).origin,
    attempt: delivery.attempt,
    request_id: delivery.requestId,
    ...traceField(delivery.traceparent),
    ...('status' in answer ? { status: answer.status } : {}),
    ...('error' in verdict ? { error: verdict.error, state: verdict.state } : {}),
    ...('delayMs' in verdict ? { retry_in_seconds: Math.round(verdict.delayMs / 1_000) } : {}),
  });
}
