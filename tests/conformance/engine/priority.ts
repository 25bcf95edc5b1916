// D10: what is urgent starts next, and what is not still gets its share.
import { expect, type TestAPI } from 'vitest';
import type { TaskMessage } from '../../../src/model/task/messages.ts';
import type { Bench } from '../engine.ts';
import { until, untilEnded } from '../world.ts';

const LOW = 5_000;

export function priorityTests(test: TestAPI, bench: Bench): void {
  const articles = (count: number, priority: number) => bench.urls(count).map((url) => ({ url, priority }));

  test('D10: ten urgent tasks submitted behind thousands of others start next, and all bands get a share', async () => {
    const { world } = bench;
    const puppet = bench.puppet({ slots: 10 });
    const low = await world.submit({ articles: articles(LOW, 9) });
    await until('the window is full', async () => (await world.wire.depth('http')) >= 20);
    const high = await world.submit({ articles: articles(10, 1) });
    await puppet.succeed(...(await puppet.take(20)));
    let taken = 0;
    let urgent = 0;
    while (urgent < 10) {
      const tasks = await puppet.take(5);
      urgent += tasks.filter((task) => task.run_id === high.runId).length;
      taken += tasks.length;
      await puppet.succeed(...tasks);
      // What was on the wire before (a window of 20, and what two refills had in their hands) may come first, and the low band has its share; nothing
      // else of the thousands may.
      expect(taken).toBeLessThan(150);
    }
    expect(await untilEnded(world, high.runId)).toMatchObject({ status: 'completed' });

    // Urgent work without end: the low band goes on all the same.
    const endless = await world.submit({ articles: articles(1_000, 1) });
    const medium = await world.submit({ articles: articles(300, 5) });
    const order: TaskMessage[] = [];
    while (order.length < 600) {
      const tasks = await puppet.take(10);
      order.push(...tasks);
      await puppet.succeed(...tasks);
    }
    const share = (runId: string): number => order.filter((task) => task.run_id === runId).length / order.length;
    expect(share(low.runId)).toBeGreaterThan(0.03);
    expect(share(medium.runId)).toBeGreaterThan(0.08);
    expect(share(endless.runId)).toBeGreaterThan(0.5);
    for (const run of [low, endless, medium]) await world.cancel(run.runId);
  });

  test('a waiting task becomes as urgent as the most urgent run that shares it', async () => {
    const { world } = bench;
    const [url] = bench.urls(1) as [string];
    await until('nobody takes tasks', async () => (await world.wire.workers()).every((worker) => worker.draining));
    const low = await world.submit({ articles: [{ url, priority: 9 }] });
    const bandOfTask = () =>
      world.sql<{ band: number }>(
        `select q.band from windrow.queue q join windrow.run_tasks l on l.task_id = q.task_id join windrow.runs r on r.seq = l.run_seq
         where r.id = $1`,
        [low.runId],
      );
    expect(await bandOfTask()).toEqual([{ band: 2 }]);
    const high = await world.submit({ articles: [{ url, priority: 1 }] });
    expect(await bandOfTask()).toEqual([{ band: 0 }]);
    const medium = await world.submit({ articles: [{ url, priority: 5 }] });
    expect(await bandOfTask()).toEqual([{ band: 0 }]);
    const puppet = bench.puppet();
    await puppet.succeed(await puppet.takeOneOf(low.runId));
    for (const run of [low, high, medium]) expect(await untilEnded(world, run.runId)).toMatchObject({ completed: 1 });
  });

  test('S7: a run of thousands does not stand in front of a run of three', async () => {
    const { world } = bench;
    const puppet = bench.puppet({ slots: 10 });
    const large = await world.submit({ articles: articles(2_000, 5) });
    await until('the window is full', async () => (await world.wire.depth('http')) >= 20);
    const small = await world.submit({ articles: articles(3, 5) });
    let taken = 0;
    for (let found = 0; found < 3; ) {
      const tasks = await puppet.take(5);
      found += tasks.filter((task) => task.run_id === small.runId).length;
      taken += tasks.length;
      await puppet.succeed(...tasks);
    }
    expect(taken).toBeLessThan(1_000);
    await untilEnded(world, small.runId);
    await world.cancel(large.runId);
  });
}
