// A scrape: tasks run side by side in this process, and one reader takes what they find. It starts with the first read and ends with the last item, when
// the reader leaves, or when its signal aborts; then nothing of it is left open. What fails is kept as a value: one site's failure is not the others'.
// What a reader would get wrong: at most BUFFER items wait for the reader. With more, the sources wait, and so do their requests.
import { AppError, asAppError, type ErrorCode } from '../../model/errors.ts';
import type { Item } from '../../model/item/item.ts';
import { warningsOf } from '../../model/run/scrape-run.ts';
import type { Webs } from '../../web/web.ts';
import type { Reading } from '../../worker/reading/reading.ts';
import { type Channel, createChannel } from './channel.ts';
import { type Outcome, runTask, type Task, type TaskLimits } from './run-task.ts';

/** Why one site, page or item could not be scraped, or not to its end. */
export interface ScrapeError {
  /** The site, such as `indeed`. */
  site: string;
  /** What was asked of it: the URL, the item, the search term. */
  target: string | null;
  /** What kind of failure it is, such as `blocked`, `robots` or `timeout`. */
  code: ErrorCode;
  /** The same for people. */
  message: string;
  /** It may work at another time. */
  isRetryable: boolean;
  /** How often it was tried. */
  attempts: number;
  /** Items that had been found before it failed; they were handed out. */
  found: number;
}

/** Warnings without a failure: an option that a site does not support, rows that could not be read. */
export interface ScrapeWarning {
  /** The site, such as `indeed`. */
  site: string;
  /** What was asked of it: the URL, the item, the search term. */
  target: string | null;
  /** The warning, for people. */
  message: string;
}

/** How far one site is. */
export interface SiteProgress {
  /** The site, such as `indeed`. */
  site: string;
  /** `failed`: nothing that was asked of it could be scraped to its end. */
  state: 'running' | 'done' | 'failed';
  /** Searches, pages or items that are asked of it. */
  tasks: number;
  /** How many of these are done. */
  completed: number;
  /** How many of these failed. */
  failed: number;
  /** Items found. */
  found: number;
  /** Items wanted; null: all there are. */
  wanted: number | null;
}

/** How far all of it is. */
export interface Progress {
  /** Searches, pages or items that are asked for. */
  tasks: number;
  /** How many of these are done. */
  completed: number;
  /** How many of these failed. */
  failed: number;
  /** Items found. */
  found: number;
  /** Each site by itself. */
  sites: SiteProgress[];
}

/** Items as they are found. Can be read once: a second loop throws. */
export interface Scrape<T> extends AsyncIterable<T> {
  /** Reads to the end. Rejects only when the signal aborts or a callback throws. */
  toArray(): Promise<T[]>;
  /** What failed so far. */
  readonly errors: readonly ScrapeError[];
  /** What else should be known. */
  readonly warnings: readonly ScrapeWarning[];
  /** How far it is. */
  readonly progress: Progress;
}

/** Options of scrapes of every kind. */
export interface ScrapeCallbacks {
  /** Stops the scraping when it aborts: the loop then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Called with every item that is found and with everything that ends. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Called with every error that is added to `errors`. */
  onError?: ((error: ScrapeError) => void) | undefined;
}

export interface OpenedWeb {
  webs: Webs;
  reading: Reading;
  close(): Promise<void>;
}

/** Where the web has to be asked first what there is to do. When that fails, it is an error of `site`. */
export interface TaskFinder {
  site: string;
  target: string;
  findTasks(web: OpenedWeb, signal: AbortSignal): Promise<Task[]>;
}

export interface ScrapePlan<T> extends ScrapeCallbacks, TaskLimits {
  tasks: readonly Task[] | TaskFinder;
  /** Most tasks at a time. */
  concurrency: number;
  openWeb(): Promise<OpenedWeb>;
  toItem(item: Item, task: Task): T;
  /** Called for every task that ends or is aborted. */
  onOutcome?: (outcome: Outcome) => void;
}

/** Items that may wait for the reader. */
const BUFFER = 100;

export function createScrape<T>(plan: ScrapePlan<T>): Scrape<T> {
  const state: ScrapeState = { errors: [], warnings: [], sites: new Map() };
  if (!('findTasks' in plan.tasks)) addTasks(state, plan.tasks);
  let isRead = false;
  const open = (): AsyncIterableIterator<T> => {
    if (isRead)
      throw new AppError(
        'invalid_usage',
        'The results of a scrape can be read only once. Call the function again to scrape again.',
      );
    isRead = true;
    return readScrape(plan, state);
  };
  return {
    [Symbol.asyncIterator]: open,
    async toArray() {
      const items: T[] = [];
      for await (const item of open()) items.push(item);
      return items;
    },
    errors: state.errors,
    warnings: state.warnings,
    get progress() {
      return progressOf(state);
    },
  };
}

interface ScrapeState {
  errors: ScrapeError[];
  warnings: ScrapeWarning[];
  sites: Map<string, SiteProgress>;
}

function addTasks({ sites }: ScrapeState, tasks: readonly Task[]): void {
  for (const { source, wanted } of tasks) {
    const site = sites.get(source.name);
    if (site === undefined) {
      const counts = { tasks: 1, completed: 0, failed: 0, found: 0, wanted };
      sites.set(source.name, { site: source.name, state: 'running', ...counts });
    } else {
      site.tasks += 1;
      site.wanted = site.wanted === null || wanted === null ? null : site.wanted + wanted;
    }
  }
}

function progressOf({ sites: all }: ScrapeState): Progress {
  const sites = [...all.values()].map((site) => ({ ...site }));
  const sum = (name: 'tasks' | 'completed' | 'failed' | 'found') => sites.reduce((total, one) => total + one[name], 0);
  return { tasks: sum('tasks'), completed: sum('completed'), failed: sum('failed'), found: sum('found'), sites };
}

/** Starts with the first `next`; `return` breaks it off, also while a `next` waits. */
function readScrape<T>(plan: ScrapePlan<T>, state: ScrapeState): AsyncIterableIterator<T> {
  const { signal } = plan;
  const channel = createChannel<T>(BUFFER);
  const stop = new AbortController();
  let running: Promise<void> | undefined;

  const fail = (error: unknown): void => {
    channel.fail(error);
    stop.abort(new AppError('cancelled'));
  };
  const onAbort = () => fail(signal?.reason);
  const start = (): Promise<void> => {
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
    return runScrape(plan, state, { channel, fail, signal: stop.signal });
  };
  const ended = async (): Promise<void> => {
    signal?.removeEventListener('abort', onAbort);
    await running;
  };
  const breakOff = (): Promise<void> => {
    stop.abort(new AppError('cancelled'));
    channel.close();
    return ended();
  };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      running ??= start();
      try {
        const taken = await channel.take();
        if (taken !== undefined) return { done: false, value: taken.item };
      } catch (error) {
        await ended();
        throw error;
      }
      await ended();
      return { done: true, value: undefined };
    },
    async return() {
      await breakOff();
      return { done: true, value: undefined };
    },
    async throw(error) {
      await breakOff();
      throw error;
    },
  };
}

/** Never rejects: what goes wrong beside the tasks is thrown at the reader. */
async function runScrape<T>(plan: ScrapePlan<T>, state: ScrapeState, running: Running<T>): Promise<void> {
  let web: OpenedWeb | undefined;
  try {
    if (!running.signal.aborted) {
      web = await plan.openWeb();
      await runTasks(plan, state, web, running);
    }
  } catch (error) {
    running.fail(error);
  }
  try {
    await web?.close();
  } catch (error) {
    running.fail(error);
  }
  running.channel.end();
}

interface Running<T> {
  channel: Channel<T>;
  /** Ends it with this error for the reader. */
  fail(error: unknown): void;
  /** Aborted when nobody reads any more. */
  signal: AbortSignal;
}

async function runTasks<T>(
  plan: ScrapePlan<T>,
  state: ScrapeState,
  web: OpenedWeb,
  { channel, fail, signal }: Running<T>,
): Promise<void> {
  /** A callback that throws ends the scrape with what it threw. */
  const tell = (call: () => void): void => {
    try {
      call();
    } catch (error) {
      fail(error);
    }
  };
  const report = (error: ScrapeError): void => {
    state.errors.push(error);
    tell(() => plan.onError?.(error));
  };
  const tellProgress = (): void => {
    if (plan.onProgress) tell(() => plan.onProgress?.(progressOf(state)));
  };

  const settle = (outcome: Outcome): void => {
    const { task, error, metadata, attempts, found } = outcome;
    tell(() => plan.onOutcome?.(outcome));
    // Broken off by its reader: that is no failure of the site.
    if (signal.aborted) return;
    const site = state.sites.get(task.source.name)!;
    const about = { site: task.source.name, target: task.target };
    for (const message of warningsOf(metadata)) state.warnings.push({ ...about, message });
    if (error === null) site.completed += 1;
    else {
      site.failed += 1;
      report({ ...about, ...described(error), attempts, found });
    }
    if (site.completed + site.failed === site.tasks) site.state = site.completed > 0 ? 'done' : 'failed';
    tellProgress();
  };

  const { tasks } = plan;
  const all = 'findTasks' in tasks ? await foundBy(tasks) : tasks;
  const waiting = all.entries();
  const work = async (): Promise<void> => {
    for (const [index, task] of waiting) {
      if (signal.aborted) return;
      const site = state.sites.get(task.source.name)!;
      settle(
        await runTask(task, {
          id: `${task.source.name}-${index + 1}`,
          ...web,
          signal,
          maxRetries: plan.maxRetries,
          timeoutSeconds: plan.timeoutSeconds,
          onItem(item) {
            if (signal.aborted) return;
            site.found += 1;
            tellProgress();
            const made = plan.toItem(item, task);
            if (channel.isFull) return channel.push(made);
            void channel.push(made);
          },
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: Math.min(plan.concurrency, all.length) }, work));

  async function foundBy(finder: TaskFinder): Promise<Task[]> {
    const { site, target } = finder;
    try {
      const found = await finder.findTasks(web, signal);
      addTasks(state, found);
      return found;
    } catch (thrown) {
      if (!signal.aborted) report({ site, target, ...described(asAppError(thrown)), attempts: 1, found: 0 });
      return [];
    }
  }
}

const described = (error: AppError): Pick<ScrapeError, 'code' | 'message' | 'isRetryable'> => ({
  code: error.code,
  message: error.message,
  isRetryable: error.retry === 'later',
});
