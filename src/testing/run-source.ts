// Runs a source as a worker does (its parameters, the real web layer, its items checked) against saved pages on a server of this process. No address
// outside is reached, nothing waits for the pace of a site, and robots.txt is not asked.
import { ITEMS_FIELD, type ItemOf, type Kind } from '../model/item/item.ts';
import type { ResultMetadata, TaskError, TaskMessage } from '../model/task/messages.ts';
import { startSandbox } from '../sandbox/server.ts';
import { checkedSource } from '../sources/checked.ts';
import type { Source } from '../sources/define.ts';
import { createWeb } from '../web/web.ts';
import { runAttempt } from '../worker/attempt.ts';
import { runHere } from '../worker/run-source.ts';
import { hostPages, type PageRequest, type SavedPages } from './saved-pages.ts';

export interface RunOptions {
  pages: SavedPages;
  /** A fault of the sandbox that strikes every address: `500`, `captcha`, `truncated` (docs/sandbox.md). One that passes by itself strikes once. */
  fault?: string;
  /** Attempts at most, as a worker's task has them; 1 unless told. Nothing waits between them. */
  attempts?: number;
  /** What SOURCE_SETTINGS gives the source: `{ app_key: '…' }`. */
  settings?: Readonly<Record<string, string>>;
  /** For one page; 10 s unless told. */
  timeoutMs?: number;
}

export interface SourceRun<K extends Kind = Kind> {
  /** Of the last attempt. */
  items: ItemOf[K][];
  error: TaskError | null;
  /** What the source said with `web.warn`. */
  warnings: string[];
  /** What it said with `notes.skipped` and `notes.incomplete`. */
  skipped: { id: string | null; reason: string }[];
  incomplete: string[];
  /** Everything that was asked for, in order. A request that a fault answered is not among them. */
  requests: PageRequest[];
  attempts: number;
}

const TASK_SECONDS = 120;
const TIMEOUT_MS = 10_000;

/** Throws when the source asked for an address that is not among the pages. */
export async function runSource<P, K extends Kind>(
  source: Source<P, K>,
  params: Record<string, unknown>,
  options: RunOptions,
): Promise<SourceRun<K>> {
  const host = hostPages(options.pages);
  const faults = options.fault === undefined ? {} : { faults: { rate: 1, kinds: [options.fault], maxStrikes: 1 } };
  const sandbox = await startSandbox({ replicas: [host.replica], ...faults });
  try {
    for (let attempt = 1; ; attempt++) {
      const run = await runOnce(source, params, { ...options, attempt, origin: sandbox.origin });
      if (host.missing.length > 0) throw new Error(missingText(source.name, host.missing, options.pages));
      if (run.error?.retryable && attempt < (options.attempts ?? 1)) continue;
      return { ...run, requests: host.requests, attempts: attempt };
    }
  } finally {
    await sandbox.close();
  }
}

interface Once extends RunOptions {
  attempt: number;
  origin: string;
}

async function runOnce<P, K extends Kind>(
  source: Source<P, K>,
  params: Record<string, unknown>,
  { settings = {}, timeoutMs = TIMEOUT_MS, attempt, origin }: Once,
): Promise<Omit<SourceRun<K>, 'requests' | 'attempts'>> {
  const { name } = source;
  // Of its own: what one attempt learnt of a host must not make the next one wait.
  const webs = createWeb({
    hostMap: `*=${origin}`,
    guard: { allow: ['127.0.0.1'] },
    robots: 'off',
    timeoutMs,
    paces: new Map([[name, { concurrency: 100, delayMs: 0 }]]),
    sourceSettings: new Map(Object.entries(settings).map(([key, value]) => [`${name}.${key}`, value])),
  });
  const items: ItemOf[K][] = [];
  const field = ITEMS_FIELD[source.kind];
  const keep = (part: { [field in (typeof ITEMS_FIELD)[Kind]]?: unknown[] }): void => {
    items.push(...((part[field] ?? []) as ItemOf[K][]));
  };
  try {
    const result = await runAttempt({
      task: taskOf(name, params, attempt),
      runSource: runHere(() => checkedSource(source) as unknown as Source),
      worker: 'test',
      stop: new AbortController(),
      webFor: (_source, signal) =>
        webs.forAttempt({ source: name, signal, ...(source.policy && { policy: source.policy }) }),
      onPart: keep,
    });
    keep(result);
    return { items, error: result.error, ...saidIn(result.metadata) };
  } finally {
    await webs.close();
  }
}

function saidIn({ warnings = [], skipped = [], incomplete = [] }: ResultMetadata) {
  return { warnings, skipped, incomplete };
}

const taskOf = (source: string, params: Record<string, unknown>, attempt: number): TaskMessage => ({
  task_id: 'test',
  run_id: 'test',
  scraper_type: source,
  params,
  priority: 5,
  created_at: new Date().toISOString(),
  timeout: TASK_SECONDS,
  retry_count: attempt - 1,
  max_retries: 0,
  request_id: null,
  attempt,
  suspect: false,
});

function missingText(source: string, missing: readonly string[], pages: SavedPages): string {
  const saved = Object.keys(pages);
  const known = saved.length === 0 ? 'No page is saved.' : `Saved are:\n  ${saved.join('\n  ')}`;
  return `${source} asked for pages that are not saved:\n  ${[...new Set(missing)].join('\n  ')}\n${known}`;
}
