// The loops over the store and the wire, as a table: how often each steps, what it does and which others it may wake. It has no policy of its own. Any
// number of instances may run, without a leader.
import { randomUUID } from 'node:crypto';
import { QUALITY_RULES } from '../model/quality/rules.ts';
import { isFinal, type RunUpdate } from '../model/run/run.ts';
import type { BreakerPolicy } from '../model/source/breaker.ts';
import type { Result } from '../model/task/messages.ts';
import type { RetryPolicy } from '../model/task/retry.ts';
import { RETRY_POLICY } from '../model/task/retry.ts';
import { type Tracing, traceField } from '../model/trace/trace.ts';
import type { AlertFileStore, AnnouncementStore } from '../store/alerts/alert-store.ts';
import type { ArticleStore } from '../store/articles/article-store.ts';
import type { SessionStore } from '../store/companies/company-store.ts';
import type { CrawlAdmissionStore } from '../store/crawls/crawl-store.ts';
import type { EvidenceKeepingStore } from '../store/evidence/evidence-store.ts';
import type { EvidenceFiles } from '../store/evidence/s3-files.ts';
import type { ConnectionStore, TrimStore } from '../store/maintenance.ts';
import type { MarkStore } from '../store/marks.ts';
import type { OrchestratorStore } from '../store/orchestrators.ts';
import type { PostingGroupStore } from '../store/postings/posting-store.ts';
import type { ProductGroupStore, ProductStore } from '../store/products/product-store.ts';
import type { NewCheck, RulesOf } from '../store/quality/checks.ts';
import type { ArticleQualityStore } from '../store/quality/quality-store.ts';
import type { QueueHistoryStore } from '../store/queue/queue-history.ts';
import type { DeadLetterStore, LeaseStore, QueueStore } from '../store/queue/queue-store.ts';
import type { RetentionOptions } from '../store/retention.ts';
import type { RollupStore } from '../store/rollups/rollup-store.ts';
import type { RunYieldStore } from '../store/runs/run-store.ts';
import type { SourceHoldStore, SourceStore } from '../store/sources/source-store.ts';
import type { SpoolStore } from '../store/submissions/submission-store.ts';
import type { WorkerDrainStore } from '../store/workers/drains.ts';
import type { Wire } from '../wire/port.ts';
import { createAlertFiles } from './alerts/alert-files.ts';
import { createAnnounce } from './alerts/announce.ts';
import { createCrawlLoop } from './crawls/crawl-loop.ts';
import { createDispatch } from './dispatch/dispatch.ts';
import { createNoteQueue, NOTE_QUEUE_EVERY_MS } from './dispatch/note-queue.ts';
import type { PaceOfSites } from './dispatch/pace.ts';
import { createKeepEvidence, type EvidenceKeepingLimits } from './evidence/keep.ts';
import { createGroup } from './grouping/group-postings.ts';
import { createGroupProducts } from './grouping/group-products.ts';
import { createHear } from './leases/hear.ts';
import { createReap } from './leases/reap.ts';
import { createRenew } from './leases/renew.ts';
import { createBreaker } from './loops/breaker.ts';
import { createDrainSpool } from './loops/drain-spool.ts';
import { createListing } from './loops/listing.ts';
import { createRecord, type TaskSettled } from './loops/record.ts';
import { createRecordAll } from './loops/record-all.ts';
import { createRecordReports } from './loops/record-reports.ts';
import { type Step, startLoops } from './loops/run-loops.ts';
import { createSettle } from './loops/settle-sessions.ts';
import { unreadable } from './loops/sort-reports.ts';
import { createTallies } from './loops/tally.ts';
import { createTellEnded } from './loops/tell-ended.ts';
import { createTrim } from './loops/trim.ts';
import { createRollUp, ROLL_UP_EVERY_MS } from './rollups/roll-up.ts';
import { recordTraced } from './trace/record-traced.ts';
import { createTellDrains, DRAINS_EVERY_MS } from './workers/tell-drains.ts';

/** What the loops need of the store. */
type LoopStore = SpoolStore &
  RunYieldStore &
  QueueStore &
  QueueHistoryStore &
  LeaseStore &
  Pick<DeadLetterStore, 'foldDeadLetterCounts'> &
  MarkStore &
  OrchestratorStore &
  WorkerDrainStore &
  SessionStore &
  CrawlAdmissionStore &
  PostingGroupStore &
  AnnouncementStore &
  AlertFileStore &
  ArticleStore &
  ProductStore &
  ProductGroupStore &
  SourceStore &
  SourceHoldStore &
  ArticleQualityStore &
  EvidenceKeepingStore &
  RollupStore &
  TrimStore &
  ConnectionStore;

export interface OrchestratorOptions {
  /** What it announces itself as. */
  name?: string;
  store: LoopStore;
  wire: Wire;
  leaseSeconds: number;
  sweepSeconds: number;
  maxWindow: number;
  /** The pace of sites; without it tasks go as they come. */
  sites?: PaceOfSites | null;
  retention: RetentionOptions;
  policy?: RetryPolicy;
  /** Batches of reports recorded at the same time. */
  recorders?: number;
  log(level: 'debug' | 'info' | 'warn' | 'error', event: string, fields: object): void;
  /** Where the files of alerts are written; without it this instance writes none. */
  alertFiles?: { folder: string; maxBytes: number };
  /** Sources of one site, which get a circuit breaker; without it none has one. */
  breaker?: { isGuarded(source: string): boolean; policy?: BreakerPolicy };
  /** How much is kept of pages of failed attempts, and where; without it none is. */
  evidence?: { limits: EvidenceKeepingLimits | null; files: EvidenceFiles | null };
  /** By what the items of a source are judged; the rules of model/quality/rules.ts by default. */
  rulesOf?: RulesOf;
  onRunEnded?(update: RunUpdate): void;
  counts?: OrchestratorCounts;
  /** Null or left out: no traces. */
  trace?: Tracing | null;
}

/** What it tells of its work, for metrics. */
export interface OrchestratorCounts {
  settled(settled: TaskSettled): void;
  items(result: Result): void;
  runEnded(update: RunUpdate): void;
  dispatched(lane: string, tasks: number): void;
  leasesLost(tasks: number, reason: string): void;
  leasesTakenBack(tasks: number): void;
  recorded(reports: number, seconds: number): void;
  checked(check: NewCheck): void;
  /** A step failed, and is tried again. */
  loopFailed(loop: string): void;
}

export interface Orchestrator {
  stop(): Promise<void>;
}

/** Another recorder is still writing the earlier parts of such a result. */
const EARLY_MS = 100;
const PROMOTED_AT_A_TIME = 5_000;
const BEAT_MS = 3_000;

export function startOrchestrator(options: OrchestratorOptions): Orchestrator {
  const { store, wire, log, leaseSeconds, name = `orchestrator-${randomUUID()}` } = options;
  const policy = options.policy ?? RETRY_POLICY;
  const rulesOf = options.rulesOf ?? (() => QUALITY_RULES);
  const onError = (loop: string, error: unknown): void => {
    options.counts?.loopFailed(loop);
    log('warn', 'orchestrator.error', { loop, error: error instanceof Error ? error.message : String(error) });
  };

  const tellEnded = createTellEnded({
    store,
    log: (fields) => log('info', 'run.settled', fields),
    onError: (error) => onError('run-yields', error),
  });

  async function publish(updates: RunUpdate[]): Promise<void> {
    const ended = updates.filter(({ status }) => isFinal(status));
    for (const update of ended) {
      options.counts?.runEnded(update);
      options.onRunEnded?.(update);
    }
    // A client that misses an update reads the state from the store.
    if (updates.length > 0) await wire.publish(updates).catch((error) => onError('publish', error));
    await tellEnded(ended);
  }

  const tallies = createTallies(store);
  const breaker = createBreaker({
    store,
    isGuarded: () => false,
    ...options.breaker,
    onChange: (source, change, fields) =>
      log(change === 'closed' ? 'info' : 'warn', 'source.breaker', { site_name: source, change, ...fields }),
  });

  function seeSettled(settled: TaskSettled): void {
    const { result, outcome, category } = settled;
    tallies.attempt(settled);
    breaker.see(settled);
    log(outcome === 'failed' ? 'warn' : 'info', `task.${outcome}`, {
      task_id: result.task_id,
      run_id: result.run_id,
      request_id: result.request_id ?? null,
      ...traceField(result.traceparent),
      site_name: result.scraper_type,
      attempt: result.attempt,
      status: result.status,
      seconds: result.execution_time,
      worker: result.metadata.worker,
      ...(category ? { category, error: result.error?.message } : {}),
    });
    options.counts?.settled(settled);
  }

  function seeChecked(check: NewCheck): void {
    options.counts?.checked(check);
    if (check.verdict !== 'suspect') return;
    const { runId, taskId, source, findings, isHeld } = check;
    const found = findings.map((finding) => finding.message).join('; ');
    wire
      .askEvidence([{ run_id: runId, task_id: taskId, source, host: check.about }])
      .catch((error) => onError('ask-evidence', error));
    log('warn', isHeld ? 'quality.held' : 'quality.suspect', {
      run_id: runId,
      task_id: taskId,
      site_name: source,
      found,
    });
  }

  const renew = createRenew({
    store,
    wire,
    onLost: (worker, tasks) => log('info', 'lease.lost', { worker, tasks: tasks.length }),
    onTakenBack(tasks) {
      options.counts?.leasesTakenBack(tasks);
      log('info', 'lease.taken_back', { tasks });
    },
  });
  const record = createRecord({
    store,
    renew,
    leaseSeconds,
    policy,
    random: Math.random,
    givenUp: breaker.givenUp,
    onItems(result) {
      tallies.items(result);
      options.counts?.items(result);
    },
    rulesOf,
    onChecked: seeChecked,
    onSettled: seeSettled,
    onInvalid: (problem) => log('error', 'report.invalid', { problem }),
    onEarly(results) {
      log('debug', 'results.early', { results: results.length });
      setTimeout(() => void wire.report(results).catch((error) => onError('early', error)), EARLY_MS).unref();
    },
    onRenewFailed: (error) => onError('renew', error),
  });

  const recordAndTrace = options.trace ? recordTraced(options.trace, record) : record;

  const dispatch = createDispatch({
    store,
    wire,
    leaseSeconds,
    maxWindow: options.maxWindow,
    sites: options.sites ?? null,
    trace: options.trace ?? null,
    onDispatched(lane, count) {
      options.counts?.dispatched(lane, count);
      log('debug', 'tasks.dispatched', { lane, count });
    },
  });
  const drainSpool = createDrainSpool({
    store,
    onDrained: (runs) => log('debug', 'spool.drained', { runs }),
    onSetAside: (runId, error) => log('error', 'spool.set_aside', { run_id: runId, error: String(error) }),
  });
  const recordReports = createRecordReports({
    wire,
    record: createRecordAll({
      async record(reports) {
        const began = performance.now();
        const updates = await recordAndTrace(reports);
        options.counts?.recorded(reports.length, (performance.now() - began) / 1_000);
        return updates;
      },
      onWaiting: (error) => onError('record', error),
      onRefused: (report, error) => log('error', 'report.refused', { error: String(error), report: nameOf(report) }),
      insteadOf: (report, error) => unreadable(report, error instanceof Error ? error.message : String(error)),
    }),
    publish,
    onAckFailed: (error) => onError('ack', error),
  });
  const reap = createReap({
    store,
    wire,
    hear: createHear({ wire, renew, leaseSeconds }),
    leaseSeconds,
    sweepSeconds: options.sweepSeconds,
    policy,
    now: () => performance.now(),
    onReaped(found, reason) {
      options.counts?.leasesLost(found, reason);
      log('warn', 'leases.reaped', { found, reason });
    },
    onUpdates: publish,
  });
  const crawl = createCrawlLoop({
    store,
    publish,
    onAdmitted: (pages) => log('debug', 'crawl.pages_queued', { pages }),
  });
  const settleSessions = createSettle({
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
  });
  const groupPostings = createGroup({
    store,
    onGrouped: (regrouped) => log('debug', 'postings.grouped', { ...regrouped }),
  });
  const announce = createAnnounce({
    store,
    onAnnounced: (announced) => log('info', 'postings.announced', { ...announced }),
  });
  const writeAlertFiles = options.alertFiles
    ? createAlertFiles({
        store,
        ...options.alertFiles,
        onWritten: (file, matches) => log('debug', 'alert.file_written', { file, matches }),
        onFailed: (file, error) => log('warn', 'alert.file_failed', { file, error: String(error) }),
      })
    : null;
  const promote: Step = async (_signal, wake) => {
    if ((await store.promoteDelayed(PROMOTED_AT_A_TIME)) > 0) wake();
  };
  const judgeArticles: Step = async (_signal, wake) => {
    const { runs, checks } = await store.judgeArticleRuns(rulesOf);
    for (const check of checks) seeChecked(check);
    if (runs > 0) wake();
  };
  const evidence = createKeepEvidence({
    store,
    wire,
    limits: null,
    files: null,
    ...options.evidence,
    onKept: ({ task_id, run_id, attempt, scraper_type, code }) =>
      log('debug', 'evidence.kept', { task_id, run_id, attempt, site_name: scraper_type, code }),
    onInvalid: (problem) => log('warn', 'evidence.invalid', { problem }),
  });
  const rollUp = createRollUp(store, (buckets) => log('debug', 'analytics.rolled_up', { buckets }));
  const trim = createTrim({
    store,
    retention: options.retention,
    onTrimmed: (trimmed) => log('info', 'store.trimmed', { ...trimmed }),
  });

  const loops = startLoops(
    [
      {
        name: 'beat',
        every: BEAT_MS,
        step: () => store.beatOrchestrator(name),
        atEnd: () => store.leaveOrchestrator(name),
      },
      { name: 'drains', every: DRAINS_EVERY_MS, step: createTellDrains({ store, wire }) },
      { name: 'drain-spool', every: 500, step: drainSpool, wakes: ['dispatch'] },
      { name: 'dispatch', every: 500, step: dispatch, wakes: ['dispatch'] },
      ...Array.from({ length: options.recorders ?? 2 }, (_, index) => ({
        name: `record-${index + 1}`,
        every: 0,
        step: recordReports,
        wakes: ['dispatch', 'settle-sessions', 'crawl'],
      })),
      { name: 'reap', every: 500, step: reap, wakes: ['dispatch'] },
      { name: 'promote', every: 250, step: promote, wakes: ['dispatch'] },
      { name: 'settle-sessions', every: 1_000, step: settleSessions },
      { name: 'crawl', every: 1_000, step: crawl, wakes: ['dispatch'] },
      { name: 'group-postings', every: 2_000, step: groupPostings, wakes: ['announce'] },
      { name: 'group-products', every: 2_000, step: createGroupProducts(store) },
      { name: 'announce', every: 2_000, step: announce, wakes: ['alert-files'] },
      { name: 'alert-files', every: 10_000, step: writeAlertFiles },
      { name: 'quality', every: 2_000, step: judgeArticles, wakes: ['quality'] },
      { name: 'list-items', every: 2_000, step: createListing(store), wakes: ['group-products'] },
      { name: 'roll-up', every: ROLL_UP_EVERY_MS, step: rollUp },
      {
        name: 'note-queue',
        every: NOTE_QUEUE_EVERY_MS,
        step: createNoteQueue({ store, sites: options.sites ?? null }),
      },
      { name: 'tally', every: 2_000, step: () => tallies.write(), atEnd: () => tallies.write() },
      { name: 'breaker', every: 1_000, step: breaker.step },
      { name: 'trim', every: 60_000, step: trim },
      { name: 'evidence', every: 1_000, step: evidence.keep, wakes: ['evidence'] },
      { name: 'trim-evidence', every: 60_000, step: evidence.trim },
      { name: 'count-dead-letters', every: 60_000, step: () => store.foldDeadLetterCounts() },
    ],
    onError,
  );
  const unsubscribe = wire.onWake(() => {
    loops.wake('drain-spool');
    loops.wake('dispatch');
  });

  return {
    async stop() {
      unsubscribe();
      await loops.stop();
    },
  };
}

/** Enough of a report to find it, never its content. */
function nameOf(report: unknown): object {
  const { type, task_id, attempt, worker } = report as Record<string, unknown>;
  return { type, task_id, attempt, worker };
}
