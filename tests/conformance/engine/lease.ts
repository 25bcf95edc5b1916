// Leases: what is not heard of comes back, what is heard of does not, and the task that takes workers down is found among its neighbours.
import { expect, type TestAPI } from 'vitest';
import type { TaskMessage } from '../../../src/model/task/messages.ts';
import type { Bench } from '../engine.ts';
import { until, untilEnded } from '../world.ts';

/** Leases are looked at when store and wire have been up for a whole one. */
const LOST_LIMIT_MS = 150_000;

export function leaseTests(test: TestAPI, bench: Bench): void {
  const startedOf = async (taskId: string) =>
    (
      await bench.world.sql<{ started: boolean | null }>('select started from windrow.leases where task_id = $1', [
        taskId,
      ])
    )[0]?.started;
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
    expect(again).toMatchObject({ task_id: lost.task_id, attempt: 2, retry_count: 0, priority: 9, suspect: false });
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

  test('F12: tasks lost with two workers are suspects; one lost alone after it had started is given up, one that waited beside it is not', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await world.submit({ articles: bench.urls(3).map((url) => ({ url })) });
    const held = { type: 'held', worker: puppet.name } as const;
    /** More than once, as heartbeats are: one that meets another recorder at the same lease passes it by. */
    const tell = (tasks: TaskMessage[], waiting: TaskMessage[]) =>
      until('it is known what has started', async () => {
        await puppet.say({ ...held, tasks, waiting });
        const known = await Promise.all([...tasks, ...waiting].map((task) => startedOf(task.task_id)));
        return known.every((started, n) => started === n < tasks.length);
      });
    /** They come back one by one; each is held until all are there. */
    const takeAgain = async (ids: string[], waits: (task: TaskMessage) => boolean) => {
      const taken: TaskMessage[] = [];
      while (taken.length < ids.length) {
        taken.push(await puppet.takeOne(LOST_LIMIT_MS));
        await tell(
          taken.filter((task) => !waits(task)),
          taken.filter(waits),
        );
      }
      return ids.map((id) => taken.find((task) => task.task_id === id)!);
    };
    const first = await puppet.take(3);
    const [poison, neighbour, buffered] = first.map((task) => task.task_id) as [string, string, string];
    // The third is only in its worker's buffer, both times.
    const isBuffered = (task: TaskMessage) => task.task_id === buffered;
    await tell(first.slice(0, 2), first.slice(2));
    await runOut();
    const second = await takeAgain([poison, neighbour, buffered], isBuffered);
    expect(second).toMatchObject([{ suspect: false }, { suspect: false }, { suspect: false }]);
    await runOut();
    const third = await takeAgain([poison, neighbour, buffered], () => true);
    expect(third).toMatchObject([{ suspect: true }, { suspect: true }, { suspect: false }]);
    await puppet.succeed(third[2]!);
    // As a worker without separate processes says it: one runs, the other waits for its turn.
    await tell([third[0]!], [third[1]!]);
    await runOut();
    const again = await puppet.takeOne(LOST_LIMIT_MS);
    expect(again).toMatchObject({ task_id: neighbour, retry_count: 0, suspect: true });
    await puppet.succeed(again);
    expect(await untilEnded(world, runId)).toEqual({ status: 'completed', total: 3, completed: 2, failed: 1 });
    expect((await world.results(runId)).failures[0]!.error).toMatch(/crashed/);
  });
}
