// One attempt at a task: runs a source with a hard deadline and returns a result. It never throws, and the deadline frees the slot even if a source never
// returns.
import { AppError, asAppError } from '../model/errors.ts';
import { ITEMS_FIELD, type Item } from '../model/item/item.ts';
import type { Origins } from '../model/provenance/origins.ts';
import { measureItem } from '../model/quality/measure.ts';
import type { Result, ResultMetadata, TaskError, TaskMessage } from '../model/task/messages.ts';
import { asOutage } from '../model/task/outage.ts';
import type { Web, WebLedger } from '../web/port.ts';
import type { AttemptWeb } from '../web/seen.ts';
import type { EndedAttempt } from './evidence.ts';
import { collectNotes } from './notes.ts';
import { collectOrigins } from './provenance.ts';
import type { RunSource, SourceFacts } from './run-source.ts';

export interface AttemptOptions {
  task: TaskMessage;
  /** Where the source runs. */
  runSource: RunSource;
  worker: string;
  /** Aborted with an AppError when the attempt must stop: cancelled, lease lost, shutdown; and by us at the deadline. */
  stop: AbortController;
  webFor(source: SourceFacts, signal: AbortSignal, task: TaskMessage): Web & Partial<Pick<AttemptWeb, 'seen' | 'note'>>;
  /** Items found so far, while the attempt goes on. */
  onPart(part: Result): void;
  /** When it has ended, with what it saw. */
  onEnded?(ended: EndedAttempt): void;
  /** Maximum time that an item waits for others to be sent together; default 2 s. */
  partEveryMs?: number;
}

/** Many items are sent in parts while the attempt runs: memory stays flat, and items survive a crash. */
const ITEMS_PER_PART = 100;
const PART_EVERY_MS = 2_000;

export async function runAttempt(options: AttemptOptions): Promise<Result> {
  const { task, stop, partEveryMs = PART_EVERY_MS } = options;
  const { signal } = stop;
  const started = performance.now();
  let web: ReturnType<AttemptOptions['webFor']> | undefined;
  const timer = setTimeout(() => stop.abort(endOfTime(task, web)), task.timeout * 1_000);
  const progress: Progress = { part: 1, items: [] };
  let source: SourceFacts | undefined;
  let ledger: WebLedger | undefined;
  const noted = collectNotes(task.checkpoint, () => ({
    requested: ledger?.pagesRequested ?? 0,
    completed: ledger?.pagesCompleted ?? 0,
  }));
  let error: TaskError | null = null;

  const origins = collectOrigins();
  const provenanceOf = (found: SourceFacts | undefined): Pick<Result, 'provenance'> => {
    const provenance = origins.take(found?.version ?? 1);
    return provenance ? { provenance } : {};
  };

  const crawled = (last: boolean): Pick<Result, 'crawl'> => {
    const findings = last && error === null ? noted.crawled() : undefined;
    return findings ? { crawl: findings } : {};
  };

  const result = (last: boolean): Result => ({
    type: 'result',
    task_id: task.task_id,
    run_id: task.run_id,
    request_id: task.request_id,
    ...(task.traceparent ? { traceparent: task.traceparent } : {}),
    attempt: task.attempt,
    part: progress.part,
    last,
    status: error ? 'failed' : 'success',
    scraper_type: task.scraper_type,
    execution_time: Math.round(performance.now() - started) / 1_000,
    ...(source ? { [ITEMS_FIELD[source.kind]]: progress.items } : {}),
    ...provenanceOf(source),
    metadata: {
      ...metadataOf(ledger, options.worker, error === null),
      ...(last ? { ...noted.metadata(), measure: noted.measured() } : {}),
    },
    ...(noted.checkpoint() === undefined || (last && error === null) ? {} : { checkpoint: noted.checkpoint() }),
    ...crawled(last),
    completed_at: new Date().toISOString(),
    error,
  });

  const sendPart = (): void => {
    if (signal.aborted || progress.items.length === 0) return;
    web?.note?.({ items: progress.items });
    options.onPart(result(false));
    progress.part++;
    progress.items = [];
  };
  // By a timer and not with the next item, which may be a minute away at a slow rate limit.
  const parts = setInterval(sendPart, partEveryMs);

  const ids = new Set<string>();
  const collect = (item: Item, from?: Origins): void => {
    origins.add(from);
    if (source) measureItem(noted.measure, source.kind, item as never, ids);
    progress.items.push(item);
    if (progress.items.length >= ITEMS_PER_PART) sendPart();
  };

  try {
    await options.runSource({
      source: task.scraper_type,
      params: task.params,
      notes: noted.notes,
      signal,
      openWeb(found) {
        source = found;
        web = options.webFor(found, signal, task);
        ledger = web.ledger;
        web.note?.({ asked: { attempt: task.attempt, goesOn: task.checkpoint !== undefined, params: task.params } });
        ledger.pagesRequested += noted.pagesBefore.requested;
        ledger.pagesCompleted += noted.pagesBefore.completed;
        return web;
      },
      onItem: collect,
    });
  } catch (thrown) {
    error = toTaskError(asAppError(signal.aborted ? signal.reason : thrown));
  } finally {
    clearTimeout(timer);
    clearInterval(parts);
  }
  const last = result(true);
  if (progress.items.length > 0) web?.note?.({ items: progress.items });
  options.onEnded?.({ task, worker: options.worker, result: last, seen: web?.seen });
  return last;
}

/** Time that was spent waiting for a part of ours is no failure of the task. */
const endOfTime = ({ timeout }: TaskMessage, web: Web | undefined): AppError =>
  web?.isHeldUp?.()
    ? asOutage('Redis', `the time limit of ${timeout} s ended while a request waited for its turn`)
    : new AppError('task_timeout', `timeout after ${timeout}s`);

interface Progress {
  part: number;
  items: Item[];
}

export function toTaskError(error: AppError): TaskError {
  return {
    category: error.category,
    // Not the site's doing, and no failure of the source.
    code: error.details?.paced === true ? 'paced' : error.code,
    message: error.message,
    retryable: error.retry === 'later',
    retry_after: error.retryAfterMs === undefined ? null : Math.ceil(error.retryAfterMs / 1_000),
  };
}

export function metadataOf(ledger: WebLedger | undefined, worker: string, ok: boolean): ResultMetadata {
  return {
    proxy_used: ledger?.proxyUsed ?? null,
    requests_made: ledger?.requests ?? 0,
    rate_limited: ledger?.rateLimited ?? false,
    captcha_encountered: ledger?.captchaEncountered ?? false,
    // A source without pages of its own has asked for one: its only one.
    pages_requested: ledger?.pagesRequested || 1,
    pages_completed: ledger?.pagesRequested ? ledger.pagesCompleted : ok ? 1 : 0,
    bytes: ledger?.bytes ?? 0,
    worker,
    ...(ledger?.warnings?.length ? { warnings: ledger.warnings } : {}),
    ...(ledger?.blocks ? { blocks: ledger.blocks } : {}),
    ...(ledger?.unchanged ? { unchanged: ledger.unchanged } : {}),
    ...(ledger?.archived?.length ? { archived: ledger.archived } : {}),
    ...(ledger?.browserMs ? { browser_seconds: ledger.browserMs / 1_000 } : {}),
  };
}
