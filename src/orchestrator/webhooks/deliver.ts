// Delivers webhooks: claims due deliveries, signs them, sends them, stores the outcome. Any number of instances may run. Receivers that answered the last
// time have separate slots, which receivers that hang cannot take.
import { asAppError } from '../../model/errors.ts';
import type { Tracing } from '../../model/trace/trace.ts';
import { type DeliveryAnswer, judgeDelivery } from '../../model/webhook/webhook.ts';
import { groupCommit } from '../../store/postgres/group-commit.ts';
import type { ClaimedDelivery, DeliveryOutcome } from '../../store/webhooks/deliveries.ts';
import type { DeliveryStore } from '../../store/webhooks/webhook-store.ts';
import type { Step } from '../loops/run-loops.ts';
import { signedHeaders } from './sign.ts';

/** One guarded POST that follows no redirect; resolves for any status. */
export type Send = (request: {
  url: string;
  body: string;
  headers: Record<string, string>;
  timeoutMs: number;
  signal: AbortSignal;
}) => Promise<{ status: number; retryAfterMs: number | undefined }>;

export interface DeliverOptions {
  store: Omit<DeliveryStore, 'sweepDeliveries'>;
  send: Send;
  /** For the webhook_url of runs; webhooks have their own secrets. */
  secret(): Promise<string>;
  random(): number;
  /** For one attempt, the answer included. */
  timeoutMs?: number;
  trace?: Tracing | null;
  onError(loop: string, error: unknown): void;
  onOutcome(outcome: DeliveryOutcome): void;
}

export interface Deliver {
  /** Claims as many as there are slots and begins to send them; wakes itself when one has ended. */
  step: Step;
  /** Waits a moment for running attempts, then returns the others to the queue. */
  finish(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
/** Much longer than an attempt: an instance that holds a delivery this long has crashed. */
const LEASE_SECONDS = 30;
/** Sockets are cheap; a thousand receivers that hang, each for ten seconds, are through in less than two minutes. */
const SLOTS = { proven: 128, others: 128 };
/** Time for running attempts at a stop. */
const GRACE_MS = 2_000;

export function createDeliver(options: DeliverOptions): Deliver {
  const { store, send, random, onError, trace = null, timeoutMs = TIMEOUT_MS } = options;
  const inHand = new Map<ClaimedDelivery, Promise<void>>();
  const stopping = new AbortController();

  const keepOutcome = groupCommit<DeliveryOutcome, void>({
    async commit(batch) {
      await store.finishDeliveries(batch, random);
      return batch.map(() => undefined);
    },
    maxWeight: 200,
    inFlight: 1,
    maxWaiting: SLOTS.proven + SLOTS.others,
  });

  async function attempt(delivery: ClaimedDelivery): Promise<void> {
    const answer = await (trace ? askTraced(trace, delivery) : ask(delivery));
    // Aborted by our own stop: not a failure of the receiver, and `stop` returns it to the queue.
    if (answer === null) return;
    const { attempt: number, expiresAt, url } = delivery;
    const verdict =
      url === null
        ? ({ state: 'dead', error: 'the webhook is disabled', isGone: false } as const)
        : judgeDelivery({
            attempt: number,
            answer,
            nowMs: Date.now(),
            expiresAtMs: expiresAt?.getTime() ?? null,
            random,
          });
    const outcome = { delivery, answer, verdict };
    // If this fails, the delivery is sent again when its lease is over: it may arrive twice, with the same event id.
    await keepOutcome(outcome).catch((error) => onError('deliver', error));
    inHand.delete(delivery);
    options.onOutcome(outcome);
  }

  async function askTraced(tracing: Tracing, delivery: ClaimedDelivery): Promise<DeliveryAnswer | null> {
    const { url, type, eventId, attempt: number, traceparent: parent } = delivery;
    const span = tracing.begin({
      name: 'POST',
      kind: 'client',
      parent,
      attributes: {
        'http.request.method': 'POST',
        // The path of a receiver is often a secret.
        'server.address': url === null ? undefined : new URL(url).hostname,
        'http.request.resend_count': number > 1 ? number - 1 : undefined,
        'windrow.event.id': eventId,
        'windrow.event.type': type,
      },
    });
    const answer = await ask(delivery, span.traceparent);
    if (answer === null) span.end({ error: 'cancelled' });
    else if ('error' in answer) span.end({ error: 'unreachable', message: answer.error });
    else
      span.end({
        attributes: { 'http.response.status_code': answer.status },
        ...(answer.status >= 400 && { error: String(answer.status) }),
      });
    return answer;
  }

  async function ask(
    { url, eventId, body, secrets, requestId }: ClaimedDelivery,
    traceparent?: string,
  ): Promise<DeliveryAnswer | null> {
    if (url === null) return { error: 'the webhook is disabled' };
    try {
      const keys = secrets.length > 0 ? secrets : [await options.secret()];
      const headers = {
        'content-type': 'application/json',
        ...signedHeaders(keys, { id: eventId, at: new Date(), body }),
        ...(requestId ? { 'x-request-id': requestId } : {}),
        ...(traceparent ? { traceparent } : {}),
      };
      return await send({ url, body, headers, timeoutMs, signal: stopping.signal });
    } catch (thrown) {
      if (stopping.signal.aborted) return null;
      return { error: asAppError(thrown).message };
    }
  }

  return {
    async step(signal, wake) {
      const held = [...inHand.keys()];
      const provenBusy = held.filter((one) => one.isProven).length;
      const proven = SLOTS.proven - provenBusy;
      const others = SLOTS.others - (held.length - provenBusy);
      if (proven + others <= 0 || signal.aborted) return;
      const counts = Map.groupBy(held, (one) => one.receiver);
      const busy = new Map([...counts].map(([receiver, ofIt]) => [receiver, ofIt.length]));
      const claimed = await store.claimDeliveries({
        proven,
        others,
        busy,
        leaseSeconds: LEASE_SECONDS,
      });
      for (const delivery of claimed) {
        const done = attempt(delivery).finally(() => wake());
        inHand.set(delivery, done);
      }
    },
    async finish() {
      const grace = setTimeout(() => stopping.abort(), GRACE_MS);
      await Promise.all(inHand.values());
      clearTimeout(grace);
      // If this fails too, the lease runs out.
      await store.returnDeliveries([...inHand.keys()]);
    },
  };
}
