// The store as the other rooms see it: one object over one pool. Each function lives in the file of its noun.
import type { Pool } from 'pg';
import type { TaskRef } from '../model/messages.ts';
import type { RunUpdate } from '../model/run.ts';
import { cancelRun } from './cancel.ts';
import { getDeadLetters, listDeadLetters, removeDeadLetters } from './dead-letters.ts';
import { migrate } from './migrate.ts';
import { createPool, type PoolOptions, query, transaction } from './pool.ts';
import {
  countReady,
  extendUntaken,
  type Lease,
  leaseReady,
  lockLostLeases,
  promoteDelayed,
  queueDepths,
  type Requeue,
  renewLeases,
  requeue,
  takeLeases,
} from './queue.ts';
import { type Settled, type StoredArticle, settle, upsertArticles } from './record.ts';
import { type RetentionOptions, trim } from './retention.ts';
import { articleEntries, getRun, listRuns } from './runs.ts';
import { createSubmit } from './submit.ts';

/** What becomes of leases that were taken: ended, or queued again; with the items that came along. */
export interface Verdict {
  settled: Settled[];
  requeued: Requeue[];
  articles: StoredArticle[];
}

export type Store = ReturnType<typeof storeOver>;

/** Connects, migrates, and returns the store. */
export async function openStore(options: PoolOptions, log?: (event: string, fields: object) => void): Promise<Store> {
  const pool = createPool(options);
  try {
    await migrate(pool, log);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return storeOver(pool);
}

/** The store over a database that is already migrated. */
export function storeOver(pool: Pool) {
  const bind =
    <A extends unknown[], R>(fn: (pool: Pool, ...args: A) => R) =>
    (...args: A): R =>
      fn(pool, ...args);
  return {
    submit: createSubmit(pool),
    cancelRun: bind(cancelRun),
    getRun: bind(getRun),
    listRuns: bind(listRuns),
    articleEntries: bind(articleEntries),
    countReady: bind(countReady),
    leaseReady: bind(leaseReady),
    renewLeases: bind(renewLeases),
    promoteDelayed: bind(promoteDelayed),
    queueDepths: bind(queueDepths),
    listDeadLetters: bind(listDeadLetters),
    getDeadLetters: bind(getDeadLetters),
    removeDeadLetters: bind(removeDeadLetters),
    trim: bind((p: Pool, options: RetentionOptions) => trim(p, options)),

    /** Takes the leases of these attempts, asks `decide` what becomes of them, and writes it: all in one transaction. */
    resolve: (tasks: TaskRef[], decide: (leases: Map<string, Lease>) => Verdict): Promise<RunUpdate[]> =>
      transaction(pool, async (client) => {
        const verdict = decide(await takeLeases(client, tasks));
        await upsertArticles(client, verdict.articles);
        await requeue(client, verdict.requeued);
        return settle(client, verdict.settled);
      }),

    /**
     * Finds lost leases and does the same with them. `untaken` are tasks still on the wire: nobody lost those, they are only waiting.
     * After the wire was lost (`unclaimed`) the leases no worker has claimed are lost too, however long they would still run.
     */
    resolveLost: (
      options: { untaken: Set<string>; unclaimed: boolean; leaseSeconds: number; limit: number },
      decide: (leases: Lease[]) => Verdict,
    ): Promise<{ found: number; updates: RunUpdate[] }> =>
      transaction(pool, async (client) => {
        const leases = await lockLostLeases(client, options);
        const waiting = leases.filter((lease) => lease.worker === null && options.untaken.has(lease.taskId));
        const lost = leases.filter((lease) => !(lease.worker === null && options.untaken.has(lease.taskId)));
        if (waiting.length > 0) {
          await extendUntaken(
            client,
            waiting.map((lease) => lease.taskId),
            options.leaseSeconds,
          );
        }
        if (lost.length === 0) return { found: 0, updates: [] };
        await takeLeases(
          client,
          lost.map((lease) => ({ task_id: lease.taskId, attempt: lease.attempt })),
        );
        const verdict = decide(lost);
        await requeue(client, verdict.requeued);
        return { found: lost.length, updates: await settle(client, verdict.settled) };
      }),

    /** Milliseconds for a round trip. */
    async ping(): Promise<number> {
      const started = performance.now();
      await query(pool, 'select 1');
      return performance.now() - started;
    },
    close: (): Promise<void> => pool.end(),
  };
}
