// Runs a source over many parameters in this process, with the same attempts and the same retry policy as workers and orchestrator have.
import { setTimeout as sleep } from 'node:timers/promises';
import { ITEMS_FIELD, type Item } from '../../../model/item/item.ts';
import type { Result, ResultMetadata, TaskError, TaskMessage } from '../../../model/task/messages.ts';
import { afterFailure, type Past, RETRY_POLICY } from '../../../model/task/retry.ts';
import type { Source } from '../../../sources/define.ts';
import type { Web } from '../../../web/port.ts';
import { runAttempt } from '../../../worker/attempt.ts';

export interface Outcome {
  params: Record<string, unknown>;
  items: unknown[];
  error: TaskError | null;
  attempts: number;
  /** Of the last attempt. */
  metadata: ResultMetadata;
}

export interface ScrapeAllOptions {
  source: Source;
  params: Record<string, unknown>[];
  concurrency: number;
  maxRetries: number;
  timeoutSeconds: number;
  signal: AbortSignal;
  webFor(source: Source, signal: AbortSignal, task: TaskMessage): Web;
  onOutcome(outcome: Outcome): void;
}

/** A person waits in front of this: a site that wants more patience than this is reported instead. */
const LONGEST_WAIT_MS = 30_000;

export async function scrapeAll(options: ScrapeAllOptions): Promise<void> {
  const waiting = options.params.entries();
  const work = async (): Promise<void> => {
    for (const [index, params] of waiting) {
      if (options.signal.aborted) return;
      options.onOutcome(await scrapeOne(params, index, options));
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.concurrency, options.params.length) }, work));
}

async function scrapeOne(params: Record<string, unknown>, index: number, options: ScrapeAllOptions): Promise<Outcome> {
  const { source, maxRetries, signal } = options;
  let past: Past = { band: 'medium', failures: 0, crashes: 0, waits: 0 };
  for (let attempts = 1; ; attempts++) {
    const task = taskOf(params, index, attempts, options);
    const stop = new AbortController();
    const breakOff = () => stop.abort(signal.reason);
    signal.addEventListener('abort', breakOff, { once: true });
    if (signal.aborted) breakOff();
    const items: Item[] = [];
    const keep = (part: Result): void => {
      items.push(...(part[ITEMS_FIELD[source.kind]] ?? []));
    };
    const result = await runAttempt({ task, source, worker: 'here', stop, webFor: options.webFor, onPart: keep });
    keep(result);
    signal.removeEventListener('abort', breakOff);
    if (!result.error) return { params, items, error: null, attempts, metadata: result.metadata };
    const next = afterFailure(past, result.error, {
      maxRetries,
      backoff: 'usual',
      policy: RETRY_POLICY,
      random: Math.random,
    });
    if (!next.retry || next.delayMs > LONGEST_WAIT_MS || signal.aborted)
      return { params, items, error: result.error, attempts, metadata: result.metadata };
    past = next;
    await sleep(next.delayMs, undefined, { signal }).catch(() => {});
  }
}

function taskOf(
  params: Record<string, unknown>,
  index: number,
  attempt: number,
  options: ScrapeAllOptions,
): TaskMessage {
  return {
    task_id: `${options.source.name}-${index + 1}`,
    run_id: 'here',
    scraper_type: options.source.name,
    params,
    priority: 5,
    created_at: new Date().toISOString(),
    timeout: options.timeoutSeconds,
    retry_count: attempt - 1,
    max_retries: options.maxRetries,
    request_id: null,
    attempt,
    suspect: false,
  };
}
