// D11: cancelling a waiting, running, shared or finishing run, and cancelling twice.
import { expect, type TestAPI } from 'vitest';
import type { Bench } from '../engine.ts';
import { until, untilEnded } from '../world.ts';

export function cancelTests(test: TestAPI, bench: Bench): void {
  test('D11: tasks of a run cancelled while they wait never start', async () => {
    const { world } = bench;
    const waiting = await world.submit({ articles: bench.urls(5).map((url) => ({ url })) });
    expect(await world.cancel(waiting.runId)).toEqual({ status: 'cancelled', removed: 5 });
    const after = await world.submit({ articles: [{ url: bench.url() }] });
    const puppet = bench.puppet();
    const started = [await puppet.takeOne()];
    while (started.at(-1)!.run_id !== after.runId) started.push(await puppet.takeOne());
    await puppet.succeed(started.pop()!);
    await untilEnded(world, after.runId);
    // One that was on the wire already may be handed out; the worker is told to stop it as soon as it says that it has it.
    for (const task of started) {
      await puppet.hold(task);
      await puppet.untilCancelled(task);
    }
    expect(await world.status(waiting.runId)).toEqual({ status: 'cancelled', total: 5, completed: 0, failed: 0 });
  });

  test('D11: the worker of a cancelled run is told at once, what came before is kept, what comes after is not', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await world.submit({ articles: bench.urls(3).map((url) => ({ url })) });
    const [done, running, late] = await puppet.take(3);
    await puppet.succeed(done!);
    await until('the first is recorded', async () => (await world.status(runId)).completed === 1);
    await puppet.hold(running!, late!);
    expect(await world.cancel(runId)).toEqual({ status: 'cancelled', removed: 2 });
    await puppet.untilCancelled(running!);
    await puppet.succeed(late!);
    await puppet.fail(running!, 'timeout');
    // Something recorded after them shows that they were looked at.
    const next = await world.submit({ articles: [{ url: bench.url() }] });
    await puppet.succeed(await puppet.takeOne());
    await untilEnded(world, next.runId);
    expect(await world.status(runId)).toEqual({ status: 'cancelled', total: 3, completed: 1, failed: 0 });
    expect((await world.results(runId)).items).toHaveLength(1);
  });

  test('D11: a task that is given back in the moment its run is cancelled does not start again', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await world.submit({ articles: [{ url: bench.url() }] });
    const task = await puppet.takeOne();
    // As a retry does, and not committed before the cancel waits for it.
    await world.sql('begin');
    await world.sql(
      `with l as (delete from windrow.leases where task_id = $1 returning *)
       insert into windrow.queue (task_id, key, run_seq, lane, line, band, turn, due_at, attempt)
       select task_id, key, run_seq, lane, line, band, turn, now() + interval '1 hour', attempt from l`,
      [task.task_id],
    );
    const cancelling = world.cancel(runId);
    await until('the cancel waits', async () => {
      const waiting = await world.sql(
        `select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`,
      );
      return waiting.length > 0;
    });
    await world.sql('commit');
    expect(await cancelling).toEqual({ status: 'cancelled', removed: 1 });
    expect(await world.sql('select 1 from windrow.queue where task_id = $1', [task.task_id])).toEqual([]);
  });

  test('D11: a worker that missed the message learns of the cancel when it says what it holds', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await world.submit({ articles: [{ url: bench.url() }] });
    const task = await puppet.takeOne();
    await world.cancel(runId);
    await puppet.untilCancelled(task);
    puppet.cancelled.length = 0;
    await puppet.hold(task);
    await puppet.untilCancelled(task);
  });

  test('what another live run waits for is still scraped, and is not counted for the cancelled one', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const [shared, own] = bench.urls(2) as [string, string];
    const first = await world.submit({ articles: [{ url: shared }, { url: own }] });
    const second = await world.submit({ articles: [{ url: shared }] });
    const tasks = await puppet.take(2);
    expect(await world.cancel(first.runId)).toEqual({ status: 'cancelled', removed: 1 });
    await puppet.succeed(tasks.find((task) => task.params.url === shared)!);
    expect(await untilEnded(world, second.runId)).toMatchObject({ status: 'completed', completed: 1 });
    expect(await world.status(first.runId)).toEqual({ status: 'cancelled', total: 2, completed: 0, failed: 0 });
    expect((await world.results(first.runId)).items).toEqual([]);
  });

  test('the one that shares a task is cancelled, and the one that made it goes on', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const url = bench.url();
    const first = await world.submit({ articles: [{ url }] });
    const second = await world.submit({ articles: [{ url }] });
    expect(await world.cancel(second.runId)).toEqual({ status: 'cancelled', removed: 0 });
    await puppet.succeed(await puppet.takeOne());
    expect(await untilEnded(world, first.runId)).toMatchObject({ status: 'completed' });
  });

  test('when both runs that share a task are cancelled at once, nobody scrapes it', async () => {
    const { world } = bench;
    const url = bench.url();
    const [first, second] = [await world.submit({ articles: [{ url }] }), await world.submit({ articles: [{ url }] })];
    const [one, other] = await Promise.all([world.cancel(first.runId), world.cancel(second.runId)]);
    expect(one.removed + other.removed).toBe(1);
  });

  test('a task cancelled for one run and asked for again by another is scraped for that one', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const url = bench.url();
    const first = await world.submit({ articles: [{ url }] });
    await puppet.takeOne();
    await world.cancel(first.runId);
    const second = await world.submit({ articles: [{ url }] });
    await puppet.succeed(await puppet.takeOneOf(second.runId));
    expect(await untilEnded(world, second.runId)).toMatchObject({ status: 'completed' });
  });

  test('D11: a run cancelled in the moment it finishes ends once, either way', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const ends: string[] = [];
    for (let round = 0; round < 10; round++) {
      const { runId } = await world.submit({ articles: [{ url: bench.url() }] });
      const task = await puppet.takeOneOf(runId);
      const [, cancelled] = await Promise.allSettled([puppet.succeed(task), world.cancel(runId)]);
      const { status, completed } = await untilEnded(world, runId);
      expect(cancelled.status === 'fulfilled').toBe(status === 'cancelled');
      expect(completed).toBe(status === 'completed' ? 1 : 0);
      ends.push(status);
    }
    expect(ends).toHaveLength(10);
  });

  test('D11: cancelling twice changes nothing; what has ended, or never was, cannot be cancelled', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const cancelled = await world.submit({ articles: [{ url: bench.url() }] });
    await world.cancel(cancelled.runId);
    expect(await world.cancel(cancelled.runId)).toEqual({ status: 'cancelled', removed: 0 });
    const done = await world.submit({ articles: [{ url: bench.url() }] });
    await puppet.succeed(await puppet.takeOneOf(done.runId));
    await untilEnded(world, done.runId);
    await expect(world.cancel(done.runId)).rejects.toMatchObject({ code: 'not_cancellable' });
    await expect(world.cancel('job_000000000000')).rejects.toMatchObject({ code: 'unknown_id' });
  });
}
