// Runs the source of one archived task again, on its archived pages and nothing else, and compares what it reads with what it read then.
import { differencesOf, type ItemDifference } from '../../../model/item/differences.ts';
import { ITEMS_FIELD } from '../../../model/item/item.ts';
import { masksIn } from '../../../model/secrets.ts';
import type { Result, TaskMessage } from '../../../model/task/messages.ts';
import type { SourceRegistry } from '../../../source-modules/registry.ts';
import type { ArchiveContent, ArchivedTask } from '../../../web/archive/read-archive.ts';
import { replayWeb } from '../../../web/archive/replay.ts';
import { runAttempt } from '../../../worker/attempt.ts';
import { runHere } from '../../../worker/run-source.ts';

export interface ReplayedTask {
  task_id: string | null;
  run_id: string | null;
  source: string;
  params: Record<string, unknown>;
  /** Items then; null where the archive does not say what was read. */
  before: number | null;
  now: number;
  error: string | null;
  warnings: string[];
  skipped: { id: string | null; reason: string }[];
  /** Requests that the archive has no answer to: what depends on them was not read. */
  missing: string[];
  differences: ItemDifference[];
}

export interface ReplayContext {
  registry: SourceRegistry;
  robots: ArchiveContent['robots'];
  settings: ReadonlyMap<string, string>;
}

const LIMIT_SECONDS = 600;
/** Keys and tokens are hidden in the archive, so another value does as well. */
const ANY_KEY = 'hidden';

/** Null: nothing says what was asked for, and it is not a page that can be read for itself. */
export async function replayTask(task: ArchivedTask, context: ReplayContext): Promise<ReplayedTask[]> {
  if (task.params) return [await replayOnce(task, task.source ?? '', task.params, context)];
  const isArticle = task.source === null || task.source === 'article';
  const pages = isArticle ? [...task.exchanges.values()].filter(({ status }) => status >= 200 && status < 300) : [];
  const replayed: ReplayedTask[] = [];
  for (const { url } of pages)
    replayed.push({ ...(await replayOnce(task, 'article', { url }, context)), before: null, differences: [] });
  return replayed;
}

async function replayOnce(
  task: ArchivedTask,
  source: string,
  params: Record<string, unknown>,
  { registry, robots, settings }: ReplayContext,
): Promise<ReplayedTask> {
  const missing = new Set<string>();
  const items: unknown[] = [];
  const keep = (result: Result): void => {
    for (const field of Object.values(ITEMS_FIELD)) for (const item of result[field] ?? []) items.push(item);
  };
  const result = await runAttempt({
    task: messageOf(task, source, params),
    runSource: runHere((name) => registry.get(name)),
    worker: 'replay',
    stop: new AbortController(),
    webFor: (_source, signal) =>
      replayWeb(task, robots, {
        signal,
        setting: (name) => (task.settings.includes(name) ? (settings.get(`${source}.${name}`) ?? ANY_KEY) : null),
        onMissing: (request) => void missing.add(request),
      }),
    onPart: keep,
  });
  keep(result);
  const hidden = masksIn(params);
  return {
    task_id: task.id,
    run_id: task.runId,
    source,
    params,
    before: task.items.length,
    now: items.length,
    error: result.error?.message ?? null,
    warnings: [
      ...(result.metadata.warnings ?? []),
      ...(hidden.length > 0 ? [`hidden in the archive, and so not as they were: ${hidden.join(', ')}`] : []),
    ],
    skipped: result.metadata.skipped ?? [],
    missing: [...missing],
    differences: differencesOf(task.items, items),
  };
}

const messageOf = (task: ArchivedTask, source: string, params: Record<string, unknown>): TaskMessage => ({
  task_id: task.id ?? 'replay',
  run_id: task.runId ?? 'replay',
  scraper_type: source,
  params,
  priority: 5,
  created_at: new Date().toISOString(),
  timeout: LIMIT_SECONDS,
  retry_count: 0,
  max_retries: 0,
  request_id: null,
  attempt: 1,
  suspect: false,
});
