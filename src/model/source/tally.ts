// Counters of a source: attempts and their outcomes, durations, requests, items.

import { ITEMS_FIELD, KINDS } from '../item/item.ts';
import { countFilled } from '../item/item-quality.ts';
import { isPaced, type Result, type TaskError } from '../task/messages.ts';
import { isOutage } from '../task/outage.ts';

export interface Tally {
  done: number;
  /** Attempts that another one followed. */
  retried: number;
  /** Attempts after which the task was given up. */
  failed: number;
  /** Of all attempts together. */
  seconds: number;
  /** Attempts by how long they took: up to each of LATENCY_BOUNDS, and longer. */
  latencies: number[];
  requests: number;
  bytes: number;
  blocks: number;
  captchas: number;
  items: number;
  filled: Record<string, number>;
  lastError: { error: TaskError; atMs: number } | null;
}

/** Seconds. */
export const LATENCY_BOUNDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300] as const;

export const newTally = (): Tally => ({
  done: 0,
  retried: 0,
  failed: 0,
  seconds: 0,
  latencies: Array<number>(LATENCY_BOUNDS.length + 1).fill(0),
  requests: 0,
  bytes: 0,
  blocks: 0,
  captchas: 0,
  items: 0,
  filled: {},
  lastError: null,
});

export function addAttempt(
  tally: Tally,
  { result, outcome, atMs }: { result: Result; outcome: 'done' | 'retried' | 'failed'; atMs: number },
): void {
  const { metadata, execution_time: seconds, error } = result;
  tally.requests += metadata.requests_made;
  tally.bytes += metadata.bytes;
  tally.blocks += metadata.blocks ?? 0;
  tally.captchas += metadata.captcha_encountered ? 1 : 0;
  // Waiting for a turn that we keep ourselves, or for a part of ours, says nothing about the site.
  if (outcome === 'retried' && (isPaced(error) || isOutage(error))) return;
  tally[outcome] += 1;
  tally.seconds += seconds;
  const place = LATENCY_BOUNDS.findIndex((bound) => seconds <= bound);
  const slot = place === -1 ? LATENCY_BOUNDS.length : place;
  tally.latencies[slot] = (tally.latencies[slot] ?? 0) + 1;
  if (error) tally.lastError = { error, atMs };
}

export function addItems(tally: Tally, result: Result): void {
  for (const kind of KINDS) {
    for (const item of result[ITEMS_FIELD[kind]] ?? []) {
      tally.items += 1;
      countFilled(kind, item as never, tally.filled);
    }
  }
}

/** `more` as if it had been counted here. */
export function addTally(tally: Tally, more: Tally): void {
  for (const field of [
    'done',
    'retried',
    'failed',
    'seconds',
    'requests',
    'bytes',
    'blocks',
    'captchas',
    'items',
  ] as const)
    tally[field] += more[field];
  for (const [slot, count] of more.latencies.entries()) tally.latencies[slot] = (tally.latencies[slot] ?? 0) + count;
  for (const [field, count] of Object.entries(more.filled)) tally.filled[field] = (tally.filled[field] ?? 0) + count;
  if (more.lastError && more.lastError.atMs >= (tally.lastError?.atMs ?? 0)) tally.lastError = more.lastError;
}

/** How many seconds this share of the attempts took at most, between the bounds as if they were spread evenly; null without attempts. */
export function latencyAt(latencies: readonly number[], share: number): number | null {
  const total = latencies.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let before = 0;
  for (const [slot, count] of latencies.entries()) {
    if (before + count < total * share || count === 0) {
      before += count;
      continue;
    }
    const from = LATENCY_BOUNDS[slot - 1] ?? 0;
    const to = LATENCY_BOUNDS[slot] ?? from;
    return Math.round((from + ((to - from) * (total * share - before)) / count) * 1_000) / 1_000;
  }
  return LATENCY_BOUNDS.at(-1)!;
}

/** Of the attempts that ended; null without any. */
export function successRate({ done, retried, failed }: Pick<Tally, 'done' | 'retried' | 'failed'>): number | null {
  const attempts = done + retried + failed;
  return attempts === 0 ? null : Math.round((done / attempts) * 10_000) / 10_000;
}
