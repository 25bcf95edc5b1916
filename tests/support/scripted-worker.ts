// A worker worked by hand: it takes tasks off the wire and says what the test wants it to say, when the test wants it. Silence included.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Held, Report, Result, TaskMessage, TaskRef } from '../../src/model/task/messages.ts';
import type { Wire } from '../../src/wire/port.ts';

export interface PuppetOptions {
  lanes?: string[];
  slots?: number;
  /** Slots that it says are in use. */
  busy?: number;
}

export class ScriptedWorker {
  readonly name = `puppet-${randomUUID().slice(0, 8)}`;
  readonly cancelled: TaskRef[] = [];
  readonly #wire: Wire;
  readonly #lanes: string[];
  readonly #slots: number;
  readonly #busy: number;
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #held: Held | undefined;
  #isLeaving = false;

  constructor(wire: Wire, options: PuppetOptions = {}) {
    this.#wire = wire;
    this.#lanes = options.lanes ?? ['http'];
    this.#slots = options.slots ?? 20;
    this.#busy = options.busy ?? 0;
    this.#unsubscribe = wire.onCancel((tasks) => this.cancelled.push(...tasks));
    this.#timer = setInterval(() => this.#beat(), 500);
    this.#beat();
  }

  #beat(): void {
    const now = new Date().toISOString();
    this.#wire
      .beat(
        {
          worker: this.name,
          host: 'test',
          pid: process.pid,
          version: '0',
          lanes: this.#lanes,
          slots: this.#slots,
          busy: this.#busy,
          rss_bytes: 0,
          started_at: now,
          sent_at: now,
          draining: this.#isLeaving,
        },
        this.#held && { ...this.#held, sent_at: now },
      )
      // The next beat comes; a wire that is gone for good shows in the test itself.
      .catch(() => {});
  }

  /** Exactly `count` tasks, or an error after the limit. */
  async take(count: number, limitMs = 60_000): Promise<TaskMessage[]> {
    const tasks: TaskMessage[] = [];
    const limit = AbortSignal.timeout(limitMs);
    while (tasks.length < count) {
      if (limit.aborted) throw new Error(`took ${tasks.length} of ${count} tasks within ${limitMs} ms`);
      tasks.push(...(await this.#wire.takeTasks(this.#lanes, count - tasks.length, limit)));
    }
    return tasks;
  }

  async takeOne(limitMs?: number): Promise<TaskMessage> {
    return (await this.take(1, limitMs))[0]!;
  }

  /** The next task that this run made; others (of cancelled runs, say) are dropped. */
  async takeOneOf(runId: string, limitMs = 60_000): Promise<TaskMessage> {
    const until = performance.now() + limitMs;
    for (;;) {
      const task = await this.takeOne(Math.max(1, Math.round(until - performance.now())));
      if (task.run_id === runId) return task;
    }
  }

  /** What comes within the time, and no complaint if that is nothing. */
  async takeWithin(ms: number, max = 1_000): Promise<TaskMessage[]> {
    const tasks: TaskMessage[] = [];
    const limit = AbortSignal.timeout(ms);
    while (!limit.aborted && tasks.length < max)
      tasks.push(...(await this.#wire.takeTasks(this.#lanes, max - tasks.length, limit)));
    return tasks;
  }

  /** What is there now, without waiting. */
  grab(max: number): Promise<TaskMessage[]> {
    return this.#wire.takeTasks(this.#lanes, max, AbortSignal.abort());
  }

  say(...reports: Report[]): Promise<void> {
    return this.#wire.report(reports);
  }

  succeed(...tasks: TaskMessage[]): Promise<void> {
    return this.say(...tasks.map((task) => success(task)));
  }

  fail(task: TaskMessage, category: string, extra: object = {}): Promise<void> {
    return this.say(failure(task, category, extra));
  }

  hold(...tasks: TaskMessage[]): Promise<void> {
    return this.say({ type: 'held', worker: this.name, tasks: tasks.map(refOf) });
  }

  /** Holds these with every heartbeat from now on, as a worker of ours does. */
  keep(...tasks: TaskMessage[]): void {
    this.#held = { type: 'held', worker: this.name, tasks: tasks.map(refOf) };
    this.#beat();
  }

  giveBack(...tasks: TaskMessage[]): Promise<void> {
    return this.say({ type: 'returned', worker: this.name, tasks: tasks.map(refOf) });
  }

  /** Resolves when the wire has told to stop this attempt. */
  async untilCancelled(task: TaskRef, limitMs = 60_000): Promise<void> {
    const until = performance.now() + limitMs;
    while (!this.cancelled.some((one) => one.task_id === task.task_id && one.attempt === task.attempt)) {
      if (performance.now() > until) throw new Error(`was not told to stop within ${limitMs} ms`);
      await sleep(10);
    }
  }

  /** Gets no more tasks, but goes on with what it has. */
  retire(): void {
    this.#isLeaving = true;
    this.#beat();
  }

  leave(): void {
    clearInterval(this.#timer);
    this.#unsubscribe();
    this.#held = undefined;
    this.retire();
  }
}

export const refOf = ({ task_id, attempt }: TaskRef): TaskRef => ({ task_id, attempt });

/** The article that a puppet finds behind an address. */
export const articleOf = (url: string, title = `Title of ${url}`) => ({
  url,
  title,
  content: `Content of ${url}.`,
  author: null,
  published_at: null,
  language: 'en',
  image: null,
});

export function success(task: TaskMessage, extra: Partial<Result> = {}): Result {
  return { ...resultOf(task), articles_data: [articleOf(String(task.params.url))], ...extra };
}

export function failure(task: TaskMessage, category: string, extra: object = {}): Result {
  const error = { category, message: `${category} to order`, retryable: true, ...extra };
  return { ...resultOf(task), status: 'failed', error };
}

function resultOf(task: TaskMessage): Result {
  return {
    type: 'result',
    task_id: task.task_id,
    run_id: task.run_id,
    attempt: task.attempt,
    part: 1,
    last: true,
    status: 'success',
    scraper_type: task.scraper_type,
    execution_time: 0.01,
    metadata: {
      proxy_used: null,
      requests_made: 1,
      rate_limited: false,
      captcha_encountered: false,
      pages_requested: 1,
      pages_completed: 1,
      bytes: 0,
      worker: 'puppet',
    },
    completed_at: new Date().toISOString(),
    error: null,
  };
}
