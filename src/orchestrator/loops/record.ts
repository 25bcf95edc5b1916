// Recording: reports come off the wire in batches, and each batch is one transaction. A report that arrives twice, late or out of order finds
// no lease for its attempt and changes nothing.
import type { ErrorCategory } from '../../model/errors.ts';
import { articleKey } from '../../model/item/article.ts';
import { ITEMS_FIELD, KINDS, type Kind } from '../../model/item/item.ts';
import { measureItems } from '../../model/quality/measure.ts';
import type { RunUpdate } from '../../model/run/run.ts';
import { isPaced, type Result, type TaskError, type TaskRef } from '../../model/task/messages.ts';
import { afterFailure, type RetryPolicy, type RetryRule } from '../../model/task/retry.ts';
import { triedOf } from '../../model/task/tried.ts';
import type { ItemBatch } from '../../store/items/items.ts';
import type { MeasuredTask, NewCheck, RulesOf } from '../../store/quality/checks.ts';
import type { ReachedCheckpoint } from '../../store/queue/checkpoints.ts';
import { type Lease, partKey } from '../../store/queue/queue.ts';
import type { LeaseStore } from '../../store/queue/queue-store.ts';
import type { Settled } from '../../store/queue/record.ts';
import type { Reported, Verdict } from '../../store/queue/resolve.ts';
import type { Renew } from '../leases/renew.ts';
import { sortReports } from './sort-reports.ts';

export interface TaskSettled {
  result: Result;
  outcome: 'done' | 'failed' | 'retried' | 'stale';
  category: ErrorCategory | null;
}

export interface RecordOptions {
  store: Pick<LeaseStore, 'resolve'>;
  /** For workers that send what they hold as a report. */
  renew: Renew;
  leaseSeconds: number;
  policy: RetryPolicy;
  random(): number;
  onSettled(settled: TaskSettled): void;
  /** A result, or a part of one, whose items were stored. */
  onItems?(result: Result): void;
  /** By what items are judged. */
  rulesOf?: RulesOf;
  onChecked?(check: NewCheck): void;
  /** Why the breaker of a source has given it up: then its tasks are not retried. */
  givenUp?(source: string): string | null;
  onInvalid(problem: string): void;
  /** Results that arrived before their earlier parts: delivered again in a moment. If they are lost, their lease runs out. */
  onEarly(results: Result[]): void;
  onRenewFailed(error: unknown): void;
}

interface Decided {
  verdict: Verdict;
  log: TaskSettled[];
  early: Result[];
  kept: Result[];
}

/** Kinds whose items are useful one by one: those of a failed attempt are stored too. For the others a partial result is worthless. */
const KEPT_ON_FAILURE: readonly Kind[] = ['posting'];

/** Kinds for which an empty result is a result too, and can be reused. */
const KEPT_WHEN_EMPTY: readonly Kind[] = ['product'];

function itemBatchesOf(result: Result, key: string): ItemBatch[] {
  const kinds = result.status === 'failed' ? KEPT_ON_FAILURE : KINDS;
  const isAll = result.last && result.part === 1;
  return kinds.flatMap((kind) => {
    const items = result[ITEMS_FIELD[kind]];
    return items && (items.length > 0 || (isAll && KEPT_WHEN_EMPTY.includes(kind)))
      ? [
          {
            kind,
            key: keyOfItems(result, key),
            taskId: result.task_id,
            source: result.scraper_type,
            attempt: result.attempt,
            part: result.part,
            items,
            ...(result.provenance && { provenance: result.provenance }),
          },
        ]
      : [];
  });
}

/** What its worker measured; of a worker that does not measure, what came in one piece. */
function measuredTask(result: Result, lease: Lease): MeasuredTask[] {
  const kind = KINDS.find((one) => result[ITEMS_FIELD[one]] !== undefined);
  if (kind === undefined) return [];
  const whole = result.part === 1 ? measureItems(kind, result[ITEMS_FIELD[kind]] as never) : undefined;
  const measure = result.metadata.measure ?? whole;
  const { task_id: taskId, run_id: runId, scraper_type: source, status } = result;
  return measure ? [{ taskId, stream: lease.key, runId, source, kind, measure, isDone: status !== 'failed' }] : [];
}

/** A task of a crawl is of the page, and its article of whoever asks for the address. */
const keyOfItems = ({ crawl, articles_data: [article] = [] }: Result, key: string): string =>
  crawl && article ? articleKey(article.url) : key;

const crawledOf = ({ crawl: findings, articles_data: [article] = [], metadata }: Result): Pick<Settled, 'crawled'> =>
  findings ? { crawled: { findings, articleUrl: article?.url ?? null, bytes: metadata.bytes } } : {};

const checkpointOf = ({ task_id: taskId, checkpoint }: Result): ReachedCheckpoint[] =>
  checkpoint === undefined ? [] : [{ taskId, checkpoint }];

const NO_RETRIES: RetryRule = { maxRetries: 0, backoff: 'usual' };

export function createRecord(options: RecordOptions): (raw: unknown[]) => Promise<RunUpdate[]> {
  const { store } = options;

  function decide(results: Result[], returned: TaskRef[], { leases, parts, retriesOf }: Reported): Decided {
    const verdict: Required<Verdict> = { settled: [], requeued: [], itemBatches: [], checkpoints: [], measured: [] };
    const log: TaskSettled[] = [];
    const early: Result[] = [];
    const kept: Result[] = [];
    for (const result of results) {
      const name = partKey(result);
      if (parts.early.has(name)) {
        early.push(result);
        continue;
      }
      if (!result.last) {
        const key = parts.fresh.get(name);
        parts.fresh.delete(name);
        if (key === undefined) continue;
        verdict.itemBatches.push(...itemBatchesOf(result, key));
        verdict.checkpoints.push(...checkpointOf(result));
        kept.push(result);
        continue;
      }
      const lease = leases.get(result.task_id);
      // Each lease is used once: the second of two equal reports in one batch is stale.
      if (!lease || lease.attempt !== result.attempt) {
        log.push({ result, outcome: 'stale', category: null });
        continue;
      }
      leases.delete(result.task_id);
      kept.push(result);
      log.push({ result, ...judge(result, lease, retriesOf.get(result.task_id) ?? NO_RETRIES, verdict) });
    }
    for (const { task_id, attempt } of returned) {
      const lease = leases.get(task_id);
      if (!lease || lease.attempt !== attempt) continue;
      leases.delete(task_id);
      verdict.requeued.push({ ...lease, lease, delayMs: 0 });
    }
    // Parts may be in another order in the batch; of the same item the later part wins.
    verdict.itemBatches.sort((a, b) => a.part - b.part);
    return { verdict, log, early, kept };
  }

  function judge(
    result: Result,
    lease: Lease,
    rule: RetryRule,
    verdict: Required<Verdict>,
  ): Omit<TaskSettled, 'result'> {
    const attempts = lease.failures + 1;
    verdict.itemBatches.push(...itemBatchesOf(result, lease.key));
    if (result.status !== 'failed') {
      verdict.measured.push(...measuredTask(result, lease));
      const crawled = crawledOf(result);
      verdict.settled.push({ lease, state: 'done', attempts, error: null, metadata: result.metadata, ...crawled });
      return { outcome: 'done', category: null };
    }
    const error: TaskError = result.error ?? {
      category: 'internal',
      message: 'failed without a reason',
      retryable: true,
    };
    const category = error.category as ErrorCategory;
    const { policy, random } = options;
    const givenUp = options.givenUp?.(result.scraper_type) ?? null;
    const next = afterFailure(lease, error, { ...rule, policy, random, isGivenUp: givenUp !== null });
    if (next.retry) {
      const tried = isPaced(error) ? {} : { tried: triedOf(result, error) };
      verdict.requeued.push({ ...next, lease, asked: result.metadata, error, ...tried });
      verdict.checkpoints.push(...checkpointOf(result));
      return { outcome: 'retried', category };
    }
    // A task that waited for its turn was not tried: why its source was given up is the reason.
    const reason = isPaced(error) ? { ...error, code: error.category, message: `${givenUp} (given up)` } : error;
    const { metadata } = result;
    verdict.measured.push(...measuredTask(result, lease));
    verdict.settled.push({ lease, state: 'failed', attempts, error: reason, metadata, tried: triedOf(result, reason) });
    return { outcome: 'failed', category };
  }

  return async (raw) => {
    const { results, held, returned } = await sortReports(raw, options.onInvalid);
    const back = returned.flatMap((one) => one.tasks);
    const parts = results.filter((result) => !result.last || result.part > 1);
    const refs = [...results.filter((result) => result.last), ...back].map(({ task_id, attempt }) => ({
      task_id,
      attempt,
    }));
    let updates: RunUpdate[] = [];
    if (refs.length + parts.length > 0) {
      const failed = results.filter((result) => result.status === 'failed').map((result) => result.task_id);
      const succeeded = results.filter((result) => result.last && result.status !== 'failed');
      const { leaseSeconds, rulesOf } = options;
      const reports = { tasks: refs, parts, failed, succeeded, leaseSeconds, ...(rulesOf && { rulesOf }) };
      let decided: Decided | undefined;
      const resolved = await store.resolve(reports, (reported) => {
        decided = decide(results, back, reported);
        return decided.verdict;
      });
      updates = resolved.updates;
      for (const one of decided?.log ?? []) options.onSettled(one);
      for (const check of resolved.checks) options.onChecked?.(check);
      if (options.onItems) for (const one of decided?.kept ?? []) options.onItems(one);
      if (decided && decided.early.length > 0) options.onEarly(decided.early);
    }
    // After the results: settled tasks have no lease any more. The results are committed, so an outage now must not fail the batch: its updates would be
    // lost. The next heartbeat renews.
    await options.renew(held.map((one) => ({ ...one, seconds: options.leaseSeconds }))).catch(options.onRenewFailed);
    return updates;
  };
}
