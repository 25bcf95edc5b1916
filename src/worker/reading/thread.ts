// One reading thread as the main thread sees it: what runs on it, what it works on, what CPU that takes. It is told, never asked to agree: a thread that
// computes hears nothing.
import { Worker } from 'node:worker_threads';
import type { ThreadData } from './inside.ts';
import { AT, type FromThread, type ToThread, WATCH_BYTES, watchOf } from './messages.ts';
import type { PlacedRun } from './placed-run.ts';

export interface ThreadOptions {
  script: URL;
  more: unknown;
  limits: { heapMb: number; taskCpuMs: number; idleMs: number };
  onError(error: Error): void;
  onExit(): void;
  /** Its last run has left. */
  onIdle(): void;
}

export interface Seen {
  /** It has worked on the same thing since it was last looked at. */
  isBusy: boolean;
  /** For what it works on; 0 as long as it is not known. */
  cpuMs: number;
  ms: number;
}

export interface Thread {
  readonly runs: ReadonlyMap<number, PlacedRun>;
  /** Its other runs are kept from waiting for what it works on. */
  isSlow: boolean;
  /** For one run only. */
  isAlone: boolean;
  readonly hasEnded: boolean;
  add(id: number, run: PlacedRun): void;
  remove(id: number): void;
  /** Whether the run is the thread's to go on with: only then the thread holds the process open. */
  hold(id: number, isHeld: boolean): void;
  /** Returns the number of the message. */
  post(message: ToThread): number;
  /** Number of the last message that it has begun with. */
  taken(): number;
  working(): PlacedRun | undefined;
  look(): Promise<Seen | null>;
  end(): Promise<unknown>;
}

/** For a thread to start, and for the code of a source to load. */
const START_MS = 60_000;
/** Where Node cannot say what CPU a thread has used, this part of the time counts. */
const CPU_PART = 1 / 3;

export function startThread({ script, more, limits, onError, onExit, onIdle }: ThreadOptions): Thread {
  const memory = new SharedArrayBuffer(WATCH_BYTES);
  const { counts, cpu } = watchOf(memory);
  const data: ThreadData = { watch: memory, taskCpuMs: limits.taskCpuMs, more };
  const worker = new Worker(script, {
    // Without the flags of the process: `node --input-type=module -e …` would keep a thread from starting.
    execArgv: [],
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
  });
  const runs = new Map<number, PlacedRun>();
  const held = new Set<number>();
  let sent = 0;
  let queued: ToThread[] = [];
  let isRefed = true;
  let hasEnded = false;
  let isReady = false;
  let isAsking = false;
  let last: { turn: number; taken: number; since: number; cpuMs: number | undefined } | undefined;
  let idle: NodeJS.Timeout | undefined;
  const late = setTimeout(() => onError(new Error('A reading thread did not start.')), START_MS).unref();

  worker.on('message', (message: FromThread) => {
    if (message.type === 'ready') {
      isReady = true;
      clearTimeout(late);
    } else for (const said of message.said) runs.get(said.id)?.hear(said);
  });
  worker.on('error', onError);
  worker.on('exit', () => {
    clearTimeout(late);
    clearTimeout(idle);
    onExit();
  });

  const flush = (): void => {
    const all = queued;
    queued = [];
    if (!hasEnded) worker.postMessage(all);
  };

  const cpuUsed = async (): Promise<number | null> => {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1_000;
  };

  const thread: Thread = {
    runs,
    isSlow: false,
    isAlone: false,
    get hasEnded() {
      return hasEnded;
    },
    add(id, run) {
      clearTimeout(idle);
      runs.set(id, run);
      thread.hold(id, true);
    },
    hold(id, isHeld) {
      if (isHeld) held.add(id);
      else held.delete(id);
      if (isRefed === held.size > 0) return;
      isRefed = held.size > 0;
      if (isRefed) worker.ref();
      else worker.unref();
    },
    remove(id) {
      thread.hold(id, false);
      if (!runs.delete(id) || runs.size > 0 || hasEnded) return;
      idle = setTimeout(() => void thread.end(), limits.idleMs).unref();
      onIdle();
    },
    post(message) {
      // One message for all that is said in one turn of the loop: each costs both threads as much as a hundred kilobytes do.
      if (queued.push(message) === 1) setImmediate(flush);
      return ++sent;
    },
    taken: () => Atomics.load(counts, AT.taken),
    working: () => runs.get(Atomics.load(counts, AT.run)),
    async look() {
      if (!isReady || hasEnded) return null;
      const [turn, taken, run] = [Atomics.load(counts, AT.turn), thread.taken(), Atomics.load(counts, AT.run)];
      const now = performance.now();
      if ((run === 0 && taken >= sent) || last?.turn !== turn || last.taken !== taken) {
        last = { turn, taken, since: now, cpuMs: run === 0 ? undefined : cpu[0] };
        return { isBusy: false, cpuMs: 0, ms: 0 };
      }
      const { since } = last;
      const unknown = { isBusy: true, cpuMs: 0, ms: now - since };
      if (Atomics.load(counts, AT.loading) > 0) return { ...unknown, ms: unknown.ms - START_MS };
      if (isAsking) return unknown;
      if (worker.cpuUsage === undefined) return { ...unknown, cpuMs: unknown.ms * CPU_PART };
      isAsking = true;
      // It ended meanwhile, or was ended.
      const used = await cpuUsed().catch(() => null);
      isAsking = false;
      if (used === null || last.turn !== turn || Atomics.load(counts, AT.turn) !== turn) return null;
      last.cpuMs ??= used;
      return { ...unknown, cpuMs: used - last.cpuMs };
    },
    end() {
      hasEnded = true;
      clearTimeout(late);
      clearTimeout(idle);
      runs.clear();
      return worker.terminate();
    },
  };
  return thread;
}
