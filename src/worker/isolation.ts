// Runs suspect tasks in separate processes, several at a time. A task that ran on a worker when it crashed may have caused that, or not; another loss
// proves no more if workers are killed for other reasons. Alone in a child process only the task can crash that process, and then it was the task.
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { AppError } from '../model/errors.ts';
import type { EvidenceReport } from '../model/evidence/evidence.ts';
import type { Result, TaskMessage } from '../model/task/messages.ts';
import { toTaskError } from './attempt.ts';

/** To the child. */
export type Order =
  | { type: 'begin'; setting: unknown }
  | { type: 'run'; task: TaskMessage; worker: string }
  | { type: 'stop'; taskId: string };
/** From the child; a result that is not the last is a part. */
export type Answer =
  | { type: 'ready' }
  | { type: 'result'; result: Result }
  /** After the result. */
  | { type: 'evidence'; evidence: EvidenceReport };

export interface IsolationOptions {
  /** What the child runs; it answers with `answerOrders`. */
  script: URL;
  /** Handed to it first. */
  setting: unknown;
  idleMs?: number;
  onEvidence?(evidence: EvidenceReport): void;
  /** At most this many processes; default: one per core. */
  processes?: number;
}

export interface IsolatedRun {
  task: TaskMessage;
  worker: string;
  signal: AbortSignal;
  onPart(part: Result): void;
}

export interface Isolation {
  /** Waits for a process that is free. Null when it was stopped, or the child was stopped: then nothing is known about the task. */
  run(run: IsolatedRun): Promise<Result | null>;
  close(): Promise<void>;
}

const START_MS = 60_000;
const IDLE_MS = 30_000;
/** After the time limit of the task, which the child enforces: for a task that never returns. */
const OVERTIME_MS = 5_000;
const CRASHED = 'crashed: the task crashed its workers, and then the separate process it ran in';
/** Signals of a process that was stopped on purpose. */
const TOLD = new Set([0, 130, 143]);

export function createIsolation({ processes = availableParallelism(), ...options }: IsolationOptions): Isolation {
  const all = Array.from({ length: processes }, () => createSeparateProcess(options));
  const free = [...all];
  const waiting: ((one: Isolation) => void)[] = [];
  return {
    async run(run) {
      const one = free.pop() ?? (await new Promise<Isolation>((resolve) => waiting.push(resolve)));
      try {
        return run.signal.aborted ? null : await one.run(run);
      } finally {
        const next = waiting.shift();
        if (next) next(one);
        else free.push(one);
      }
    },
    async close() {
      await Promise.all(all.map((one) => one.close()));
    },
  };
}

/** One process for one task at a time; started when it is needed, and again if it ended. */
function createSeparateProcess({
  script,
  setting,
  onEvidence,
  idleMs = IDLE_MS,
}: Omit<IsolationOptions, 'processes'>): Isolation {
  let started: Promise<ChildProcess> | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): Promise<ChildProcess> {
    const child = fork(script, { serialization: 'json' });
    const late = setTimeout(() => child.kill('SIGKILL'), START_MS);
    const ready = new Promise<ChildProcess>((resolve, reject) => {
      child.once('message', () => resolve(child));
      child.once('error', reject);
      child.once('exit', (code, signal) => {
        if (started === ready) started = undefined;
        reject(new Error(`the process for suspect tasks exited with ${signal ?? code} at its start`));
      });
    }).finally(() => clearTimeout(late));
    child.on('message', (answer: Answer) => {
      if (answer.type === 'evidence') onEvidence?.(answer.evidence);
    });
    order(child, { type: 'begin', setting });
    return ready;
  }

  async function run({ task, worker, signal, onPart }: IsolatedRun): Promise<Result | null> {
    clearTimeout(idle);
    started ??= start();
    const child = await started;
    if (signal.aborted) return null;
    const began = performance.now();
    let parts = 0;
    return new Promise((resolve) => {
      const overtime = setTimeout(
        () => {
          finish(failed(new AppError('task_timeout', `timeout after ${task.timeout}s`)));
          child.kill('SIGKILL');
        },
        task.timeout * 1_000 + OVERTIME_MS,
      );
      const onMessage = (answer: Answer): void => {
        if (answer.type !== 'result' || answer.result.task_id !== task.task_id) return;
        if (answer.result.last) finish(answer.result);
        else {
          parts = answer.result.part;
          onPart(answer.result);
        }
      };
      const onExit = (code: number | null): void =>
        finish(code !== null && TOLD.has(code) ? null : failed(new AppError('crashed', CRASHED)));
      const onStop = (): void => {
        order(child, { type: 'stop', taskId: task.task_id });
        finish(null);
      };
      function finish(result: Result | null): void {
        clearTimeout(overtime);
        child.off('message', onMessage).off('exit', onExit);
        signal.removeEventListener('abort', onStop);
        resolve(result);
      }
      const failed = (error: AppError): Result => ({
        ...failedResult(task, worker, error, performance.now() - began),
        part: parts + 1,
      });
      child.on('message', onMessage).on('exit', onExit);
      signal.addEventListener('abort', onStop, { once: true });
      order(child, { type: 'run', task, worker });
    });
  }

  async function close(): Promise<void> {
    clearTimeout(idle);
    const child = await started?.catch(() => undefined);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }

  return {
    async run(one) {
      try {
        return await run(one);
      } finally {
        clearTimeout(idle);
        idle = setTimeout(() => void close(), idleMs).unref();
      }
    },
    close,
  };
}

/** A child that accepts no orders has ended or is about to: its exit is the error to report, not that of the channel. */
function order(child: ChildProcess, message: Order): void {
  child.send(message, () => {});
}

function failedResult(task: TaskMessage, worker: string, error: AppError, ms: number): Result {
  return {
    type: 'result',
    task_id: task.task_id,
    run_id: task.run_id,
    request_id: task.request_id,
    ...(task.traceparent ? { traceparent: task.traceparent } : {}),
    attempt: task.attempt,
    part: 1,
    last: true,
    status: 'failed',
    scraper_type: task.scraper_type,
    execution_time: Math.round(ms) / 1_000,
    metadata: {
      proxy_used: null,
      requests_made: 0,
      rate_limited: false,
      captcha_encountered: false,
      pages_requested: 1,
      pages_completed: 0,
      bytes: 0,
      worker,
    },
    completed_at: new Date().toISOString(),
    error: toTaskError(error),
  };
}
