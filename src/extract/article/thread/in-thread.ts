// Extraction beside the event loop: pages above a size go to a thread, so that a worker's heartbeat never waits for one.
// What a reader would get wrong: a thread past its deadline is ended, not asked. Nothing inside it can be trusted to look at a
// clock, and a new thread costs less than a stopped heartbeat. The caller closes the extractor.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../../model/errors.ts';
import { type ExtractedArticle, type ExtractOptions, extractArticle } from '../index.ts';

/** `.ts` in a clone, `.js` in a package. */
const THREAD = new URL(`./thread${extname(import.meta.url)}`, import.meta.url);

export interface ThreadedOptions {
  /** Pages up to this many characters are done at once, in the caller's own time. */
  inlineChars: number;
  deadlineMs: number;
  threads: number;
  /** Pages waiting beyond this are refused: a queue that only grows is no queue. */
  maxWaiting: number;
}

export const THREADED_DEFAULTS: ThreadedOptions = {
  inlineChars: 600_000,
  deadlineMs: 10_000,
  threads: 1,
  maxWaiting: 200,
};

export interface ArticleExtractor {
  extract(
    html: string,
    url?: string | null,
    options?: ExtractOptions & { signal?: AbortSignal },
  ): Promise<ExtractedArticle>;
  close(): Promise<void>;
}

interface Job {
  html: string;
  url: string | null;
  options: ExtractOptions;
  signal: AbortSignal | undefined;
  resolve: (outcome: ExtractedArticle | AppError) => void;
}

export function createArticleExtractor(given: Partial<ThreadedOptions> = {}): ArticleExtractor {
  const limits = { ...THREADED_DEFAULTS, ...given };
  const waiting: Job[] = [];
  const idle: Worker[] = [];
  const alive = new Set<Worker>();
  let closed = false;

  const next = () => {
    while (waiting.length > 0 && (idle.length > 0 || alive.size < limits.threads)) run(waiting.shift()!);
  };

  const run = (job: Job) => {
    const worker = idle.pop() ?? startThread();
    alive.add(worker);
    worker.ref();
    const finish = (outcome: ExtractedArticle | AppError, isSound: boolean) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      job.signal?.removeEventListener('abort', onAbort);
      if (isSound && !closed) {
        worker.unref();
        idle.push(worker);
      } else {
        alive.delete(worker);
        void worker.terminate();
      }
      job.resolve(outcome);
      next();
    };
    const onAbort = () => finish(new AppError('cancelled', 'the extraction was cancelled'), false);
    const timer = setTimeout(
      () => finish(new AppError('task_timeout', `the page took longer than ${limits.deadlineMs} ms to read`), false),
      limits.deadlineMs,
    );
    job.signal?.addEventListener('abort', onAbort, { once: true });
    const onMessage = (article: ExtractedArticle) => finish(article, true);
    const onError = (cause: unknown) =>
      finish(new AppError('internal', 'the extraction thread failed', { cause }), false);
    const onExit = () => finish(new AppError('internal', 'the extraction thread ended'), false);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage({ html: job.html, url: job.url, options: job.options });
  };

  return {
    async extract(html, url = null, { signal, ...options } = {}) {
      signal?.throwIfAborted();
      if (html.length <= limits.inlineChars) return extractArticle(html, url, options);
      if (closed) throw new AppError('internal', 'the extractor is closed');
      if (waiting.length >= limits.maxWaiting)
        throw new AppError('internal', `${waiting.length} pages already wait for a thread`);
      const outcome = await new Promise<ExtractedArticle | AppError>((resolve) => {
        waiting.push({ html, url, options, signal, resolve });
        next();
      });
      if (outcome instanceof AppError) throw outcome;
      return outcome;
    },
    async close() {
      closed = true;
      for (const job of waiting.splice(0)) job.resolve(new AppError('cancelled', 'the extractor was closed'));
      await Promise.all([...alive].map((worker) => worker.terminate()));
    },
  };
}

function startThread(): Worker {
  // Without the flags of the process: `node --input-type=module -e …` would keep a thread from starting.
  return new Worker(THREAD, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 512 } });
}
