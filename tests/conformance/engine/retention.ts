// Everything that grows is trimmed, and nothing that is still needed.
import { expect, type TestAPI } from 'vitest';
import type { Bench } from '../engine.ts';
import { untilEnded } from '../world.ts';

const KEEP = { runDays: 30, deadLetterDays: 60, idempotencyHours: 24, articleDays: 0, batch: 1_000 };

export function retentionTests(test: TestAPI, bench: Bench): void {
  const ids = async (runId: string) =>
    bench.world.sql<{ task_id: string }>(
      `select l.task_id from windrow.run_tasks l join windrow.runs r on r.seq = l.run_seq where r.id = $1 order by pos`,
      [runId],
    );
  const rows = async (table: string, taskId: string): Promise<number> => {
    const column = table === 'tasks' ? 'id' : 'task_id';
    return (await bench.world.sql(`select 1 from windrow.${table} where ${column} = $1`, [taskId])).length;
  };

  test('old runs go with their tasks, shared tasks stay for the younger run, dead letters as long as they are kept', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const [own, shared, broken] = bench.urls(3) as [string, string, string];
    const old = await world.submit({ articles: [{ url: own }, { url: shared }, { url: broken }] }, `old-${own}`);
    const young = await world.submit({ articles: [{ url: shared }] });
    for (const task of await puppet.take(3)) {
      if (task.params.url === broken) await puppet.fail(task, 'not_found');
      else await puppet.succeed(task);
    }
    await untilEnded(world, old.runId);
    await untilEnded(world, young.runId);
    const [ownTask, sharedTask, brokenTask] = (await ids(old.runId)).map((row) => row.task_id) as [
      string,
      string,
      string,
    ];

    // Both were tried before. What failed is there already.
    const TRIED =
      'insert into windrow.earlier_attempts select unnest($1::uuid[]), 2, true, false, null on conflict (task_id) do nothing';
    await world.sql(TRIED, [[ownTask, brokenTask]]);

    const age = (days: number) =>
      world.sql(
        // Runs that were accepted before it are no younger.
        `update windrow.runs set created_at = now() - make_interval(days => $2),
           finished_at = case when id = $1 then now() - make_interval(days => $2) else finished_at end
         where seq <= (select seq from windrow.runs where id = $1)`,
        [old.runId, days],
      );
    await world.sql(`update windrow.idempotency set created_at = now() - interval '25 hours' where key = $1`, [
      `old-${own}`,
    ]);
    await age(29);
    expect(await world.store.trim(KEEP)).toMatchObject({ runs: 0, tasks: 0, deadLetters: 0, idempotencyKeys: 1 });
    await age(31);
    expect(await world.store.trim(KEEP)).toMatchObject({ runs: 1, tasks: 1, deadLetters: 0 });
    expect(await ids(old.runId)).toEqual([]);
    expect(await rows('tasks', ownTask)).toBe(0);
    expect(await rows('outcomes', ownTask)).toBe(0);
    expect(await rows('earlier_attempts', ownTask)).toBe(0);
    expect(await rows('earlier_attempts', brokenTask)).toBe(1);
    expect(await rows('tasks', sharedTask)).toBe(1);
    expect(await rows('tasks', brokenTask)).toBe(1);
    expect(await world.status(young.runId)).toMatchObject({ status: 'completed', completed: 1 });

    await world.sql(`update windrow.dead_letters set died_at = now() - interval '61 days' where task_id = $1`, [
      brokenTask,
    ]);
    expect(await world.store.trim(KEEP)).toMatchObject({ runs: 0, tasks: 1, deadLetters: 1 });
    expect(await rows('tasks', brokenTask)).toBe(0);
    expect(await rows('earlier_attempts', brokenTask)).toBe(0);
    expect(await world.submit({ articles: [{ url: own }] })).toMatchObject({ cached: 1 });
  });

  test('a run that goes on is kept, however old it is', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await world.submit({ articles: [{ url: bench.url() }] });
    await world.sql(`update windrow.runs set created_at = now() - interval '1 year' where id = $1`, [runId]);
    expect(await world.store.trim(KEEP)).toMatchObject({ runs: 0, tasks: 0 });
    await puppet.succeed(await puppet.takeOne());
    expect(await untilEnded(world, runId)).toMatchObject({ status: 'completed' });
  });
}
