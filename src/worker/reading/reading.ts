// Runs sources in threads, so that no page stops this one. Many runs share a thread. A thread that computes for one run is watched from here: after a moment
// the others move to other threads, and at the limit the thread is ended, and that run with it.
// What a reader would get wrong: time is CPU time of the thread. On a busy machine a harmless page takes seconds by the clock.
import { AppError } from '../../model/errors.ts';
import type { RunSource, SourceRun } from '../run-source.ts';
import { createPlacedRun, type PlacedRun } from './placed-run.ts';
import { type Seen, startThread, type Thread } from './thread.ts';

export interface ReadingOptions {
  /** What a thread runs; it answers with `answerReading`. */
  script: URL;
  /** Handed to it. */
  more: unknown;
  /** Threads for runs that nothing is wrong with. */
  threads: number;
  limits?: Partial<ReadingLimits>;
}

export interface ReadingLimits {
  /** CPU of one page: from its answer until the source asks for something or waits. */
  pageCpuMs: number;
  taskCpuMs: number;
  heapMb: number;
  /** After so much CPU for one page, the other runs of the thread move elsewhere. */
  slowCpuMs: number;
  /** By the clock, for when the thread does not even say what CPU it has used. */
  pageMs: number;
  /** Threads that may work on slow pages at a time. */
  slow: number;
  idleMs: number;
}

const LIMITS: ReadingLimits = {
  pageCpuMs: 5_000,
  taskCpuMs: 60_000,
  heapMb: 512,
  slowCpuMs: 300,
  pageMs: 30_000,
  slow: 1,
  idleMs: 30_000,
};

export interface Reading {
  run: RunSource;
  close(): Promise<void>;
}

const WATCH_EVERY_MS = 100;
/** A thread with fewer runs takes more before another thread is started. */
const RUNS_BEFORE_NEXT = 4;

const tooLong = (page: string | null) => unreadable('took too long', page);
const tooLarge = (page: string | null) => unreadable('needed too much memory', page);
const unreadable = (why: string, page: string | null) =>
  new AppError('unreadable', `unreadable page: ${why}${page === null ? '' : ` (${page})`}`);
/** Nothing is wrong with such a run: a worker gives its task back, and nothing is counted. */
const endedBeside = () => new AppError('cancelled', 'The thread was ended because of another page.');

export function createReading(options: ReadingOptions): Reading {
  const limits = { ...LIMITS, ...options.limits };
  const threads = new Set<Thread>();
  const room = { bytes: 0 };
  /** Slow ones that wait for their turn to be alone. */
  const line: PlacedRun[] = [];
  let watching: NodeJS.Timeout | undefined;
  let isClosed = false;

  const sound = (): Thread[] => [...threads].filter((one) => !one.isSlow && !one.isAlone && !one.hasEnded);
  const slowOnes = (): number => [...threads].filter((one) => one.isSlow || one.isAlone).length;

  function start(): Thread {
    const thread = startThread({
      script: options.script,
      more: options.more,
      limits,
      onError: (error) => lose(thread, error),
      onExit() {
        threads.delete(thread);
        lose(thread, null);
        nextInLine();
      },
      onIdle() {
        thread.isAlone = false;
        nextInLine();
      },
    });
    threads.add(thread);
    return thread;
  }

  function pick(): Thread {
    const all = sound();
    const [best] = all.toSorted((a, b) => a.runs.size - b.runs.size);
    const isEnough = best !== undefined && (best.runs.size < RUNS_BEFORE_NEXT || all.length >= options.threads);
    return isEnough ? best : start();
  }

  function place(run: PlacedRun, thread: Thread): void {
    run.placeOn(thread);
    watching ??= setInterval(watch, WATCH_EVERY_MS).unref();
  }

  /** Alone on a thread, as soon as there is a place for a slow one. */
  function lineUp(run: PlacedRun): void {
    run.leave();
    line.push(run);
    nextInLine();
  }

  function nextInLine(): void {
    while (line.length > 0 && slowOnes() < limits.slow && !isClosed) {
      const run = line.shift()!;
      if (run.isOver) continue;
      const thread = start();
      thread.isAlone = true;
      place(run, thread);
    }
  }

  function watch(): void {
    let runs = 0;
    for (const thread of threads) {
      runs += thread.runs.size;
      void thread.look().then((seen) => seen && judge(thread, seen));
    }
    if (runs > 0 || line.length > 0) return;
    clearInterval(watching);
    watching = undefined;
  }

  function judge(thread: Thread, seen: Seen): void {
    if (thread.hasEnded) return;
    if (!seen.isBusy) {
      // It got through after all.
      const wasSlow = thread.isSlow;
      thread.isSlow = false;
      if (wasSlow) nextInLine();
      return;
    }
    if (seen.cpuMs > limits.pageCpuMs || seen.ms > limits.pageMs) end(thread, tooLong);
    else if (seen.cpuMs > limits.slowCpuMs && !thread.isSlow && !thread.isAlone) setApart(thread);
  }

  /** The thread goes on with its page; what is waiting behind it moves away. */
  function setApart(thread: Thread): void {
    const slow = thread.working();
    if (slowOnes() >= limits.slow && slow?.canMove) {
      end(thread, 'alone');
      return;
    }
    thread.isSlow = true;
    for (const run of thread.runs.values()) if (run !== slow && run.isWaiting) moveOn(run);
  }

  const moveOn = (run: PlacedRun): void => {
    if (run.canMove) place(run, pick());
  };

  /** Undefined where it is not known which one it works on: then alone each of them shows it. */
  const culprit = (thread: Thread): PlacedRun | undefined =>
    thread.working() ?? (thread.runs.size === 1 ? [...thread.runs.values()][0] : undefined);

  /** Ends a thread: the run it works on gets what `become` says, the others go on elsewhere. */
  function end(thread: Thread, become: 'alone' | ((page: string | null) => AppError)): void {
    const at = culprit(thread);
    const page = at?.page ?? null;
    const others = [...thread.runs.values()].filter((run) => run !== at);
    thread.end();
    if (at !== undefined) {
      if (become === 'alone') lineUp(at);
      else at.fail(become(page));
    }
    for (const run of others) {
      if (run.canMove && at === undefined) lineUp(run);
      else if (run.canMove) place(run, pick());
      else run.fail(at === undefined ? new AppError('internal', 'The thread of the source was ended.') : endedBeside());
    }
  }

  /** It ended by itself: out of memory, or by an error that nobody caught. */
  function lose(thread: Thread, error: (Error & { code?: string }) | null): void {
    if (thread.hasEnded) return;
    const failed = () => new AppError('internal', error?.message ?? 'The source ended its thread.');
    // Several runs may have filled it together: alone it is clear which.
    const filled = thread.runs.size > 1 && culprit(thread)?.canMove ? 'alone' : tooLarge;
    end(thread, error?.code === 'ERR_WORKER_OUT_OF_MEMORY' ? filled : failed);
  }

  return {
    run(order: SourceRun) {
      if (isClosed) return Promise.reject(endedBeside());
      const run = createPlacedRun(order, room, moveOn);
      if (!run.isOver) place(run, pick());
      return run.done;
    },
    async close() {
      isClosed = true;
      clearInterval(watching);
      const all = [...threads];
      for (const run of [...line.splice(0), ...all.flatMap((one) => [...one.runs.values()])]) run.fail(endedBeside());
      await Promise.all(all.map((thread) => thread.end()));
    },
  };
}
