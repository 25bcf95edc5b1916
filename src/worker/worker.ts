// Takes tasks, runs them, reports results. It uses the wire only. While it holds a task it sends a heartbeat every few seconds; if the answer is that
// the lease is lost, it stops the task.
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../model/errors.ts';
import { countItems } from '../model/task/count-items.ts';
import type { Report, Result, TaskMessage, TaskRef, WebTotals, WorkerBeat } from '../model/task/messages.ts';
import { type Span, type Tracing, traceField } from '../model/trace/trace.ts';
import type { Wire } from '../wire/port.ts';
import { type AttemptOptions, runAttempt } from './attempt.ts';
import { createDrainOrders } from './drain-orders.ts';
import type { EvidenceKeeper } from './evidence.ts';
import type { Isolation } from './isolation.ts';
import { createOutbox } from './outbox.ts';
import type { RunSource } from './run-source.ts';

export interface WorkerOptions {
  name: string;
  wire: Wire;
  lanes: string[];
  /** Names of the sources it has besides those that are built in: told with every beat. */
  ownSources?: readonly string[];
  slots: number;
  /** Where sources run. */
  runSource: RunSource;
  webFor: AttemptOptions['webFor'];
  /** Where suspect tasks run; without it they run in this process, and one that crashes it again is given up. Closed with the worker. */
  isolation?: Isolation;
  /** Sources whose code that other process cannot have: their suspects run here all the same. */
  isOnlyHere?(source: string): boolean;
  /** Keeps the pages of attempts that fail; without it none is kept. */
  evidence?: EvidenceKeeper;
  heartbeatMs: number;
  /** Web counters by source; sent with every heartbeat. */
  webTotals?(): Record<string, WebTotals>;
  version: string;
  counts?: WorkerCounts;
  /** Null or left out: no traces. */
  trace?: Tracing | null;
  log(level: 'debug' | 'info' | 'warn' | 'error', event: string, fields: object): void;
}

/** What it tells of its work, for metrics. */
export interface WorkerCounts {
  started(source: string): void;
  ended(result: Result): void;
}

export interface Worker {
  /** Takes effect at the next take; running tasks are not stopped. */
  setSlots(slots: number): void;
  readonly busy: number;
  /** Results that are not sent yet. */
  readonly unsent: number;
  /** Takes no new tasks, waits up to `graceMs` for running ones, returns the others to the queue at no cost, sends the last reports. */
  drain(graceMs: number): Promise<void>;
}

interface Held {
  /** What is traced of it is part of the span. */
  task: TaskMessage;
  span: Span | undefined;
  since: number;
  stop: AbortController;
  /** False while a suspect waits, or runs in isolation: it is held, but it cannot be what takes the worker down. */
  hasStarted: boolean;
  /** In the parts that were sent so far. */
  items: number;
  /** Resolves when the slot is free again. */
  done: Promise<void>;
}

/** Unrecorded reports on the wire past which no new task is taken. */
const MAX_BACKLOG = 20_000;
const BACK_PRESSURE_MS = 20;
const FLUSH_MS = 3_000;
/** Younger tasks are not in a heartbeat: most are over before it is heard, and each costs a write in the store. */
const YOUNG_MS = 1_000;
const ISOLATION_RETRY_MS = 1_000;
/** Far more than a wire holds at a time. */
const MAX_STOPPED = 20_000;

export function startWorker(options: WorkerOptions): Worker {
  const { wire, log, name } = options;
  const held = new Map<string, Held>();
  /** Attempts that were stopped while they were still on the wire, by task: the message is there, but nobody wants it any more. */
  const stopped = new Map<string, number>();
  /** Ended, and the result is not sent yet: on a slow link their lease would run out meanwhile. */
  const unsent = new Map<Report, { task: TaskRef; since: number }>();
  const stopping = new AbortController();
  const startedAt = new Date().toISOString();
  const outbox = createOutbox({
    async send(reports) {
      await wire.report(reports);
      for (const one of reports) unsent.delete(one);
    },
    onError: (error) => log('warn', 'worker.report_failed', { worker: name, error: String(error) }),
  });
  let slots = options.slots;
  let freed: (() => void) | undefined;
  const youngMs = Math.min(YOUNG_MS, options.heartbeatMs);
  let soon: NodeJS.Timeout | undefined;
  let alone: Promise<void> = Promise.resolve();
  stopping.signal.addEventListener('abort', () => stopTaking(), { once: true });

  const unsubscribe = wire.onCancel((tasks) => {
    for (const { task_id, attempt } of tasks) {
      const one = held.get(task_id);
      if (one && one.task.attempt === attempt) one.stop.abort(new AppError('cancelled'));
      else rememberStopped(task_id, attempt);
    }
  });

  /** A take that waits for tasks; ended by a drain, too. */
  let taking = new AbortController();
  const orders = createDrainOrders({
    wire,
    name,
    onChange(isDrained) {
      if (isDrained) taking.abort();
      else freed?.();
      log('info', isDrained ? 'worker.drained' : 'worker.resumed', { worker: name, busy: held.size });
      void heartbeat();
    },
  });

  const unsubscribeWishes = wire.onEvidenceAsked((wishes) => {
    for (const wish of wishes) options.evidence?.asked(wish);
  });

  function rememberStopped(taskId: string, attempt: number): void {
    stopped.delete(taskId);
    stopped.set(taskId, attempt);
    const oldest = stopped.size > MAX_STOPPED ? stopped.keys().next().value : undefined;
    if (oldest !== undefined) stopped.delete(oldest);
  }

  function take(taken: TaskMessage): void {
    const other = held.get(taken.task_id);
    // A message that came twice, or late: the attempt we have is the one with the lease.
    if (other && other.task.attempt >= taken.attempt) return;
    if ((stopped.get(taken.task_id) ?? 0) >= taken.attempt) return;
    // The same task again with a higher attempt: its old lease was lost, and the new one is ours as well.
    other?.stop.abort(new AppError('cancelled', 'The lease of the task was lost.'));
    const { task, span } = options.trace ? begunSpan(options.trace, taken) : { task: taken, span: undefined };
    const stop = new AbortController();
    const one: Held = {
      task,
      span,
      since: performance.now(),
      stop,
      hasStarted: !task.suspect,
      items: 0,
      done: Promise.resolve(),
    };
    held.set(task.task_id, one);
    options.counts?.started(task.scraper_type);
    log('info', 'task.started', idsOf(task));
    one.done = (task.suspect ? runSuspect(one) : run(one)).finally(() => {
      if (held.get(task.task_id) === one) held.delete(task.task_id);
      freed?.();
    });
  }

  async function run(one: Held): Promise<void> {
    const { task, stop } = one;
    const result = await runAttempt({
      task,
      runSource: options.runSource,
      worker: name,
      stop,
      webFor: options.webFor,
      onPart: (part) => sendPart(one, part),
      onEnded: (ended) => options.evidence?.ended(ended),
    });
    end(one, result);
  }

  function sendPart(one: Held, part: Result): void {
    one.items += countItems(part);
    outbox.add(part);
  }

  function end(one: Held, result: Result | null): void {
    if (result !== null && result.error?.category !== 'cancelled') {
      options.counts?.ended(result);
      unsent.set(result, { task: result, since: performance.now() });
      outbox.add(result);
      tellEnd(one, result.status, result);
    } else {
      // Either somebody has decided about this task, and a result would be stale; or it was ended because of another one.
      const { aborted } = one.stop.signal;
      if (!aborted) giveBack([one.task]);
      tellEnd(one, aborted ? 'stopped' : 'returned', result);
    }
  }

  function tellEnd({ task, span, since, items }: Held, outcome: string, result: Result | null): void {
    log('info', 'task.ended', {
      ...idsOf(task),
      outcome,
      seconds: result?.execution_time ?? Math.round(performance.now() - since) / 1_000,
      items: items + (result ? countItems(result) : 0),
      ...(result ? { requests: result.metadata.requests_made, bytes: result.metadata.bytes } : {}),
      ...(result?.error ? { category: result.error.category, error: result.error.message } : {}),
    });
    span?.end({
      attributes: {
        'windrow.task.outcome': outcome,
        'windrow.task.items': items + (result ? countItems(result) : 0),
        'windrow.task.requests': result?.metadata.requests_made,
      },
      error: result?.error?.category,
      message: result?.error?.message,
    });
  }

  const idsOf = ({ task_id, run_id, request_id, scraper_type, attempt, traceparent }: TaskMessage) => ({
    task_id,
    run_id,
    request_id,
    ...traceField(traceparent),
    site_name: scraper_type,
    attempt,
    worker: name,
  });

  const runSuspect = (one: Held): Promise<void> =>
    options.isolation && !options.isOnlyHere?.(one.task.scraper_type)
      ? runIsolated(one, options.isolation)
      : runAlone(one);

  /** A suspect without a process of its own: one at a time, and only after the orchestrator could hear that it starts. */
  async function runAlone(one: Held): Promise<void> {
    const before = alone;
    let release: () => void = () => {};
    alone = new Promise((resolve) => {
      release = resolve;
    });
    try {
      await before;
      if (one.stop.signal.aborted) return end(one, null);
      one.hasStarted = true;
      await heartbeat();
      await run(one);
    } finally {
      release();
    }
  }

  async function runIsolated(one: Held, isolation: Isolation): Promise<void> {
    const { task, stop } = one;
    try {
      const onPart = (part: Result) => sendPart(one, part);
      end(one, await isolation.run({ task, worker: name, signal: stop.signal, onPart }));
    } catch (error) {
      // No process could be started: somebody else may be able to.
      log('warn', 'worker.isolation_failed', { ...idsOf(task), error: String(error) });
      await pause(ISOLATION_RETRY_MS, stop.signal);
      end(one, null);
    }
  }

  /** Suspects that wait or run in other processes keep no slot from other tasks. At most `slots` of them are held. */
  function freeSlots(): number {
    let suspects = 0;
    for (const one of held.values()) if (!one.hasStarted) suspects++;
    return slots - held.size + Math.min(suspects, slots);
  }

  const mayTake = async (): Promise<boolean> => !outbox.isFull && (await wire.backlog()) < MAX_BACKLOG;

  function stopTaking(): void {
    taking.abort();
    freed?.();
  }

  /** Nothing is taken before it was asked whether anything may be. */
  async function takeLoop(): Promise<void> {
    let failures = 0;
    await firstOrders;
    while (!stopping.signal.aborted) {
      if (orders.isDrained || freeSlots() <= 0) {
        await new Promise<void>((resolve) => {
          freed = resolve;
        });
        freed = undefined;
        continue;
      }
      try {
        if (!(await mayTake())) await pause(BACK_PRESSURE_MS);
        else {
          taking = new AbortController();
          if (orders.isDrained || stopping.signal.aborted) continue;
          const tasks = await wire.takeTasks(options.lanes, freeSlots(), taking.signal);
          // Taken in the moment of stopping: given back like the ones that did not finish.
          if (taking.signal.aborted) giveBack(tasks);
          else {
            for (const task of tasks) take(task);
            if (tasks.length > 0) beatSoon();
          }
        }
        failures = 0;
      } catch (error) {
        if (failures === 0) log('warn', 'worker.take_failed', { worker: name, error: String(error) });
        await pause(Math.min(1_000, 50 * 2 ** failures++));
      }
    }
  }

  function giveBack(tasks: TaskMessage[]): void {
    if (tasks.length > 0) outbox.add({ type: 'returned', worker: name, tasks: tasks.map(refOf) });
  }

  const askOrders = (): Promise<void> =>
    orders.ask().catch((error) => log('debug', 'worker.beat_failed', { worker: name, error: String(error) }));

  async function heartbeat(): Promise<void> {
    // Beside it: the heartbeat waits for nothing.
    void askOrders();
    const sentAt = new Date().toISOString();
    const isOld = ({ task, since }: Pick<Held, 'since'> & { task: TaskRef & { suspect?: boolean } }): boolean =>
      task.suspect === true || performance.now() - since >= youngMs;
    const old = [...held.values()].filter(isOld);
    const late = [...unsent.values()].filter(isOld);
    if (old.length + late.length < held.size + unsent.size) beatSoon();
    const beat: WorkerBeat = {
      worker: name,
      host: hostname(),
      pid: process.pid,
      version: options.version,
      lanes: options.lanes,
      ...(options.ownSources?.length ? { sources: [...options.ownSources] } : {}),
      slots,
      busy: held.size,
      rss_bytes: process.memoryUsage.rss(),
      started_at: startedAt,
      sent_at: sentAt,
      draining: stopping.signal.aborted || orders.isDrained,
      ...(options.webTotals ? { web: options.webTotals() } : {}),
    };
    const refs = (all: { task: TaskRef }[]): TaskRef[] => all.map(({ task }) => refOf(task));
    try {
      await wire.beat(beat, {
        type: 'held',
        worker: name,
        tasks: refs(old.filter((one) => one.hasStarted)),
        waiting: refs([...old.filter((one) => !one.hasStarted), ...late]),
        sent_at: sentAt,
      });
    } catch (error) {
      log('debug', 'worker.beat_failed', { worker: name, error: String(error) });
    }
  }

  /** After tasks were taken: until the worker speaks of them, their leases are those of tasks that nobody has. */
  function beatSoon(): void {
    soon ??= setTimeout(() => {
      soon = undefined;
      void heartbeat();
    }, youngMs);
  }

  const firstOrders = askOrders();
  void heartbeat();
  const timer = setInterval(() => void heartbeat(), options.heartbeatMs);
  const loop = takeLoop();
  log('info', 'worker.started', { worker: name, lanes: options.lanes, sources: options.ownSources ?? [], slots });

  return {
    setSlots(count) {
      slots = count;
      freed?.();
    },
    get busy() {
      return held.size;
    },
    get unsent() {
      return unsent.size;
    },
    async drain(graceMs) {
      stopping.abort();
      void heartbeat();
      await loop;
      const finished = Promise.all([...held.values()].map((one) => one.done));
      const grace = new AbortController();
      await Promise.race([finished, pause(graceMs, grace.signal)]);
      grace.abort();
      const left = [...held.values()];
      giveBack(left.map((one) => one.task));
      for (const one of left) one.stop.abort(new AppError('cancelled', 'The worker stopped.'));
      clearInterval(timer);
      clearTimeout(soon);
      unsubscribe();
      unsubscribeWishes();
      orders.close();
      await options.isolation?.close();
      await outbox
        .flush(FLUSH_MS)
        .catch((error) => log('error', 'worker.unsent', { worker: name, error: String(error) }));
      outbox.close();
      if (options.evidence) await Promise.race([options.evidence.flush(), pause(FLUSH_MS, grace.signal)]);
      log('info', 'worker.stopped', { worker: name, returned: left.length });
    },
  };
}

/** The attempt as a span; whoever goes on with the task is part of it. */
function begunSpan(trace: Tracing, task: TaskMessage): { task: TaskMessage; span: Span } {
  const span = trace.begin({
    name: `process ${task.scraper_type}`,
    kind: 'consumer',
    parent: task.traceparent,
    attributes: {
      'messaging.system': 'windrow',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': task.scraper_type,
      'messaging.message.id': task.task_id,
      'windrow.run.id': task.run_id,
      'windrow.task.attempt': task.attempt,
    },
  });
  return { task: { ...task, traceparent: span.traceparent }, span };
}

const refOf = ({ task_id, attempt }: TaskRef): TaskRef => ({ task_id, attempt });

/** An aborted pause ends early. */
const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  sleep(ms, undefined, signal ? { signal } : {}).catch(() => {});
