// D1, D2: results that come twice, ten times at once, late, in the wrong order, in parts, or broken.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type TestAPI } from 'vitest';
import type { Report } from '../../../src/model/task/messages.ts';
import { articleOf, failure, success } from '../../support/scripted-worker.ts';
import type { Bench } from '../engine.ts';
import { until, untilEnded } from '../world.ts';

export function deliveryTests(test: TestAPI, bench: Bench): void {
  test('D1: one result delivered ten times at once, and again in one message, counts once', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await world.submit({ articles: bench.urls(2).map((url) => ({ url })) });
    const watch = await world.watch(runId);
    const [first, second] = await puppet.take(2);
    const result = success(first!);
    await Promise.all(Array.from({ length: 10 }, () => puppet.say(result)));
    await puppet.say(result, result, result);
    await until('it is recorded', async () => (await world.status(runId)).completed > 0);
    await puppet.say(success(second!), success(second!));
    expect(await untilEnded(world, runId)).toEqual({ status: 'completed', total: 2, completed: 2, failed: 0 });
    await until('the final update', () => watch.updates.some((one) => one.status === 'completed'));
    expect(watch.updates.filter((one) => one.status === 'completed')).toHaveLength(1);
    watch.close();
  });

  test('D1: of a success and a failure of one attempt the first counts, and only that', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await world.submit({ articles: [{ url: bench.url() }] });
    const task = await puppet.takeOne();
    await puppet.say(success(task), failure(task, 'http_5xx'));
    expect(await untilEnded(world, runId)).toEqual({ status: 'completed', total: 1, completed: 1, failed: 0 });
  });

  test('D2: a result of an earlier attempt is refused, before and after that of the one with the lease', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const url = bench.url();
    const { runId } = await world.submit({ articles: [{ url }] });
    const first = await puppet.takeOne();
    await puppet.giveBack(first);
    const second = await puppet.takeOne();
    expect(second).toMatchObject({ task_id: first.task_id, attempt: 2, retry_count: 0 });
    const stale = success(first, { articles_data: [articleOf(url, 'stale')] });
    await puppet.say(stale);
    await puppet.say(failure(first, 'not_found'));
    await puppet.say(success(second));
    expect(await untilEnded(world, runId)).toEqual({ status: 'completed', total: 1, completed: 1, failed: 0 });
    await puppet.say(stale);
    const next = await world.submit({ articles: [{ url: bench.url() }] });
    await puppet.succeed(await puppet.takeOne());
    await untilEnded(world, next.runId);
    expect((await world.results(runId)).items[0]!.title).toBe(`Title of ${url}`);
  });

  test('D2: a result that comes after the run was cancelled does not bring it back', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await world.submit({ articles: [{ url: bench.url() }] });
    const task = await puppet.takeOne();
    await world.cancel(runId);
    await Promise.all([puppet.succeed(task), puppet.giveBack(task), puppet.hold(task), puppet.fail(task, 'timeout')]);
    const next = await world.submit({ articles: [{ url: bench.url() }] });
    await puppet.succeed(await puppet.takeOneOf(next.runId));
    await untilEnded(world, next.runId);
    expect(await world.status(runId)).toEqual({ status: 'cancelled', total: 1, completed: 0, failed: 0 });
  });

  test('a task given back, even twice, is queued once and at no cost', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await world.submit({ articles: [{ url: bench.url() }] });
    const first = await puppet.takeOne();
    const back: Report = { type: 'returned', worker: puppet.name, tasks: [first, first] };
    await puppet.say(back, back);
    const second = await puppet.takeOne();
    expect(second).toMatchObject({ attempt: 2, retry_count: 0 });
    await puppet.succeed(second);
    expect(await untilEnded(world, runId)).toMatchObject({ status: 'completed' });
  });

  test('parts are stored while the task goes on; those of a lost attempt are not', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const url = bench.url();
    const { runId } = await world.submit({ articles: [{ url }] });
    const title = async () =>
      (await world.sql<{ title: string }>('select title from windrow.articles where url = $1', [url]))[0]?.title;
    const lost = await puppet.takeOne();
    await puppet.giveBack(lost);
    const task = await puppet.takeOne();
    const part = (of: typeof task, n: number, text: string) =>
      success(of, { part: n, last: false, status: 'partial', articles_data: [articleOf(url, text)] });
    await puppet.say(part(lost, 1, 'of the lost attempt'), part(task, 1, 'first part'));
    await until('the first part', async () => (await title()) === 'first part');
    expect(await world.status(runId)).toMatchObject({ status: 'running', completed: 0 });
    await puppet.say(part(task, 2, 'second part'));
    await until('the second part', async () => (await title()) === 'second part');
    await puppet.say(success(task, { part: 3, articles_data: [] }));
    expect(await untilEnded(world, runId)).toMatchObject({ status: 'completed', completed: 1 });
    expect(await title()).toBe('second part');
  });

  test('D2: parts and the last of them are recorded in their order, in whatever order they come', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const url = bench.url();
    const { runId } = await world.submit({ articles: [{ url }] });
    const task = await puppet.takeOne();
    const part = (n: number, last: boolean) =>
      success(task, { part: n, last, articles_data: [articleOf(url, `part ${n}`)] });
    await puppet.say(part(4, true));
    await puppet.say(part(2, false), part(2, false));
    await puppet.say(part(3, false));
    await sleep(50);
    expect(await world.status(runId)).toMatchObject({ status: 'running', completed: 0 });
    await puppet.hold(task);
    await puppet.say(part(1, false));
    expect(await untilEnded(world, runId)).toMatchObject({ status: 'completed', completed: 1 });
    expect((await world.results(runId)).items[0]!.title).toBe('part 4');
  });

  test('reports that make no sense hold up nobody', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await world.submit({ articles: [{ url: bench.url() }] });
    const task = await puppet.takeOne();
    const nonsense = [
      {},
      { type: 'result' },
      { type: 'held', worker: 'x', tasks: [{ task_id: 'abc', attempt: 1 }] },
      { ...success(task), task_id: 'not-a-uuid' },
      { ...success(task), attempt: 1e12 },
      { ...failure(task, 'rate_limited', { retry_after: 1e300 }), task_id: crypto.randomUUID() },
    ] as unknown as Report[];
    await puppet.say(...nonsense, success(task));
    expect(await untilEnded(world, runId)).toMatchObject({ status: 'completed', completed: 1 });
  });

  test('a report that cannot be read ends its attempt with that reason and counts, so that the run ends', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await world.submit({ articles: [{ url: bench.url() }] });
    for (let failures = 0; failures <= world.maxRetries; failures++) {
      const task = await puppet.takeOneOf(runId);
      expect(task.retry_count).toBe(failures);
      await puppet.say({ ...success(task), articles_data: [{ url: 7 }] } as unknown as Report);
    }
    expect(await untilEnded(world, runId)).toEqual({ status: 'failed', total: 1, completed: 0, failed: 1 });
    expect((await world.results(runId)).failures).toMatchObject([
      { error: expect.stringContaining('articles_data.0.url'), attempts: world.maxRetries + 1 },
    ]);
  });

  test('a page full of what PostgreSQL cannot hold is stored without it', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const url = bench.url();
    const { runId } = await world.submit({ articles: [{ url }] });
    const odd = { ...articleOf(url), title: 'a\0b "quoted" \\ {brace} ,\n\ud800', content: 'NULL' };
    await puppet.say(success(await puppet.takeOne(), { articles_data: [odd] }));
    await untilEnded(world, runId);
    expect((await world.results(runId)).items[0]).toMatchObject({
      title: 'ab "quoted" \\ {brace} ,\n\ufffd',
      content: 'NULL',
    });
  });
}
