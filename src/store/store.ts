// The store as the other rooms see it: one object over one pool. Each function lives in the file of its noun.
import type { Pool } from 'pg';
import type { Run, RunUpdate } from '../model/run/run.ts';
import type { TaskRef } from '../model/task/messages.ts';
import type { RetryRule } from '../model/task/retry.ts';
import { filesDue, writeFile } from './alerts/alert-files.ts';
import {
  alertMatches,
  countMatches,
  createAlert,
  deleteAlert,
  getAlert,
  listAlerts,
  previewSearch,
  updateAlert,
} from './alerts/alerts.ts';
import { announcePostings } from './alerts/announce.ts';
import { listArticles, wordArticles } from './articles/article-list.ts';
import { cleanUp } from './cleanup.ts';
import {
  activeCompanies,
  createCompany,
  deleteCompany,
  getCompany,
  listCompanies,
  saveCompanies,
  updateCompany,
} from './companies/companies.ts';
import { closeStale, getPosition, listPositions, openExternalIds, readPositions } from './companies/positions.ts';
import { endedSessions, failOrphanSessions, failSession, listSessions, settleSession } from './companies/sessions.ts';
import { type ItemBatch, saveItems } from './items/items.ts';
import { migrate } from './postgres/migrate.ts';
import { createPool, type PoolOptions, query, transaction } from './postgres/pool.ts';
import { countCompanies, countPostingsOver, payOver } from './postings/posting-analytics.ts';
import { regroupPostings } from './postings/posting-groups.ts';
import { listPostings } from './postings/posting-list.ts';
import { cartSpeed, cartWaits, createGetCart, getShelves, runningCarts } from './products/carts.ts';
import { pricesOver } from './products/price-analytics.ts';
import { listProducts, listShelves } from './products/product-list.ts';
import { type Cancelled, cancelRun } from './queue/cancel.ts';
import { getDeadLetters, listDeadLetters, removeDeadLetters } from './queue/dead-letters.ts';
import { addEarlierAttempts } from './queue/earlier-attempts.ts';
import {
  acceptParts,
  countReady,
  excuseNextLeaseLoss,
  extendUntaken,
  type Lease,
  leasedLanes,
  leaseReady,
  lockLostLeases,
  type PartRef,
  type Parts,
  partKey,
  promoteDelayed,
  queueDepths,
  type Requeue,
  renewLeases,
  requeue,
  retryRulesOf,
  sourcesReleasedSince,
  takeLeases,
} from './queue/queue.ts';
import { type Settled, settle } from './queue/record.ts';
import { type RetentionOptions, trim } from './retention.ts';
import { listAllRuns } from './runs/run-list.ts';
import { articleEntries, getRun, listRuns } from './runs/runs.ts';
import { runPostings, scrapeMode, siteTasks } from './runs/scrape-runs.ts';
import { claimDue, claimNow, endFires, listFires, takeOverFires } from './schedules/fires.ts';
import { beatScheduler, leaveScheduler, schedulerStatus } from './schedules/scheduler-status.ts';
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  planSchedules,
  saveSchedule,
} from './schedules/schedules.ts';
import {
  closeBreaker,
  listHolds,
  openBreaker,
  parkSource,
  pauseSource,
  probeSource,
  reopenBreaker,
  resumeSource,
  sourceDepths,
  unparkSource,
} from './sources/source-holds.ts';
import { tellSources } from './sources/source-states.ts';
import { sourceStats } from './sources/source-stats.ts';
import { addTallies, sourceTallies } from './sources/source-tallies.ts';
import { earlierAnswer } from './submissions/idempotency.ts';
import { createArrived } from './submissions/read-through-spool.ts';
import { type UnpackOptions, unpackArrivals } from './submissions/spool.ts';
import { createSubmit } from './submissions/submit.ts';
import {
  claimDeliveries,
  deliveryTotals,
  finishDeliveries,
  returnDeliveries,
  sweepDeliveries,
} from './webhooks/deliveries.ts';
import { listDeliveries, redeliver } from './webhooks/delivery-log.ts';
import { emit, type NewEvent } from './webhooks/webhook-events.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  instanceSecret,
  listWebhooks,
  rotateSecret,
  updateWebhook,
} from './webhooks/webhooks.ts';

/** What becomes of leases that were taken: ended, or queued again; with the items that came along. */
export interface Verdict {
  settled: Settled[];
  requeued: Requeue[];
  harvests: ItemBatch[];
}

/** What the reports in hand found in the store. */
export interface Found {
  leases: Map<string, Lease>;
  parts: Parts;
  retriesOf: Map<string, RetryRule>;
}

type ArgsOf<F extends (pool: Pool, ...args: never[]) => unknown> = F extends (pool: Pool, ...args: infer A) => unknown
  ? A
  : never;

const refKey = (task: TaskRef): string => `${task.task_id} ${task.attempt}`;

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
  const arrived = createArrived(() => unpackArrivals(pool, { isWaiting: true }));
  const getCart = createGetCart(pool);
  const findRun = (id: string): Promise<Run | null> => arrived.find(() => getRun(pool, id));
  return {
    submit: createSubmit(pool),
    unpackArrivals: bind((p: Pool, options: UnpackOptions) => unpackArrivals(p, options)),
    earlierAnswer: bind(earlierAnswer),
    async cancelRun(id: string): Promise<Cancelled> {
      await findRun(id);
      return cancelRun(pool, id);
    },
    getRun: findRun,
    listRuns: (...args: ArgsOf<typeof listRuns>) => arrived.all(() => listRuns(pool, ...args)),
    listAllRuns: (...args: ArgsOf<typeof listAllRuns>) => arrived.all(() => listAllRuns(pool, ...args)),
    articleEntries: bind(articleEntries),
    siteTasks: bind(siteTasks),
    scrapeMode: bind(scrapeMode),
    runPostings: bind(runPostings),
    regroupPostings: bind(regroupPostings),
    listPostings: bind(listPostings),
    previewSearch: bind(previewSearch),
    announcePostings: bind(announcePostings),
    createAlert: bind(createAlert),
    updateAlert: bind(updateAlert),
    getAlert: bind(getAlert),
    listAlerts: bind(listAlerts),
    deleteAlert: bind(deleteAlert),
    alertMatches: bind(alertMatches),
    countMatches: bind(countMatches),
    alertFilesDue: bind(filesDue),
    writeAlertFile: bind(writeFile),
    listArticles: bind(listArticles),
    wordArticles: bind(wordArticles),
    countPostingsOver: bind(countPostingsOver),
    countCompanies: bind(countCompanies),
    payOver: bind(payOver),
    listProducts: bind(listProducts),
    listShelves: bind(listShelves),
    sourceStats: bind(sourceStats),
    addTallies: bind(addTallies),
    sourceTallies: bind(sourceTallies),
    sourceDepths: bind(sourceDepths),
    listHolds: bind(listHolds),
    pauseSource: bind(pauseSource),
    resumeSource: bind(resumeSource),
    parkSource: bind(parkSource),
    unparkSource: bind(unparkSource),
    openBreaker: bind(openBreaker),
    probeSource: bind(probeSource),
    reopenBreaker: bind(reopenBreaker),
    closeBreaker: bind(closeBreaker),
    runningCarts: bind(runningCarts),
    cartSpeed: bind(cartSpeed),
    cartWaits: bind(cartWaits),
    getCart: (asked: Parameters<typeof getCart>[0]) => arrived.find(() => getCart(asked)),
    getShelves: bind(getShelves),
    pricesOver: bind(pricesOver),
    activeCompanies: bind(activeCompanies),
    getCompany: bind(getCompany),
    listCompanies: bind(listCompanies),
    createCompany: bind(createCompany),
    updateCompany: bind(updateCompany),
    saveCompanies: bind(saveCompanies),
    deleteCompany: bind(deleteCompany),
    openExternalIds: bind(openExternalIds),
    endedSessions: bind(endedSessions),
    settleSession: bind(settleSession),
    failSession: bind(failSession),
    failOrphanSessions: bind(failOrphanSessions),
    listSessions: bind(listSessions),
    closeStale: bind(closeStale),
    listPositions: bind(listPositions),
    readPositions: bind(readPositions),
    getPosition: bind(getPosition),
    cleanUp: bind(cleanUp),
    getSchedule: bind(getSchedule),
    listSchedules: bind(listSchedules),
    saveSchedule: bind(saveSchedule),
    createSchedule: bind(createSchedule),
    deleteSchedule: bind(deleteSchedule),
    planSchedules: bind(planSchedules),
    claimDue: bind(claimDue),
    takeOverFires: bind(takeOverFires),
    endFires: bind(endFires),
    listFires: bind(listFires),
    claimNow: bind(claimNow),
    beatScheduler: bind(beatScheduler),
    leaveScheduler: bind(leaveScheduler),
    schedulerStatus: bind(schedulerStatus),
    countReady: bind(countReady),
    leaseReady: bind(leaseReady),
    sourcesReleasedSince: bind(sourcesReleasedSince),
    renewLeases: bind(renewLeases),
    promoteDelayed: bind(promoteDelayed),
    queueDepths: bind(queueDepths),
    leasedLanes: bind(leasedLanes),
    getMark: bind(getMark),
    setMark: bind(setMark),
    excuseNextLeaseLoss: bind(excuseNextLeaseLoss),
    listDeadLetters: bind(listDeadLetters),
    getDeadLetters: bind(getDeadLetters),
    removeDeadLetters: bind(removeDeadLetters),
    createWebhook: bind(createWebhook),
    getWebhook: bind(getWebhook),
    listWebhooks: bind(listWebhooks),
    updateWebhook: bind(updateWebhook),
    deleteWebhook: bind(deleteWebhook),
    rotateSecret: bind(rotateSecret),
    instanceSecret: bind(instanceSecret),
    emit: (events: NewEvent[]): Promise<number> => transaction(pool, (client) => emit(client, events)),
    claimDeliveries: bind(claimDeliveries),
    finishDeliveries: bind(finishDeliveries),
    returnDeliveries: bind(returnDeliveries),
    sweepDeliveries: bind(sweepDeliveries),
    deliveryTotals: bind(deliveryTotals),
    listDeliveries: bind(listDeliveries),
    redeliver: bind(redeliver),
    tellSources: bind(tellSources),
    trim: bind((p: Pool, options: RetentionOptions) => trim(p, options)),

    /**
     * Takes the leases of these attempts, asks `decide` what becomes of them, and writes it: all in one transaction. `failed` names those whose
     * retry limit `decide` needs to know.
     */
    resolve: (
      options: { tasks: TaskRef[]; parts: PartRef[]; failed: string[] },
      decide: (found: Found) => Verdict,
    ): Promise<RunUpdate[]> =>
      transaction(pool, async (client) => {
        const parts = await acceptParts(client, options.parts);
        const early = new Set(options.parts.filter((part) => part.last && parts.early.has(partKey(part))).map(refKey));
        const leases = await takeLeases(
          client,
          options.tasks.filter((task) => !early.has(refKey(task))),
        );
        const verdict = decide({ leases, parts, retriesOf: await retryRulesOf(client, options.failed) });
        await saveItems(client, verdict.harvests);
        await requeue(client, verdict.requeued);
        await addEarlierAttempts(client, verdict.requeued);
        return settle(client, verdict.settled);
      }),

    /** Leases that are not wanted after all: queued again as they were. */
    giveBack: (tasks: TaskRef[]): Promise<void> =>
      transaction(pool, async (client) => {
        const leases = await takeLeases(client, tasks);
        await requeue(
          client,
          [...leases.values()].map((lease) => ({ ...lease, lease, delayMs: 0 })),
        );
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

async function getMark(pool: Pool, name: string): Promise<string | null> {
  const rows = await query<{ value: string }>(pool, 'select value from marks where name = $1', [name]);
  return rows[0]?.value ?? null;
}

async function setMark(pool: Pool, name: string, value: string): Promise<void> {
  const text =
    'insert into marks (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value';
  await query(pool, text, [name, value]);
}
