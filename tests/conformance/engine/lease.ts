// Leases: what is not heard of comes back, what is heard of does not, and the task that takes workers down is found among its neighbours.
import { expect, type TestAPI } from 'vitest';
import type { TaskMessage } from '../../../src/model/task/messages.ts';
import type { Bench } from '../engine.ts';
import { until, untilEnded } from '../world.ts';

/** Leases are looked at when store and wire have been up for a whole one. */
const LOST_LIMIT_MS = 150_000;

export function leaseTests(test: TestAPI, bench: Bench): void {
  const hasClaim = async (taskId: string) =>
    (await bench.world.sql('select 1 from windrow.leases where task_id = $1 and worker is not null', [taskId])).length >
    0;
  /** Time is the database's; a lease that should run out is told that it has, so that all others can be long enough for a slow machine. */
  const runOut = (secondsLeft = -1) =>
    bench.world.sql('update windrow.leases set lease_until = now() + make_interval(secs => $1)', [secondsLeft]);

  test('a task that is not heard of is handed out again, with its priority and the next attempt number', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await world.submit({ articles: [{ url: bench.url(), priority: 9 }] });
    const lost = await puppet.takeOne();
    const [lease] = await world.sql<{ seconds: number }>(
      'select extract(epoch from lease_until - sent_at)::float as seconds from windrow.leases where task_id = $1',
      [lost.task_id],
    );
    expect(lease).toEqual({ seconds: world.leaseSeconds });
    await runOut();
    const again = await puppet.takeOne(LOST_LIMIT_MS);
    expect(again).toMatchObject({ task_id: lost.task_id, attempt: 2, retry_count: 0, priority: 9, suspect: true });
    const [row] = await world.sql<{ band: number }>('select band from windrow.leases where task_id = $1', [
      lost.task_id,
    ]);
    expect(row).toEqual({ band: 2 });
    await puppet.succeed(lost);
    await puppet.succeed(again);
    expect(await untilEnded(world, runId)).toMatchObject({ status: 'completed', completed: 1 });
  });

  test('a task that its worker holds is left alone, for longer than a lease', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await world.submit({ articles: [{ url: bench.url() }] });
    const task = await puppet.takeOne();
    const secondsLeft = async () =>
      (
        await world.sql<{ seconds: number }>(
          'select extract(epoch from lease_until - now())::float as seconds from windrow.leases where task_id = $1',
          [task.task_id],
        )
      )[0]?.seconds ?? 0;
    for (let round = 0; round < 3; round++) {
      await runOut(world.leaseSeconds / 2);
      await puppet.hold(task);
      await until('the lease is long again', async () => (await secondsLeft()) > world.leaseSeconds / 2);
    }
    // A sweep and some.
    expect(await puppet.takeWithin(1_500)).toEqual([]);
    await puppet.succeed(task);
    expect(await untilEnded(world, runId)).toMatchObject({ status: 'completed' });
  });

  test('F12: a task lost alone after it had started is given up as crashed; one that only waited beside it is not', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await world.submit({ articles: bench.urls(2).map((url) => ({ url })) });
    await puppet.take(2);
    await runOut();
    const held = { type: 'held', worker: puppet.name } as const;
    const suspects = new Map<string, TaskMessage>();
    while (suspects.size < 2) {
      const task = await puppet.takeOne(LOST_LIMIT_MS);
      suspects.set(task.task_id, task);
      await puppet.say({ ...held, tasks: [], waiting: [...suspects.values()] });
    }
    const [poison, neighbour] = [...suspects.values()];
    expect([poison, neighbour]).toMatchObject([{ suspect: true }, { suspect: true }]);
    // As a worker says it: one runs, the other waits for its turn.
    // More than once, as heartbeats are: one that meets another recorder at the same lease passes it by.
    await until('the claim is known', async () => {
      await puppet.say({ ...held, tasks: [poison!], waiting: [neighbour!] });
      return hasClaim(poison!.task_id);
    });
    expect(await hasClaim(neighbour!.task_id)).toBe(false);
    await runOut();
    const again = await puppet.takeOne(LOST_LIMIT_MS);
    expect(again).toMatchObject({ task_id: neighbour!.task_id, retry_count: 0, suspect: true });
    await puppet.succeed(again);
    expect(await untilEnded(world, runId)).toEqual({ status: 'completed', total: 2, completed: 1, failed: 1 });
    expect((await world.results(runId)).failures[0]!.error).toMatch(/crashed/);
  });
}
