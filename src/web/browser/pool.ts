// Browsers that stay up: one process, a context and a page per session, kept for the session's next page because a fresh context costs four
// times a reused one. Recycled by pages, age and memory; rebuilt after a crash, with nothing left of the old one. No more pages
// at a time than cores: more would only cost memory.
import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { BrowserContext, Browser as Driver, Page } from 'playwright-core';
import { AppError } from '../../model/errors.ts';
import { SCREENSHOT_MAX_BYTES } from '../../model/evidence/evidence.ts';
import { timeoutError } from '../http/http-errors.ts';
import type { TakePicture } from '../seen.ts';
import type { Browser, BrowserCounts, RenderedPage, RenderRequest } from './browser.ts';
import { type BrowserChoice, findBrowser, loadDriver, NO_BROWSER } from './find-browser.ts';
import { browserError, preparePage, renderOn, takePicture } from './page.ts';
import { markedProcesses, memoryBytes } from './process-tree.ts';

export interface BrowserPoolOptions extends BrowserChoice {
  /** Pages open at a time. */
  maxPages?: number;
  /** Contexts kept for their sessions. */
  maxContexts?: number;
  /** A browser is replaced after so many pages, this long, or at this memory. */
  recycle?: { pages?: number; ageMs?: number; memoryBytes?: number };
  /** Images, fonts and films are not loaded unless this is false. */
  blocksResources?: boolean;
  random?: () => number;
}

interface Entry {
  context: BrowserContext;
  page: Page;
  inUse: number;
  /** Pages it has shown. */
  shown: number;
}

interface Running {
  driver: Driver;
  mark: string;
  startedAt: number;
  pages: number;
  /** Pages in a row that timed out or crashed. */
  failures: number;
  userAgent: string;
  contexts: Map<number, Entry>;
  /** No new pages; closed when the last one is done. */
  isRetired: boolean;
  inUse: number;
}

const CLOSE_LIMIT_MS = 3_000;
const MEMORY_CHECK_PAGES = 20;
/** A browser that fails so often in a row is not trusted with another page, whatever it says of itself. */
const MAX_FAILURES = 3;
const ARGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
  '--disable-quic',
  '--disable-blink-features=AutomationControlled',
  // WebRTC would otherwise reach the network beside the proxy.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--dns-prefetch-disable',
];

export interface BrowserPool extends Browser {
  readonly pids: number[];
  counts(): BrowserCounts;
}

export function createBrowserPool(options: BrowserPoolOptions = {}): BrowserPool {
  const maxPages = options.maxPages ?? Math.max(1, availableParallelism());
  const maxContexts = options.maxContexts ?? maxPages * 4;
  const recycle = { pages: 200, ageMs: 1_800_000, memoryBytes: 1_500_000_000, ...options.recycle };
  const random = options.random ?? Math.random;
  const marks = new Set<string>();
  const closing = new Set<Promise<void>>();
  const waiting: (() => void)[] = [];
  let current: Promise<Running> | null = null;
  let open = 0;
  const totals = { pages: 0, failedPages: 0, launches: 0 };
  let isClosed = false;

  const enter = async (signal: AbortSignal): Promise<void> => {
    if (open >= maxPages) {
      await new Promise<void>((resolve, reject) => {
        const onAbort = () => {
          waiting.splice(waiting.indexOf(go), 1);
          reject(new AppError('cancelled'));
        };
        const go = () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.push(go);
      });
    }
    open += 1;
  };
  const leave = () => {
    open -= 1;
    waiting.shift()?.();
  };

  const launch = async (): Promise<Running> => {
    const executablePath = await findBrowser(options);
    if (executablePath === null) throw new AppError('no_browser', NO_BROWSER);
    const mark = `--windrow-browser=${randomUUID()}`;
    const chromium = await loadDriver(options.driver);
    const driver = await chromium.launch({
      executablePath,
      headless: true,
      args: [...ARGS, mark],
      chromiumSandbox: process.getuid?.() !== 0,
      // A context without a proxy of its own must not have a network: port 9 discards.
      proxy: { server: 'http://127.0.0.1:9' },
    });
    marks.add(mark);
    totals.launches += 1;
    const running: Running = {
      driver,
      mark,
      startedAt: performance.now(),
      pages: 0,
      failures: 0,
      // The real user agent, without the word "Headless".
      userAgent: await ownUserAgent(driver),
      contexts: new Map(),
      isRetired: false,
      inUse: 0,
    };
    driver.on('disconnected', () => {
      running.isRetired = true;
      if (current !== null) current = null;
      killMarked(mark);
      marks.delete(mark);
    });
    return running;
  };

  const browserNow = async (): Promise<Running> => {
    if (isClosed) throw new AppError('cancelled');
    current ??= launch();
    try {
      const running = await current;
      const isOld = running.pages >= recycle.pages || performance.now() - running.startedAt > recycle.ageMs;
      const isHeavy =
        running.pages % MEMORY_CHECK_PAGES === MEMORY_CHECK_PAGES - 1 &&
        memoryBytes(markedProcesses(running.mark)) > recycle.memoryBytes;
      if (!running.isRetired && !isOld && !isHeavy && running.failures < MAX_FAILURES) return running;
      current = null;
      retire(running);
      current = launch();
      return await current;
    } catch (error) {
      current = null;
      throw error instanceof AppError
        ? error
        : new AppError('no_browser', 'the browser could not be started', { cause: error });
    }
  };

  const retire = (running: Running) => {
    running.isRetired = true;
    if (running.inUse === 0) void closeDriver(running);
  };

  const contextFor = async (running: Running, request: RenderRequest): Promise<Entry> => {
    const known = running.contexts.get(request.session.id);
    if (known !== undefined && known.inUse === 0) {
      running.contexts.delete(request.session.id);
      running.contexts.set(request.session.id, known);
      return known;
    }
    for (const [id, idle] of running.contexts) {
      if (running.contexts.size < maxContexts) break;
      if (idle.inUse > 0) continue;
      running.contexts.delete(id);
      idle.context.close().catch(() => {});
    }
    const context = await openContext(running, request);
    const entry = { context, page: await preparePage(context, options.blocksResources ?? true), inUse: 0, shown: 0 };
    // A second page of a session at the same time gets a context that is not kept.
    if (known === undefined) running.contexts.set(request.session.id, entry);
    return entry;
  };

  const render = async (request: RenderRequest): Promise<RenderedPage> => {
    await enter(request.signal);
    try {
      const running = await browserNow();
      running.inUse += 1;
      running.pages += 1;
      totals.pages += 1;
      try {
        return await renderIn(running, request);
      } catch (error) {
        if (!request.signal.aborted) totals.failedPages += 1;
        throw error;
      } finally {
        running.inUse -= 1;
        if (running.isRetired && running.inUse === 0) void closeDriver(running);
      }
    } finally {
      leave();
    }
  };

  const renderIn = async (running: Running, request: RenderRequest): Promise<RenderedPage> => {
    const deadlineAt = performance.now() + request.timeoutMs;
    const limited = <T>(work: Promise<T>, page: Page | null) =>
      withinLimits(work, running.driver, page, request, deadlineAt);
    let entry: Entry | null = null;
    let isSound = false;
    try {
      const opening = contextFor(running, request);
      entry = await limited(opening, null).catch((error) => {
        // Comes too late for this page: nobody would ever close it.
        opening.then(({ context }) => context.close()).catch(() => {});
        throw error;
      });
      entry.inUse += 1;
      entry.shown += 1;
      const shown = await limited(renderOn(entry.page, request, random), entry.page);
      isSound = true;
      running.failures = 0;
      return { ...shown, picture: pictureOf(entry, entry.shown) };
    } catch (error) {
      if (request.signal.aborted) throw new AppError('cancelled');
      const failure = browserError(error, request.timeoutMs);
      if (failure.code === 'timeout' || failure.code === 'network') running.failures += 1;
      throw failure;
    } finally {
      if (entry !== null) {
        entry.inUse -= 1;
        const isListed = running.contexts.get(request.session.id) === entry;
        if (!isSound || !isListed) {
          if (isListed) running.contexts.delete(request.session.id);
          await closeWithin(entry.context.close(), () => killMarked(running.mark));
        }
      }
    }
  };

  /** Null once the page shows another, is about to, or is gone. */
  const pictureOf =
    (entry: Entry, shown: number): TakePicture =>
    async () => {
      if (entry.inUse > 0 || entry.shown !== shown || entry.page.isClosed()) return null;
      entry.inUse += 1;
      try {
        return await takePicture(entry.page, SCREENSHOT_MAX_BYTES);
      } finally {
        entry.inUse -= 1;
      }
    };

  const closeDriver = (running: Running): Promise<void> => {
    const closed = closeWithin(running.driver.close(), () => killMarked(running.mark)).finally(() =>
      closing.delete(closed),
    );
    closing.add(closed);
    return closed;
  };

  return {
    render,
    counts: () => ({ ...totals, openPages: open, waitingPages: waiting.length }),
    get pids() {
      return [...marks].flatMap((mark) => markedProcesses(mark).map(({ pid }) => pid));
    },
    async close() {
      isClosed = true;
      const running = await current?.catch(() => null);
      if (running) void closeDriver(running);
      await Promise.all(closing);
      for (const mark of marks) killMarked(mark);
    },
  };
}

async function openContext(running: Running, request: RenderRequest): Promise<BrowserContext> {
  const { session } = request;
  const context = await running.driver.newContext({
    // `<-loopback>` takes away Chromium's habit of reaching loopback without the proxy.
    proxy: { server: request.proxyUrl, bypass: '<-loopback>' },
    userAgent: running.userAgent,
    locale: session.locale,
    viewport: session.profile?.viewport ?? { width: 1366, height: 768 },
    acceptDownloads: false,
    serviceWorkers: 'block',
    permissions: [],
    ...(session.timezone === null ? {} : { timezoneId: session.timezone }),
    ...(session.geolocation === null ? {} : { geolocation: session.geolocation, permissions: ['geolocation'] }),
  });
  const { intercept } = request;
  if (intercept !== null) {
    await context.route('**/*', async (route) => {
      const answer = await intercept(route.request().url()).catch(() => null);
      if (answer === null) return route.abort('blockedbyclient');
      const { 'content-encoding': _, 'transfer-encoding': __, 'content-length': ___, ...headers } = answer.headers;
      return route.fulfill({ status: answer.status, headers, body: answer.body });
    });
  }
  return context;
}

/** The work, or whichever ends it first: deadline, cancellation, crash of the page or of the whole browser. */
function withinLimits<T>(
  work: Promise<T>,
  driver: Driver,
  page: Page | null,
  request: RenderRequest,
  deadlineAt: number,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new AppError('cancelled'));
    const onGone = () => reject(new AppError('network', 'the browser crashed'));
    const timer = setTimeout(
      () => reject(timeoutError(request.timeoutMs)),
      Math.max(1, deadlineAt - performance.now()),
    );
    request.signal.addEventListener('abort', onAbort, { once: true });
    driver.on('disconnected', onGone);
    page?.on('crash', onGone);
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', onAbort);
      driver.off('disconnected', onGone);
      page?.off('crash', onGone);
    });
  });
}

async function closeWithin(closing: Promise<void>, kill: () => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      kill();
      resolve();
    }, CLOSE_LIMIT_MS);
  });
  // What is already gone cannot be closed, and need not be.
  await Promise.race([closing.catch(() => {}), late]);
  clearTimeout(timer);
}

function killMarked(mark: string): void {
  for (const { pid } of markedProcesses(mark)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Ended by itself meanwhile.
    }
  }
}

async function ownUserAgent(driver: Driver): Promise<string> {
  const context = await driver.newContext();
  try {
    const page = await context.newPage();
    return (await page.evaluate(() => navigator.userAgent)).replace('HeadlessChrome', 'Chrome');
  } finally {
    await context.close();
  }
}
