// Ends or requeues leases, in one transaction with their items. A pure function of the caller decides.
import type { Pool } from 'pg';
import type { RunUpdate } from '../../model/run/run.ts';
import type { TaskRef } from '../../model/task/messages.ts';
import type { RetryRule } from '../../model/task/retry.ts';
import { type ItemBatch, saveItems } from '../items/items.ts';
import { type Client, transaction } from '../postgres/pool.ts';
import { checkItems, type MeasuredTask, type NewCheck, type RulesOf } from '../quality/checks.ts';
import { type ReachedCheckpoint, saveCheckpoints } from './checkpoints.ts';
import { addEarlierAttempts } from './earlier-attempts.ts';
import { extendUntaken, lockLostLeases } from './held-leases.ts';
import { rememberLost, takeBack, winBack } from './lost-attempts.ts';
import {
  acceptParts,
  type Lease,
  type PartRef,
  type Parts,
  partKey,
  type Requeue,
  requeue,
  retryRulesOf,
  takeLeases,
} from './queue.ts';
import { type Settled, settle } from './record.ts';

/** What becomes of leases that were taken: ended, or queued again; with the items that came along. */
export interface Verdict {
  settled: Settled[];
  requeued: Requeue[];
  itemBatches: ItemBatch[];
  checkpoints?: ReachedCheckpoint[];
  /** Those of the settled ones whose items are judged. */
  measured?: MeasuredTask[];
}

/** Stored state of the tasks of these reports. */
export interface Reported {
  leases: Map<string, Lease>;
  parts: Parts;
  retriesOf: Map<string, RetryRule>;
}

export interface ResolveOptions {
  tasks: TaskRef[];
  parts: PartRef[];
  /** Those whose retry limit has to be known. */
  failed: string[];
  /** Last parts of attempts that did not fail. */
  succeeded: PartRef[];
  /** For attempts that go on after their lease ran out by mistake. */
  leaseSeconds: number;
  /** By what items are judged; without it they are not. */
  rulesOf?: RulesOf;
}

export interface LostOptions {
  /** Tasks still on the wire. */
  untaken: Set<string>;
  /** The wire was lost. */
  unclaimed: boolean;
  leaseSeconds: number;
  limit: number;
}

const refKey = (task: TaskRef): string => `${task.task_id} ${task.attempt}`;

export function resolve(
  pool: Pool,
  options: ResolveOptions,
  decide: (reported: Reported) => Verdict,
): Promise<{ updates: RunUpdate[]; checks: NewCheck[] }> {
  return transaction(pool, async (client) => {
    if (options.parts.length > 0) await takeBack(client, options.parts, options.leaseSeconds);
    const parts = await acceptParts(client, options.parts);
    const early = new Set(options.parts.filter((part) => part.last && parts.early.has(partKey(part))).map(refKey));
    const ended = options.tasks.filter((task) => !early.has(refKey(task)));
    const leases = await takeLeases(client, ended);
    const missing = ended.filter((task) => !leases.has(task.task_id));
    if (missing.length > 0)
      for (const [id, lease] of await takeLostLeases(client, missing, options, parts)) leases.set(id, lease);
    const verdict = decide({ leases, parts, retriesOf: await retryRulesOf(client, options.failed) });
    const checked = options.rulesOf && (await judgeItems(client, verdict, options.rulesOf));
    await saveItems(client, checked?.itemBatches ?? verdict.itemBatches);
    await saveCheckpoints(client, verdict.checkpoints ?? []);
    await requeue(client, verdict.requeued);
    await addEarlierAttempts(client, verdict.requeued);
    return { updates: await settle(client, verdict.settled), checks: checked?.checks ?? [] };
  });
}

/** A task whose items are kept apart says so itself: its run shows it, and nothing that was not seen is taken for gone. */
async function judgeItems(client: Client, verdict: Verdict, rulesOf: RulesOf) {
  const checked = await checkItems(
    client,
    { itemBatches: verdict.itemBatches, tasks: verdict.measured ?? [] },
    rulesOf,
  );
  for (const one of verdict.settled) {
    if (!checked.held.has(one.lease.taskId)) continue;
    const { incomplete = [], ...metadata } = (one.metadata ?? {}) as { incomplete?: string[] };
    one.metadata = { ...metadata, incomplete: [...incomplete, KEPT_APART] };
  }
  return checked;
}

const KEPT_APART = 'its items look wrong and are kept apart until they are accepted or rejected (windrow quality)';

/**
 * Of attempts that were thought to be lost. A lease may run out while we wait for it, and come back only now: then its parts are looked at now, or its last
 * one would end the task without those that are still missing.
 */
async function takeLostLeases(
  client: Client,
  wanted: TaskRef[],
  options: ResolveOptions,
  parts: Parts,
): Promise<Map<string, Lease>> {
  const back = new Set((await takeBack(client, wanted, options.leaseSeconds)).map(refKey));
  const late = options.parts.filter((part) => back.has(refKey(part)));
  const { fresh, early } = await acceptParts(client, late);
  for (const [name, key] of fresh) parts.fresh.set(name, key);
  for (const name of early) parts.early.add(name);
  const waiting = new Set(late.filter((part) => part.last && early.has(partKey(part))).map(refKey));
  const tasks = wanted.filter((task) => !waiting.has(refKey(task)));
  const missing = new Set(tasks.map(refKey));
  const succeeded = options.succeeded.filter((task) => missing.has(refKey(task)));
  if (succeeded.length > 0) await winBack(client, succeeded);
  return takeLeases(client, tasks);
}

export function giveBack(pool: Pool, tasks: TaskRef[]): Promise<void> {
  return transaction(pool, async (client) => {
    const leases = await takeLeases(client, tasks);
    await requeue(
      client,
      [...leases.values()].map((lease) => ({ ...lease, lease, delayMs: 0 })),
    );
  });
}

export function resolveLost(
  pool: Pool,
  options: LostOptions,
  decide: (leases: Lease[]) => Verdict,
): Promise<{ found: number; updates: RunUpdate[] }> {
  return transaction(pool, async (client) => {
    const isWaiting = (lease: Lease): boolean => lease.worker === null && options.untaken.has(lease.taskId);
    const leases = await lockLostLeases(client, options);
    const waiting = leases.filter(isWaiting).map((lease) => lease.taskId);
    const lost = leases.filter((lease) => !isWaiting(lease));
    if (waiting.length > 0) await extendUntaken(client, waiting, options.leaseSeconds);
    if (lost.length === 0) return { found: 0, updates: [] };
    await rememberLost(
      client,
      lost.map((lease) => lease.taskId),
    );
    await takeLeases(
      client,
      lost.map((lease) => ({ task_id: lease.taskId, attempt: lease.attempt })),
    );
    const verdict = decide(lost);
    await requeue(client, verdict.requeued);
    await addEarlierAttempts(client, verdict.requeued);
    return { found: lost.length, updates: await settle(client, verdict.settled) };
  });
}
