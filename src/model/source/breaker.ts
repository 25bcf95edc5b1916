// The breaker of a source: when its site is in trouble, its tasks wait instead of failing one after the other. Pure: verdicts and times in, state out.
// closed ─ most of the last tasks met trouble ─▶ open ─ after a while ─▶ half open, one task as a probe ─ it got an answer ─▶ closed
//                                                 ▲───────────── it met trouble: for twice as long ─────────────┘
// What a reader would get wrong: a run must end, so patience has a limit. Past it the source is given up for a while: nothing is held back any more, tasks
// go once each and fail at once, until one of them gets an answer.
import type { ErrorCategory } from '../errors.ts';

export const BREAKER_STATES = ['closed', 'open', 'half_open', 'given_up'] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

export interface BreakerPolicy {
  /** Verdicts older than this say nothing about now. */
  windowMs: number;
  /** So many tasks are needed to say anything, and this share of the verdicts has to be trouble. */
  leastTasks: number;
  share: number;
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
  firstMs: 15_000,
  maxMs: 120_000,
  patience: 4,
  givenUpMs: 600_000,
  probeMs: 180_000,
};

/** Failures caused by the site, whatever was requested. A rate limit is not one: the pace handles it. */
const TROUBLE: ReadonlySet<ErrorCategory> = new Set(['timeout', 'network', 'http_5xx', 'blocked', 'captcha']);

/** Null: an attempt that went well. */
export const isTrouble = (category: ErrorCategory | null): boolean => category !== null && TROUBLE.has(category);

/** More than this many verdicts are not looked at; a busy source has that many in seconds. */
const VERDICTS_MAX = 50;

export interface Window {
  see(verdict: { taskId: string; isTrouble: boolean; atMs: number }): void;
  /** Whether what was seen lately is reason enough to open. */
  isTripped(nowMs: number): boolean;
}

export function createWindow(policy: BreakerPolicy): Window {
  let verdicts: { taskId: string; isTrouble: boolean; atMs: number }[] = [];
  return {
    see(verdict) {
      verdicts.push(verdict);
      if (verdicts.length > VERDICTS_MAX) verdicts.shift();
    },
    isTripped(nowMs) {
      verdicts = verdicts.filter((one) => nowMs - one.atMs <= policy.windowMs);
      const troubled = verdicts.filter((one) => one.isTrouble);
      // Several tries of one task are one voice: a single bad address must not stop a site.
      return (
        new Set(troubled.map((one) => one.taskId)).size >= policy.leastTasks &&
        troubled.length >= verdicts.length * policy.share
      );
    },
  };
}
