// Webhooks, the rules: which events there are, when a delivery is tried again, when a receiver is left alone. Pure: time and chance come in.
// A delivery may arrive twice and out of order; its event id is what a receiver goes by.

/** Every event that can be subscribed to. */
export const EVENT_TYPES = {
  'run.completed': 'A run has ended with results. `status` is `partial` if some of it failed.',
  'run.failed': 'A run has ended without results, or with too few.',
  'run.cancelled': 'A run was cancelled.',
  'postings.new': 'New postings, not seen by any scrape before.',
  'alert.matched': 'New postings that match the search of an alert.',
  'source.degraded': 'Too many tasks of a source fail.',
  'source.recovered': 'A source that was degraded has recovered.',
  'quality.suspect': 'What a run brought looks wrong next to the runs before it.',
} as const;

export type Subscribable = keyof typeof EVENT_TYPES;
/** The last one is sent on request, whether subscribed or not. */
export type EventType = Subscribable | 'webhook.test';

export const SUBSCRIBABLE = Object.keys(EVENT_TYPES) as [Subscribable, ...Subscribable[]];
/** Stands for all of them, those of later versions too. */
export const ALL_EVENTS = '*';

/** What a receiver gets, as the specification of Standard Webhooks has it. */
export const eventBody = (type: EventType, at: Date, data: Record<string, unknown>): string =>
  JSON.stringify({ type, timestamp: at.toISOString(), data });

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Before the second attempt, the third, and so on; the first comes at once. Together three days. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Later than planned by up to this share, so that what failed together does not come back together. */
const JITTER = 0.2;

/** Outcome of an attempt: a response, or why there was none. */
export type DeliveryAnswer = { status: number; retryAfterMs?: number | undefined } | { error: string };

export type DeliveryVerdict =
  | { state: 'delivered' }
  | { state: 'waiting'; delayMs: number; error: string }
  | { state: 'dead'; error: string; isGone: boolean }
  | { state: 'expired'; error: string };

export interface DeliveryTry {
  /** The first is 1. */
  attempt: number;
  answer: DeliveryAnswer;
  nowMs: number;
  expiresAtMs: number | null;
  random(): number;
}

const isSuccess = (answer: DeliveryAnswer): boolean =>
  'status' in answer && answer.status >= 200 && answer.status <= 299;

export function judgeDelivery({ attempt, answer, nowMs, expiresAtMs, random }: DeliveryTry): DeliveryVerdict {
  if (isSuccess(answer)) return { state: 'delivered' };
  const error = 'status' in answer ? sentenceOf(answer.status) : answer.error;
  if ('status' in answer && answer.status === 410) return { state: 'dead', error, isGone: true };
  const planned = RETRY_DELAYS_MS[attempt - 1];
  if (planned === undefined) return { state: 'dead', error, isGone: false };
  const asked = 'status' in answer ? (answer.retryAfterMs ?? 0) : 0;
  const delayMs = Math.round(Math.max(planned, asked) * (1 + JITTER * random()));
  if (expiresAtMs !== null && nowMs + delayMs >= expiresAtMs) return { state: 'expired', error };
  return { state: 'waiting', delayMs, error };
}

function sentenceOf(status: number): string {
  if (status >= 300 && status <= 399) return `answered ${status} (redirects are not followed)`;
  if (status === 410) return 'answered 410 (webhook disabled)';
  return `answered ${status}`;
}

/** From so many failures in a row a receiver is left alone, and then tried with one delivery at a time. */
export const BREAKER_FAILURES = 5;
const BREAKER_FIRST_MS = 30 * SECOND_MS;
const BREAKER_LAST_MS = 15 * MINUTE_MS;

/** How a receiver stands after an attempt; `restMs`: nothing is sent to it for that long. */
export function receiverAfter(
  failures: number,
  answer: DeliveryAnswer,
  random: () => number,
): { failures: number; restMs: number } {
  if (isSuccess(answer)) return { failures: 0, restMs: 0 };
  const now = failures + 1;
  const asked = 'status' in answer ? (answer.retryAfterMs ?? 0) : 0;
  const over = now - BREAKER_FAILURES;
  // Chance in both directions: the delivery waits anyway.
  const own = over < 0 ? 0 : Math.min(BREAKER_FIRST_MS * 2 ** over, BREAKER_LAST_MS) * (0.8 + 0.4 * random());
  return { failures: now, restMs: Math.round(Math.max(asked, own)) };
}

/** `whsec_` and the base64 of 24 to 64 bytes. */
export function isSecret(text: string): boolean {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === base64;
}
