// Unpack, dispatch, record, reap, promote, settle, group, announce, trim and a few more: loops over the store and the wire, and no policy of its own. Any number
// of instances may run; none of them leads.

import type { RunUpdate } from '../model/run/run.ts';
import type { BreakerPolicy } from '../model/source/breaker.ts';
import type { RetryPolicy } from '../model/task/retry.ts';
import { RETRY_POLICY } from '../model/task/retry.ts';
import type { RetentionOptions } from '../store/retention.ts';
import type { Store } from '../store/store.ts';
import type { Wire } from '../wire/port.ts';
import { createAlertFiles } from './alerts/alert-files.ts';
import { createAnnounce } from './alerts/announce.ts';
import { createBreaker } from './loops/breaker.ts';
import { createDispatch } from './loops/dispatch.ts';
import { createGroup } from './loops/group.ts';
import { createListing } from './loops/listing.ts';
import { type Loop, startLoop } from './loops/loop.ts';
import { createReap } from './loops/reap.ts';
import { createRecord, type TaskSettled } from './loops/record.ts';
import { createRecordAll } from './loops/record-all.ts';
import { createSettle } from './loops/settle-sessions.ts';
import { createTallies } from './loops/tally.ts';

export interface OrchestratorOptions {
  store: Store;
  wire: Wire;
  leaseSeconds: number;
  sweepSeconds: number;
  maxWindow: number;
  retention: RetentionOptions;
  policy?: RetryPolicy;
  /** Batches of reports recorded at the same time. */
  recorders?: number;
  log(level: 'debug' | 'info' | 'warn' | 'error', event: string, fields: object): void;
  /** Where the files of alerts are written; without it this instance writes none. */
  alertFiles?: { folder: string; maxBytes: number };
  /** Sources that stand for one site and are left alone while it is in trouble; without it none is. */
  breaker?: { isGuarded(source: string): boolean; policy?: BreakerPolicy };
  onSettled?(settled: TaskSettled): void;
  onRunEnded?(update: RunUpdate): void;
}

export interface Orchestrator {
  stop(): Promise<void>;
}

const POLL_MS = 500;
const PROMOTE_MS = 250;
const WATCH_MS = 1_000;
/** The parts that a result overtook are in the hands of another recorder, which needs a moment. */
const EARLY_MS = 100;
const SETTLE_MS = 1_000;
const GROUP_MS = 2_000;
const ANNOUNCE_MS = 2_000;
/** Woken when something matched here; this long after what matched elsewhere. */
const FILES_MS = 10_000;
const LIST_MS = 2_000;
const BREAKER_MS = 1_000;
const TALLY_MS = 2_000;
const TRIM_MS = 60_000;
const REPORTS_PER_BATCH = 1_000;

export function startOrchestrator(options: OrchestratorOptions): Orchestrator {
  const { store, wire, log } = options;
  const policy = options.policy ?? RETRY_POLICY;
  const onError = (loop: string, error: unknown): void =>
    log('warn', 'orchestrator.error', { loop, error: error instanceof Error ? error.message : String(error) });

  async function announce(updates: RunUpdate[]): Promise<void> {
    for (const update of updates) {
      if (update.status === 'running') continue;
      log('info', 'run.settled', {
        run_id: update.runId,
        request_id: update.requestId ?? null,
        status: update.status,
        completed: update.completed,
        failed: update.failed,
      });
      options.onRunEnded?.(update);
    }
    // Whoever misses an update reads the state from the store.
    if (updates.length > 0) await wire.publish(updates).catch((error) => onError('publish', error));
  }

  const dispatch = startLoop({
    name: 'dispatch',
    everyMs: POLL_MS,
    onError,
    step: createDispatch({
      store,
      wire,
      leaseSeconds: options.leaseSeconds,
      maxWindow: options.maxWindow,
      onDispatched: (lane, count) => log('debug', 'tasks.dispatched', { lane, count }),
    }),
  });
  const unpack = startLoop({
    name: 'unpack',
    everyMs: POLL_MS,
    onError,
    async step(signal) {
      for (;;) {
        const runs = await store.unpackArrivals({
          isWaiting: false,
          onSetAside: (runId, error) => log('error', 'arrival.set_aside', { run_id: runId, error: String(error) }),
        });
        if (runs === 0) return;
        log('debug', 'arrivals.unpacked', { runs });
        dispatch.wake();
        if (signal.aborted) return;
      }
    },
  });
  const unsubscribe = wire.onWake(() => {
    unpack.wake();
    dispatch.wake();
  });

  const tallies = createTallies(store);
  const tally = startLoop({ name: 'tally', everyMs: TALLY_MS, onError, step: () => tallies.write() });
  const breaker = createBreaker({
    store,
    isGuarded: () => false,
    ...options.breaker,
    onChange: (source, change, fields) =>
      log(change === 'closed' ? 'info' : 'warn', 'source.breaker', { site_name: source, change, ...fields }),
  });
  const breakers = startLoop({ name: 'breaker', everyMs: BREAKER_MS, onError, step: breaker.step });

  const record = createRecord({
    store,
    wire,
    leaseSeconds: options.leaseSeconds,
    policy,
    random: Math.random,
    isGivenUp: breaker.isGivenUp,
    onItems: tallies.items,
    onSettled(settled) {
      const { result, outcome, category } = settled;
      tallies.attempt(settled);
      breaker.see(settled);
      log(outcome === 'failed' ? 'warn' : 'info', `task.${outcome}`, {
        task_id: result.task_id,
        run_id: result.run_id,
        request_id: result.request_id ?? null,
        site_name: result.scraper_type,
        attempt: result.attempt,
        status: result.status,
        seconds: result.execution_time,
        worker: result.metadata.worker,
        ...(category ? { category, error: result.error?.message } : {}),
      });
      options.onSettled?.(settled);
    },
    onInvalid: (problem) => log('error', 'report.invalid', { problem }),
    onLost: (worker, tasks) => log('info', 'lease.lost', { worker, tasks: tasks.length }),
    onEarly(results) {
      log('debug', 'results.early', { results: results.length });
      setTimeout(() => void wire.report(results).catch((error) => onError('early', error)), EARLY_MS).unref();
    },
    onRenewFailed: (error) => onError('renew', error),
  });
  const recordAll = createRecordAll({
    record,
    onWaiting: (error) => onError('record', error),
    onRefused: (report, error) => log('error', 'report.refused', { error: String(error), report: nameOf(report) }),
  });

  async function recordStep(signal: AbortSignal): Promise<void> {
    const batch = await wire.readReports(REPORTS_PER_BATCH, signal);
    if (batch.reports.length === 0) return;
    const updates = await recordAll(batch.reports, signal);
    // Without it they are delivered again and found to be recorded; the updates have to go out now or never.
    await batch.ack().catch((error) => onError('ack', error));
    dispatch.wake();
    if (updates.some((update) => update.kind === 'company')) settle.wake();
    await announce(updates);
  }

  const settle = startLoop({
    name: 'settle',
    everyMs: SETTLE_MS,
    onError,
    step: createSettle({
      store,
      onSettled: ({ runId, company, status, verdict }) =>
        log(status === 'failed' ? 'warn' : 'info', 'session.settled', {
          run_id: runId,
          company,
          status,
          ...verdict.counts,
          ...(verdict.closingRefused ? { closing_refused: verdict.closingRefused } : {}),
        }),
      onFailed: (session, error) => log('error', 'session.refused', { session, error: String(error) }),
    }),
  });

  const group = startLoop({
    name: 'group',
    everyMs: GROUP_MS,
    onError,
    step: createGroup({
      store,
      onGrouped(regrouped) {
        log('debug', 'postings.grouped', { ...regrouped });
        if (regrouped.news > 0) announceNew.wake();
      },
    }),
  });

  const announceNew = startLoop({
    name: 'announce',
    everyMs: ANNOUNCE_MS,
    onError,
    step: createAnnounce({
      store,
      onAnnounced(announced) {
        log('info', 'postings.announced', { ...announced });
        if (announced.matches > 0) alertFiles?.wake();
      },
    }),
  });

  const alertFiles = options.alertFiles
    ? startLoop({
        name: 'alert-files',
        everyMs: FILES_MS,
        onError,
        step: createAlertFiles({
          store,
          ...options.alertFiles,
          onWritten: (file, matches) => log('debug', 'alert.file_written', { file, matches }),
          onFailed: (file, error) => log('warn', 'alert.file_failed', { file, error: String(error) }),
        }),
      })
    : null;

  const list = startLoop({ name: 'list', everyMs: LIST_MS, onError, step: createListing(store) });

  const recorders = Array.from({ length: options.recorders ?? 2 }, (_, index) =>
    startLoop({ name: `record-${index + 1}`, everyMs: 0, onError, step: recordStep }),
  );

  const reap = startLoop({
    name: 'reap',
    everyMs: WATCH_MS,
    onError,
    step: createReap({
      store,
      wire,
      leaseSeconds: options.leaseSeconds,
      sweepSeconds: options.sweepSeconds,
      policy,
      now: () => performance.now(),
      onReaped(found, reason) {
        log('warn', 'leases.reaped', { found, reason });
        dispatch.wake();
      },
      onUpdates: announce,
    }),
  });

  const promote = startLoop({
    name: 'promote',
    everyMs: PROMOTE_MS,
    onError,
    async step() {
      if ((await store.promoteDelayed(5_000)) > 0) dispatch.wake();
    },
  });

  const trim = startLoop({
    name: 'trim',
    everyMs: TRIM_MS,
    onError,
    async step(signal) {
      for (;;) {
        const trimmed = await store.trim(options.retention);
        const count = Object.values(trimmed).reduce((sum, n) => sum + n, 0);
        if (count === 0 || signal.aborted) return;
        log('info', 'store.trimmed', trimmed);
      }
    },
  });

  const loops: Loop[] = [
    unpack,
    dispatch,
    ...recorders,
    settle,
    group,
    announceNew,
    ...(alertFiles ? [alertFiles] : []),
    list,
    tally,
    breakers,
    reap,
    promote,
    trim,
  ];
  return {
    async stop() {
      unsubscribe();
      await Promise.all(loops.map((loop) => loop.stop()));
      await tallies.write().catch((error) => onError('tally', error));
    },
  };
}

/** Enough of a report to find it, never its content. */
function nameOf(report: unknown): object {
  const { type, task_id, attempt, worker } = report as Record<string, unknown>;
  return { type, task_id, attempt, worker };
}
