// What the conformance suite asks of an engine, however its parts are spread over processes. The suite submits, cancels and reads through this; a wire
// and a store of its own let it play the worker by hand and look at the rows.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Waiting } from '../../src/model/run/why-waits.ts';
import type { ArticleRequest } from '../../src/orchestrator/intake/intake.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import type { Store } from '../../src/store/store.ts';
import type { PaceStore } from '../../src/web/pace/pace.ts';
import type { Wire } from '../../src/wire/port.ts';
import type { Sql } from '../support/invariants.ts';
import type { TargetSite } from '../support/web/target.ts';

export interface Accepted {
  runId: string;
  status: Status;
  total: number;
  cached: number;
  replayed: boolean;
}

type Status = 'running' | 'completed' | 'failed' | 'cancelled';

export interface RunState {
  status: Status;
  total: number;
  completed: number;
  failed: number;
}

export interface RunResults {
  items: { url: string; title: string | null; content: string; cached: boolean }[];
  failures: { url: string; error: string; attempts: number }[];
}

export interface Update extends RunState {
  runId: string;
}

export interface Watch {
  readonly updates: Update[];
  close(): void;
}

/** Refusals are errors with the `code` of the error table. */
export interface World {
  submit(request: ArticleRequest, idempotencyKey?: string): Promise<Accepted>;
  cancel(runId: string): Promise<{ status: Status; removed: number }>;
  status(runId: string): Promise<RunState>;
  results(runId: string): Promise<RunResults>;
  retryDeadLetters(taskIds: string[]): Promise<Accepted>;
  /** A crawl (or with `mode: 'map'` a map), with the fields of the API; of a host of the maze (src/sandbox/maze/graph.ts). */
  crawl(request: Record<string, unknown> & { url: string }): Promise<{ runId: string }>;
  cancelCrawl(runId: string): Promise<void>;
  /** Updates of one run from now on. */
  watch(runId: string): Promise<Watch>;

  /** Why it waits; null when it does not. */
  waiting(runId: string): Promise<Waiting | null>;

  /** Its next turn is this far away, by the clocks that workers share. */
  holdSite(host: string, ms: number): Promise<void>;

  /** All of them; what is under way stays as it is until they are there again. */
  stopOrchestrators(): Promise<void>;
  startOrchestrators(): Promise<void>;

  /** Two workers that fetch from the target; the suite plays the worker itself while there are none. */
  startWorkers(): Promise<void>;
  stopWorkers(): Promise<void>;
  readonly target: TargetSite;
  /** Serves the maze. */
  readonly sandbox: Sandbox;

  readonly wire: Wire;
  readonly store: Store;
  readonly sql: Sql;
  /** How the orchestrator was set up. */
  readonly leaseSeconds: number;
  readonly maxRetries: number;
  close(): Promise<void>;
}

/** An address on a host of its own, so that pages of one test are not paced as one site. */
export const pageUrl = (n: number, query = ''): string => `http://site-${n}.test/page/${n}${query}`;

/** Polls until the run has ended, or fails with where it stands. */
export async function untilEnded(world: Pick<World, 'status'>, runId: string, limitMs = 120_000): Promise<RunState> {
  const until = performance.now() + limitMs;
  for (;;) {
    const run = await world.status(runId);
    if (run.status !== 'running') return run;
    if (performance.now() > until) throw new Error(`${runId} has not ended: ${JSON.stringify(run)}`);
    await sleep(25);
  }
}

export async function until(what: string, isSo: () => Promise<boolean> | boolean, limitMs = 120_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${what}`);
    await sleep(20);
  }
}

/** As a worker does that asks a site which wants a pause. */
export async function bookTurn(pace: PaceStore, host: string, gapMs: number): Promise<void> {
  const { signal } = new AbortController();
  const order = { host, exits: ['direct'], concurrency: 1, gapMs, maxWaitMs: 0, signal };
  pace.release(host, await pace.reserve(order), { kind: 'ok', latencyMs: 5 });
}
