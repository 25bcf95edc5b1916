// What happens after an attempt failed: again and later, at once given up, or later at no cost.
import { expect, type TestAPI } from 'vitest';
import type { Bench } from '../engine.ts';
import { until, untilEnded } from '../world.ts';

export function retryTests(test: TestAPI, bench: Bench): void {
  /** The row that waits for a later time. */
  const delayed = async (taskId: string) =>
    (
      await bench.world.sql<{ wait: number; band: number }>(
        `select extract(epoch from due_at - now())::float8 as wait, band from windrow.queue where task_id = $1 and due_at is not null`,
        [taskId],
      )
    )[0];

  test('F13: what fails always has exactly its attempts, each later than the last may be, then it is a dead letter', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const url = bench.url();
    const { runId } = await world.submit({ articles: [{ url, priority: 9 }] });
    for (let attempt = 1; attempt <= world.maxRetries + 1; attempt++) {
      const task = await puppet.takeOne();
      expect(task).toMatchObject({ attempt, retry_count: attempt - 1, max_retries: world.maxRetries });
      await puppet.fail(task, 'http_5xx');
    }
    expect(await untilEnded(world, runId)).toEqual({ status: 'failed', total: 1, completed: 0, failed: 1 });
    expect((await world.results(runId)).failures).toMatchObject([
      { url, error: expect.stringContaining('http_5xx to order'), attempts: world.maxRetries + 1 },
    ]);
    const letters = await world.sql<{ task_id: string; category: string }>(
      `select d.task_id, d.category from windrow.dead_letters d join windrow.tasks t on t.id = d.task_id
       join windrow.run_tasks l on l.task_id = t.id join windrow.runs r on r.seq = l.run_seq where r.id = $1`,
      [runId],
    );
    expect(letters).toMatchObject([{ category: 'http_5xx' }]);

    const again = await world.retryDeadLetters([letters[0]!.task_id]);
    const task = await puppet.takeOne();
    expect(task).toMatchObject({ run_id: again.runId, attempt: 1, retry_count: 0 });
    await puppet.succeed(task);
    expect(await untilEnded(world, again.runId)).toMatchObject({ status: 'completed' });
    expect(await world.status(runId)).toMatchObject({ status: 'failed' });
    expect(await world.sql('select 1 from windrow.dead_letters where task_id = $1', [letters[0]!.task_id])).toEqual([]);
  });

  test('a retried task waits for its time, longer than Retry-After says, and comes back in the high band', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await world.submit({ articles: [{ url: bench.url(), priority: 9 }] });
    const task = await puppet.takeOne();
    await puppet.fail(task, 'http_5xx', { retry_after: 2 });
    await until('it waits', async () => (await delayed(task.task_id)) !== undefined);
    const { wait, band } = (await delayed(task.task_id))!;
    expect(band).toBe(0);
    expect(wait).toBeGreaterThan(0.5);
    expect(wait).toBeLessThanOrEqual(2);
    const failedAt = performance.now();
    const again = await puppet.takeOne();
    expect(performance.now() - failedAt).toBeGreaterThan(500);
    expect(again).toMatchObject({ task_id: task.task_id, attempt: 2, retry_count: 1 });
    await puppet.succeed(again);
    expect(await untilEnded(world, runId)).toMatchObject({ status: 'completed' });
  });

  test('being rate-limited costs no attempt, however often', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await world.submit({ articles: [{ url: bench.url(), priority: 5 }] });
    for (let attempt = 1; attempt <= 3; attempt++) {
      const task = await puppet.takeOne();
      expect(task).toMatchObject({ attempt, retry_count: 0 });
      await puppet.fail(task, 'rate_limited', { retry_after: 0 });
    }
    await puppet.succeed(await puppet.takeOne());
    expect(await untilEnded(world, runId)).toMatchObject({ status: 'completed' });
    const [row] = await world.sql<{ attempts: number }>(
      `select o.attempts from windrow.outcomes o join windrow.run_tasks l on l.task_id = o.task_id join windrow.runs r on r.seq = l.run_seq
       where r.id = $1`,
      [runId],
    );
    expect(row).toEqual({ attempts: 1 });
  });

  test.each(['not_found', 'robots', 'invalid_params'])('%s is never tried again', async (category) => {
    const { world } = bench;
    const puppet = bench.puppet();
    const url = bench.url();
    const { runId } = await world.submit({ articles: [{ url }] });
    await puppet.fail(await puppet.takeOne(), category);
    expect(await untilEnded(world, runId)).toMatchObject({ status: 'failed', failed: 1 });
    expect((await world.results(runId)).failures).toMatchObject([
      { url, error: expect.stringContaining(`${category} to order`), attempts: 1 },
    ]);
  });
}
