// One task in this process: attempts at a source under the same retry policy as workers and orchestrator have, until it is done or given up.
// What a reader would get wrong: an attempt that fails keeps what it found. Items that were handed on before are left out of the next attempt.
import { setTimeout as sleep } from 'node:timers/promises';
import { attemptFor } from '../../compose/attempt.ts';
import { AppError, asAppError } from '../../model/errors.ts';
import type { Item } from '../../model/item/item.ts';
import type { ResultMetadata, TaskMessage } from '../../model/task/messages.ts';
import { afterFailure, type Past, RETRY_POLICY } from '../../model/task/retry.ts';
import { retryWaits } from '../../model/task/retry-table.ts';
import type { Source } from '../../sources/define.ts';
import { findSource } from '../../sources/find.ts';
import type { WebLedger } from '../../web/port.ts';
import type { Webs } from '../../web/web.ts';
import { metadataOf, toTaskError } from '../../worker/attempt.ts';
import { collectNotes } from '../../worker/notes.ts';
import type { Reading } from '../../worker/reading/reading.ts';
import { runHere } from '../../worker/run-source.ts';
import { startDeadline } from './deadline.ts';

/** What is asked of one source. */
export interface Task {
  source: Source;
  params: Record<string, unknown>;
  /** For people: the URL, the item, the search term. */
  target: string | null;
  /** Most items that are wanted; null: all there are. */
  wanted: number | null;
  /** The same for the same item in another attempt. */
  keyOf(item: Item): string;
}

export interface Outcome {
  task: Task;
  found: number;
  error: AppError | null;
  attempts: number;
  /** Of the last attempt. */
  metadata: ResultMetadata;
}

export interface TaskLimits {
  /** After the first attempt. */
  maxRetries: number;
  /** Of one attempt, without the time that the reader of the items takes. */
  timeoutSeconds: number;
}

export interface TaskRun extends TaskLimits {
  /** Different for each task of a scrape: it decides which proxy comes first. */
  id: string;
  webs: Webs;
  reading: Reading;
  signal: AbortSignal;
  /** A promise makes the source wait. */
  onItem(item: Item): Promise<void> | undefined;
}

/** Somebody waits for this: a site that wants more patience is reported instead. */
const LONGEST_WAIT_MS = 30_000;
const POLICY = {
  ...RETRY_POLICY,
  waits: retryWaits([
    'timeout=1s/4s/15s',
    'network=1s/4s/15s',
    'http_5xx=1s/4s/15s',
    'internal=1s',
    'rate_limited=5s/15s',
  ]),
};

export async function runTask(task: Task, run: TaskRun): Promise<Outcome> {
  const { maxRetries, signal } = run;
  const seen = new Set<string>();
  let past: Past = { band: 'medium', failures: 0, crashes: 0, waits: 0 };
  for (let attempts = 1; ; attempts++) {
    const { error, metadata } = await attempt(task, attempts, seen, run);
    const outcome: Outcome = { task, found: seen.size, error, attempts, metadata };
    if (error === null || signal.aborted) return outcome;
    // Its thread was ended because of another page.
    if (error.code === 'cancelled') {
      attempts--;
      continue;
    }
    const next = afterFailure(past, toTaskError(error), {
      maxRetries,
      backoff: 'usual',
      policy: POLICY,
      random: Math.random,
    });
    if (!next.retry || next.delayMs > LONGEST_WAIT_MS) return outcome;
    past = next;
    // Aborted meanwhile: the next attempt says so.
    await sleep(next.delayMs, undefined, { signal }).catch(() => {});
  }
}

async function attempt(
  task: Task,
  number: number,
  seen: Set<string>,
  run: TaskRun,
): Promise<Pick<Outcome, 'error' | 'metadata'>> {
  const { source, wanted } = task;
  const stop = new AbortController();
  const breakOff = () => stop.abort(run.signal.reason);
  run.signal.addEventListener('abort', breakOff, { once: true });
  if (run.signal.aborted) breakOff();
  const deadline = startDeadline(run.timeoutSeconds * 1_000, () =>
    stop.abort(new AppError('task_timeout', `timeout after ${run.timeoutSeconds}s`)),
  );
  const noted = collectNotes();
  let ledger: WebLedger | undefined;
  let error: AppError | null = null;
  try {
    // An object that a caller made is known to this thread only.
    const isBuiltIn = (await findSource(source.name)) === source;
    const runSource = isBuiltIn ? run.reading.run : runHere(() => source);
    await runSource({
      source: source.name,
      params: task.params,
      notes: noted.notes,
      signal: stop.signal,
      openWeb(found) {
        const web = run.webs.forAttempt(attemptFor(found, stop.signal, messageOf(task, number, run)));
        ledger = web.ledger;
        return web;
      },
      async onItem(item) {
        const key = task.keyOf(item);
        if (seen.has(key) || (wanted !== null && seen.size >= wanted)) return;
        seen.add(key);
        const waiting = run.onItem(item);
        if (waiting === undefined) return;
        deadline.pause();
        await waiting;
        deadline.resume();
      },
    });
  } catch (thrown) {
    error = asAppError(stop.signal.aborted ? stop.signal.reason : thrown);
  } finally {
    deadline.clear();
    run.signal.removeEventListener('abort', breakOff);
  }
  return { error, metadata: { ...metadataOf(ledger, 'here', error === null), ...noted.metadata() } };
}

/** The task as a worker would get it. */
function messageOf(task: Task, attempt: number, run: TaskRun): TaskMessage {
  return {
    task_id: run.id,
    run_id: 'here',
    scraper_type: task.source.name,
    params: task.params,
    priority: 5,
    created_at: new Date().toISOString(),
    timeout: run.timeoutSeconds,
    retry_count: attempt - 1,
    max_retries: run.maxRetries,
    request_id: null,
    attempt,
    suspect: false,
  };
}
