// Submitting: kept, shared, reused, and answered once for one Idempotency-Key.
import { expect, type TestAPI } from 'vitest';
import type { Bench } from '../engine.ts';
import { until, untilEnded } from '../world.ts';

export function submitTests(test: TestAPI, bench: Bench): void {
  test('what is submitted is scraped, stored and completes its run', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const urls = bench.urls(3);
    const accepted = await world.submit({ articles: urls.map((url) => ({ url })) });
    expect(accepted).toMatchObject({ status: 'running', total: 3, cached: 0, replayed: false });
    expect(await world.status(accepted.runId)).toEqual({ status: 'running', total: 3, completed: 0, failed: 0 });
    const tasks = await puppet.take(3);
    expect(tasks[0]).toMatchObject({ run_id: accepted.runId, scraper_type: 'article', attempt: 1, retry_count: 0 });
    await puppet.succeed(...tasks);
    expect(await untilEnded(world, accepted.runId)).toEqual({ status: 'completed', total: 3, completed: 3, failed: 0 });
    const { items, failures } = await world.results(accepted.runId);
    expect(items.map((item) => item.url)).toEqual(urls);
    expect(items[0]).toMatchObject({ title: `Title of ${urls[0]}`, cached: false });
    expect(failures).toEqual([]);
  });

  test('a stored item is reused at any age, at a given age, or not at all', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const url = bench.url();
    const first = await world.submit({ articles: [{ url }] });
    await puppet.succeed(await puppet.takeOne());
    await untilEnded(world, first.runId);
    await world.sql(`update windrow.articles set scraped_at = now() - interval '1 hour' where url = $1`, [url]);

    const anyAge = await world.submit({ articles: [{ url }] });
    expect(anyAge).toMatchObject({ status: 'completed', total: 1, cached: 1 });
    expect((await world.results(anyAge.runId)).items[0]).toMatchObject({ url, cached: true });
    expect(await world.submit({ articles: [{ url }], maxAgeSeconds: 7_200 })).toMatchObject({ cached: 1 });

    const younger = await world.submit({ articles: [{ url }], maxAgeSeconds: 1_800 });
    expect(younger).toMatchObject({ status: 'running', cached: 0 });
    await puppet.succeed(await puppet.takeOne());
    await untilEnded(world, younger.runId);

    const never = await world.submit({ articles: [{ url }], maxAgeSeconds: 0 });
    expect(never).toMatchObject({ status: 'running', cached: 0 });
    await puppet.succeed(await puppet.takeOne());
    await untilEnded(world, never.runId);
  });

  test('two runs that want the same thing at the same time share one task', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const [shared, own] = bench.urls(2) as [string, string];
    const first = await world.submit({ articles: [{ url: shared }] });
    const task = await puppet.takeOne();
    const second = await world.submit({ articles: [{ url: shared }, { url: own }], maxAgeSeconds: 0 });
    const other = await puppet.takeOne();
    expect(other.params.url).toBe(own);
    await puppet.succeed(task);
    expect(await untilEnded(world, first.runId)).toMatchObject({ status: 'completed', completed: 1 });
    await until('the second run has it too', async () => (await world.status(second.runId)).completed === 1);
    await puppet.succeed(other);
    expect(await untilEnded(world, second.runId)).toMatchObject({ status: 'completed', completed: 2 });
    expect((await world.results(second.runId)).items.map((item) => item.cached)).toEqual([false, false]);
  });

  test('many submissions of one address in the same moment make one task, and all of them end', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const url = bench.url();
    const runs = await Promise.all(Array.from({ length: 12 }, () => world.submit({ articles: [{ url }] })));
    await puppet.succeed(await puppet.takeOne());
    for (const run of runs) expect(await untilEnded(world, run.runId)).toMatchObject({ status: 'completed' });
    expect(await puppet.takeWithin(300)).toEqual([]);
  });

  test('a run that asks for one thing under several names ends, and so does one that shares it several times', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const url = bench.url();
    // The API refuses this; the store must not depend on that.
    const task = (n: number, id: string) => ({
      id,
      key: '00000000-0000-4000-8000-00000000abcd',
      source: 'article',
      lane: 'http',
      params: { url },
      priority: 5,
      maxRetries: 3,
      timeoutSeconds: 60,
      ref: { url: `${url}#${n}` },
    });
    const submission = (runId: string) => ({
      runId,
      kind: 'article',
      itemKind: 'article' as const,
      trigger: 'manual',
      requestId: null,
      options: {},
      tasks: [1, 2, 3].map((n) => task(n, crypto.randomUUID())),
      maxAgeSeconds: 0,
      idempotency: null,
    });
    await world.store.submit(submission('job_aaaaaaaaaaaa'));
    const taken = await puppet.takeOne();
    await world.store.submit(submission('job_bbbbbbbbbbbb'));
    await puppet.succeed(taken);
    const all = { status: 'completed', total: 3, completed: 3, failed: 0 };
    expect(await untilEnded(world, 'job_aaaaaaaaaaaa')).toEqual(all);
    expect(await untilEnded(world, 'job_bbbbbbbbbbbb')).toEqual(all);
  });

  test('D3: one Idempotency-Key, sent many times in parallel, makes one run; with another body it is refused', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const request = { articles: [{ url: bench.url() }] };
    const key = `key-${crypto.randomUUID()}`;
    const answers = await Promise.all(Array.from({ length: 10 }, () => world.submit(request, key)));
    expect(new Set(answers.map((answer) => answer.runId)).size).toBe(1);
    expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1);
    await puppet.succeed(await puppet.takeOne());
    await untilEnded(world, answers[0]!.runId);
    // The first answer, not where the run stands now.
    expect(await world.submit(request, key)).toMatchObject({
      runId: answers[0]!.runId,
      status: 'running',
      replayed: true,
    });
    await expect(world.submit({ articles: [{ url: bench.url() }] }, key)).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  test('of two bodies under one Idempotency-Key in the same moment, one is accepted and one refused', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const key = `key-${crypto.randomUUID()}`;
    const answers = await Promise.allSettled(bench.urls(2).map((url) => world.submit({ articles: [{ url }] }, key)));
    expect(answers.map((answer) => answer.status).sort()).toEqual(['fulfilled', 'rejected']);
    await puppet.succeed(await puppet.takeOne());
    for (const answer of answers) if (answer.status === 'fulfilled') await untilEnded(world, answer.value.runId);
  });

  test('updates are published as a run moves, and the final one too', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await world.submit({ articles: bench.urls(3).map((url) => ({ url })) });
    const watch = await world.watch(runId);
    const tasks = await puppet.take(3);
    await puppet.succeed(tasks[0]!);
    await until('an update on the way', () => watch.updates.some((one) => one.completed === 1));
    await puppet.fail(tasks[1]!, 'not_found', { retryable: false });
    await puppet.succeed(tasks[2]!);
    await until('the final update', () => watch.updates.some((one) => one.status === 'completed'));
    expect(watch.updates.at(-1)).toMatchObject({ status: 'completed', total: 3, completed: 2, failed: 1 });
    const settled = watch.updates.map((one) => one.completed + one.failed);
    expect(settled).toEqual(settled.toSorted((a, b) => a - b));
    watch.close();
  });

  test('the counters of a run add up at every moment, and never go back', async () => {
    const { world } = bench;
    const puppet = bench.puppet({ slots: 40 });
    const { runId } = await world.submit({ articles: bench.urls(40).map((url) => ({ url })) });
    let hasEnded = false;
    const seen: number[] = [];
    const watching = (async () => {
      while (!hasEnded) {
        const run = await world.status(runId);
        expect(run.completed + run.failed).toBeLessThanOrEqual(run.total);
        expect(run.status === 'running').toBe(run.completed + run.failed < run.total);
        seen.push(run.completed + run.failed);
      }
    })();
    for (const [index, task] of (await puppet.take(40)).entries()) {
      if (index % 4 === 0) await puppet.fail(task, 'not_found', { retryable: false });
      else await puppet.succeed(task);
    }
    expect(await untilEnded(world, runId)).toEqual({ status: 'completed', total: 40, completed: 30, failed: 10 });
    hasEnded = true;
    await watching;
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  test('a run of which nothing succeeded has failed', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await world.submit({ articles: bench.urls(2).map((url) => ({ url })) });
    for (const task of await puppet.take(2)) await puppet.fail(task, 'not_found', { retryable: false });
    expect(await untilEnded(world, runId)).toEqual({ status: 'failed', total: 2, completed: 0, failed: 2 });
  });
}
