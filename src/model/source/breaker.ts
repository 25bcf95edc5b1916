// The breaker of a source: when its site is in trouble, its tasks wait instead of failing one after the other. Pure: verdicts and times in, state out.
// closed ─ most of the last tasks met trouble ─▶ open ─ after a while ─▶ half open, one task as a probe ─ it got an answer ─▶ closed
//                                                 ▲───────────── it met trouble: for twice as long ─────────────┘
// What a reader would get wrong: a run must end, so patience has a limit. Past it the source is given up for a while: nothing is held back any more, tasks
// go once each and fail at once, until one of them gets an answer.

import type { TaskError } from '../task/messages.ts';
import { isOutage } from '../task/outage.ts';

export const BREAKER_STATES = ['closed', 'open', 'half_open', 'given_up'] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

export interface BreakerPolicy {
  /** Verdicts older than this say nothing about now. */
  windowMs: number;
  /** So many tasks are needed to say anything, and this share of the verdicts has to be trouble. */
  leastTasks: number;
  share: number;
  /** The same for rate limits alone (429). The pace asks a site that answers so ever less often, so they come slowly: fewer of them say as much. */
  throttled: { windowMs: number; leastTasks: number; share: number };
  /** The first time it is open; doubles up to `maxMs`. */
  firstMs: number;
  maxMs: number;
  /** Times in a row that it holds tasks back. */
  patience: number;
  /** How long nothing is held back and nothing tried twice, before it is closed and all begins anew. */
  givenUpMs: number;
  /** After this time without a result of the probe another one is sent. */
  probeMs: number;
}

/** All in all some four minutes: 15 s, 30 s, 1 min, 2 min. */
export const BREAKER: BreakerPolicy = {
  windowMs: 120_000,
  leastTasks: 10,
  share: 0.6,
  throttled: { windowMs: 600_000, leastTasks: 5, share: 0.9 },
  firstMs: 15_000,
  maxMs: 120_000,
  patience: 4,
  givenUpMs: 600_000,
  probeMs: 180_000,
};

/** Failures caused by the site, whatever was requested. */
const TROUBLE: ReadonlySet<string> = new Set(['timeout', 'network', 'http_5xx', 'rate_limited', 'blocked', 'captcha']);

/** What the end of an attempt says about its site. */
export interface Verdict {
  taskId: string;
  /** What went wrong, for people; null: the site answered. */
  trouble: string | null;
  isThrottled: boolean;
}

/** Null: it says nothing, since the site was not asked. */
export function verdictOf(taskId: string, error: TaskError | null): Verdict | null {
  if (error === null) return { taskId, trouble: null, isThrottled: false };
  if (error.code === 'paced' || isOutage(error) || error.code === 'unknown_source') return null;
  const trouble = TROUBLE.has(error.category) ? error.message || error.category : null;
  return { taskId, trouble, isThrottled: error.category === 'rate_limited' };
}

/** More than this many verdicts of a source are not looked at; a busy one has that many in seconds. */
export const VERDICTS_MAX = 50;

/** Why it should open, by what was seen lately; null: there is no reason. The latest verdict comes first. */
export function reasonToOpen(verdicts: readonly (Verdict & { ageMs: number })[], policy: BreakerPolicy): string | null {
  const isReason = (rule: BreakerPolicy['throttled'], isMeant: (verdict: Verdict) => boolean): boolean => {
    const recent = verdicts.filter(({ ageMs }) => ageMs <= rule.windowMs);
    const meant = recent.filter(isMeant);
    // Several tries of one task are one voice: a single bad address must not stop a site.
    return (
      new Set(meant.map(({ taskId }) => taskId)).size >= rule.leastTasks && meant.length >= recent.length * rule.share
    );
  };
  const isTripped =
    isReason(policy, ({ trouble }) => trouble !== null) || isReason(policy.throttled, ({ isThrottled }) => isThrottled);
  return isTripped ? (verdicts.find(({ trouble }) => trouble !== null)?.trouble ?? null) : null;
}
