// What an engine must do, whatever carries its messages and however its parts are spread over processes. One world serves all tests of a file; each
// test asks for addresses of its own and leaves nothing under way, which the invariants check after each.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { problems } from '../support/invariants.ts';
import { type PuppetOptions, ScriptedWorker } from '../support/scripted-worker.ts';
import { cancelTests } from './engine/cancel.ts';
import { crawlTests, crawlWorkerTests } from './engine/crawls.ts';
import { deliveryTests } from './engine/delivery.ts';
import { leaseTests } from './engine/lease.ts';
import { priorityTests } from './engine/priority.ts';
import { retentionTests } from './engine/retention.ts';
import { retryTests } from './engine/retry.ts';
import { submitTests } from './engine/submit.ts';
import { waitingTests } from './engine/waiting.ts';
import { workerTests } from './engine/workers.ts';
import { pageUrl, type World } from './world.ts';

export interface Bench {
  readonly world: World;
  /** Addresses that no other test has. */
  urls(count: number, query?: string): string[];
  url(query?: string): string;
  /** A worker worked by hand; leaves after the test. */
  puppet(options?: PuppetOptions): ScriptedWorker;
}

export function engineSuite(name: string, open: () => Promise<World>): void {
  describe(name, () => {
    let world: World | undefined;
    let puppets: ScriptedWorker[] = [];
    let page = 0;
    const bench: Bench = {
      get world() {
        return world!;
      },
      urls: (count, query) => Array.from({ length: count }, () => pageUrl(++page, query)),
      url: (query) => pageUrl(++page, query),
      puppet(options) {
        const puppet = new ScriptedWorker(bench.world.wire, options);
        puppets.push(puppet);
        return puppet;
      },
    };
    beforeAll(async () => {
      world = await open();
    });
    afterEach(async () => {
      for (const puppet of puppets) puppet.leave();
      puppets = [];
      // Tasks of cancelled runs may still lie on the wire; the next test's puppet is not meant to find them.
      while ((await bench.world.wire.depth('http')) > 0)
        await bench.world.wire.takeTasks(['http'], 100, AbortSignal.abort());
      const found = await problems(bench.world.sql, { isQuiet: true });
      // A test that failed must not fail the next one.
      for (const { id } of await bench.world.sql<{ id: string }>(
        `select id from windrow.runs where status = 'running'`,
      ))
        await bench.world.cancel(id);
      expect(found).toEqual([]);
    });
    afterAll(() => world?.close());

    describe('submitting', () => submitTests(test, bench));
    describe('cancelling', () => cancelTests(test, bench));
    describe('trying again', () => retryTests(test, bench));
    describe('what is delivered', () => deliveryTests(test, bench));
    describe('leases', () => leaseTests(test, bench));
    describe('priorities', () => priorityTests(test, bench));
    describe('retention', () => retentionTests(test, bench));
    describe('crawls', () => crawlTests(test, bench));
    describe('why runs wait', () => waitingTests(test, bench));
    describe('with workers', () => {
      beforeAll(() => bench.world.startWorkers());
      afterAll(() => bench.world.stopWorkers());
      workerTests(test, bench);
      crawlWorkerTests(test, bench);
    });
  });
}
