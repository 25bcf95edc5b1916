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
  const runOut = (secondsLeft = -30) =>
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

  test.each(['with its heartbeats', 'as a report'])(
    'a task that its worker holds %s is left alone, for longer than a lease',
    async (how) => {
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
        if (how === 'as a report') await puppet.hold(task);
        else puppet.keep(task);
        await until('the lease is long again', async () => (await secondsLeft()) > world.leaseSeconds / 2);
      }
      // A sweep and some.
      expect(await puppet.takeWithin(1_500)).toEqual([]);
      await puppet.succeed(task);
      expect(await untilEnded(world, runId)).toMatchObject({ status: 'completed' });
    },
  );

  /** A task that one worker has and that is thought to be lost: it waits in the queue, because no worker is there to take it. */
  async function loseByMistake() {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await world.submit({ articles: [{ url: bench.url() }] });
    const task = await puppet.takeOneOf(runId);
    puppet.retire();
    await until('nobody takes tasks', async () => (await world.wire.workers()).every((worker) => worker.draining));
    await until(
      'it waits again',
      async () => {
        await runOut();
        return (await world.sql('select 1 from windrow.queue where task_id = $1', [task.task_id])).length > 0;
      },
      LOST_LIMIT_MS,
    );
    return { puppet, runId, task };
  }

  test('a lease that was lost by mistake is given back when the worker speaks before somebody else has begun', async () => {
    const { world } = bench;
    const { puppet, runId, task } = await loseByMistake();
    puppet.keep(task);
    const lease = () =>
      world.sql('select attempt, crashes, worker from windrow.leases where task_id = $1 and worker is not null', [
        task.task_id,
      ]);
    await until('it has its lease again', async () => (await lease()).length > 0);
    expect(await lease()).toEqual([{ attempt: task.attempt, crashes: 0, worker: puppet.name }]);
    expect(puppet.cancelled).toEqual([]);
    await puppet.succeed(task);
    expect(await untilEnded(world, runId)).toEqual({ status: 'completed', total: 1, completed: 1, failed: 0 });
  });

  test('a result that comes after its lease was lost by mistake counts, in the queue and on the wire, until somebody else has begun', async () => {
    const { world } = bench;
    const queued = await loseByMistake();
    await queued.puppet.succeed(queued.task);
    expect(await untilEnded(world, queued.runId)).toMatchObject({ status: 'completed', completed: 1 });

    const sent = await loseByMistake();
    const other = bench.puppet();
    await until('the next attempt is sent', async () => (await world.wire.depth('http')) > 0);
    await sent.puppet.succeed(sent.task);
    expect(await untilEnded(world, sent.runId)).toMatchObject({ status: 'completed', completed: 1 });
    other.retire();

    const begun = await loseByMistake();
    const third = bench.puppet();
    const again = await third.takeOneOf(begun.runId, LOST_LIMIT_MS);
    third.keep(again);
    await until('it is known who has begun', async () => (await startedOf(again.task_id)) === true);
    begun.puppet.keep(begun.task);
    await begun.puppet.untilCancelled(begun.task);
    await begun.puppet.fail(begun.task, 'not_found');
    await third.succeed(again);
    expect(await untilEnded(world, begun.runId)).toMatchObject({ status: 'completed', completed: 1 });
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
