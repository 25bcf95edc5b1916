// A property: whatever submissions, cancels and results of every kind meet on a few keys, in whatever order, the invariants hold at every moment, and in
// the end every run has ended. The choices come from a seed; how they interleave is up to the machine, which is the point.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { TaskMessage } from '../../src/model/task/messages.ts';
import { problems } from '../support/invariants.ts';
import { type Random, seeded } from '../support/random.ts';
import { failure, ScriptedWorker, success } from '../support/scripted-worker.ts';
import { until, type World } from './world.ts';

const KEYS = 8;
const SUBMITTERS = 4;
const SUBMISSIONS = 30;
const PUPPETS = 3;

export async function expectInvariantsUnderInterleaving(world: World, seed: number): Promise<void> {
  const random = seeded(seed);
  const urls = Array.from({ length: KEYS }, (_, n) => `http://seed-${seed}.test/key/${n}`);
  const runs: string[] = [];
  const broken: string[] = [];
  let isSubmitting = true;
  let isOver = false;

  async function submitter(own: Random): Promise<void> {
    for (let n = 0; n < SUBMISSIONS; n++) {
      const articles = own.some(urls, 1 + own.below(4)).map((url) => ({ url, priority: 1 + own.below(10) }));
      const age = own.chance(0.6) ? { maxAgeSeconds: 0 } : {};
      const { runId } = await world.submit({ articles, ...age });
      runs.push(runId);
      if (own.chance(0.35)) {
        // Refused when the run has ended meanwhile, or when its rows could not be had in time on a busy machine.
        await world
          .cancel(own.pick(runs))
          .catch(({ code }) => expect(code).toMatch(/^(?:not_cancellable|unavailable)$/));
      }
      if (own.chance(0.5)) await sleep(own.below(15));
    }
  }

  async function worker(own: Random): Promise<void> {
    const puppet = new ScriptedWorker(world.wire, { slots: 8 });
    const old: TaskMessage[] = [];
    try {
      while (!isOver) {
        const tasks = await puppet.grab(1 + own.below(4));
        if (tasks.length === 0) await sleep(5);
        for (const task of tasks) {
          old.push(task);
          await answer(puppet, task, own);
          if (own.chance(0.15)) await puppet.say(success(own.pick(old)));
          if (own.chance(0.1)) await puppet.giveBack(own.pick(old));
          if (own.chance(0.1)) await puppet.hold(own.pick(old), own.pick(old));
        }
      }
    } finally {
      puppet.leave();
    }
  }

  async function answer(puppet: ScriptedWorker, task: TaskMessage, own: Random): Promise<void> {
    const choice = isSubmitting ? own.next() : 0;
    if (choice < 0.55) return puppet.succeed(task);
    if (choice < 0.62) return puppet.fail(task, 'http_5xx');
    if (choice < 0.69) return puppet.fail(task, 'not_found');
    if (choice < 0.74) return puppet.fail(task, 'rate_limited', { retry_after: 0 });
    if (choice < 0.82) return puppet.giveBack(task);
    if (choice < 0.9) return puppet.say(success(task), success(task), failure(task, 'timeout'));
    if (choice < 0.96) {
      await puppet.hold(task);
      await sleep(own.below(30));
      await Promise.all([puppet.succeed(task), puppet.giveBack(task), puppet.succeed(task)]);
    }
    // Otherwise silence: the lease runs out.
  }

  async function watcher(): Promise<void> {
    while (!isOver && broken.length === 0) {
      broken.push(...(await problems(world.sql, { isQuiet: false })));
      await sleep(20);
    }
  }

  const watching = watcher();
  const workers = Array.from({ length: PUPPETS }, () => worker(random.fork()));
  await Promise.all(Array.from({ length: SUBMITTERS }, () => submitter(random.fork())));
  isSubmitting = false;
  await until(
    `all runs have ended (seed ${seed})`,
    async () => (await world.sql(`select 1 from windrow.runs where status = 'running' limit 1`)).length === 0,
    400_000,
  ).finally(() => {
    isOver = true;
  });
  await Promise.all([watching, ...workers]);
  expect({ seed, broken }).toEqual({ seed, broken: [] });
  expect({ seed, broken: await problems(world.sql, { isQuiet: true }) }).toEqual({ seed, broken: [] });
  expect(runs).toHaveLength(SUBMITTERS * SUBMISSIONS);
}
