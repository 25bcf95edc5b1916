// The whole way with real workers and real pages: fetched, extracted, stored.
import { expect, type TestAPI } from 'vitest';
import { pageTruth } from '../../support/web/target.ts';
import type { Bench } from '../engine.ts';
import { until, untilEnded } from '../world.ts';

/** As many as `startWorkers` starts. */
const WORKERS = 2;

const numberOf = (url: string): number => Number(/\/page\/(\d+)/.exec(url)?.[1]);

export function workerTests(test: TestAPI, bench: Bench): void {
  test('pages are fetched once each, and stored as they are', async () => {
    const { world } = bench;
    const urls = bench.urls(20);
    const { runId } = await world.submit({ articles: urls.map((url) => ({ url })) });
    expect(await untilEnded(world, runId)).toEqual({ status: 'completed', total: 20, completed: 20, failed: 0 });
    const { items } = await world.results(runId);
    for (const [index, url] of urls.entries()) {
      const truth = pageTruth(numberOf(url));
      expect(items[index]).toMatchObject({ url, title: truth.title, cached: false });
      expect(items[index]!.content).toContain(truth.paragraphs[0]);
      expect(world.target.hitsOf(numberOf(url))).toHaveLength(1);
    }
  });

  test('a crowd that comes in one moment is served whole, each page once', async () => {
    const { world } = bench;
    const urls = bench.urls(60);
    // Every other one wants what somebody else wants too.
    const wanted = urls.flatMap((url, index) => (index % 2 ? [url] : [url, url]));
    const runs = await Promise.all(wanted.map((url) => world.submit({ articles: [{ url }], maxAgeSeconds: 0 })));
    for (const { runId } of runs)
      expect(await untilEnded(world, runId)).toEqual({ status: 'completed', total: 1, completed: 1, failed: 0 });
    for (const url of urls) expect(world.target.hitsOf(numberOf(url))).toHaveLength(1);
  });

  test('a page that is missing fails at once, one that fails twice succeeds, one that asks to wait is waited for', async () => {
    const { world } = bench;
    const missing = bench.url('?status=404');
    const shaky = bench.url('?status=500&times=2');
    const busy = bench.url('?status=429&times=1&after=1');
    const { runId } = await world.submit({ articles: [missing, shaky, busy].map((url) => ({ url })) });
    expect(await untilEnded(world, runId)).toEqual({ status: 'completed', total: 3, completed: 2, failed: 1 });
    const hits = (url: string) => world.target.hitsOf(numberOf(url));
    expect(hits(missing)).toHaveLength(1);
    expect(hits(shaky).length).toBeGreaterThanOrEqual(3);
    expect(hits(busy)).toHaveLength(2);
    expect(hits(busy)[1]!.startMs - hits(busy)[0]!.startMs).toBeGreaterThan(900);
    const { failures } = await world.results(runId);
    expect(failures).toMatchObject([{ url: missing, error: expect.stringContaining('404'), attempts: 1 }]);
  });

  test('a drained worker ends what it has and takes no more, and resumed it goes on', async () => {
    const { world } = bench;
    // Those of the tests before are counted until they have not been heard of for a while.
    const listed = async () => (await world.wire.workers()).map(({ worker }) => worker);
    await until('only its own workers are there', async () => (await listed()).length === WORKERS);
    const names = await listed();
    const areDraining = async () => (await world.wire.workers()).filter(({ draining }) => draining).length;
    const hits = (urls: string[]) => urls.flatMap((url) => world.target.hitsOf(numberOf(url)));
    const inHand = bench.urls(8, '?slow=1000');
    const first = await world.submit({ articles: inHand.map((url) => ({ url })) });
    await until('pages are under way', () => hits(inHand).length === inHand.length);
    for (const name of names) await world.store.drainWorker(name, 'more memory', null);
    await until('all are drained', async () => (await areDraining()) === names.length);
    const urls = bench.urls(6);
    const { runId } = await world.submit({ articles: urls.map((url) => ({ url })) });
    expect(await untilEnded(world, first.runId)).toMatchObject({ status: 'completed', completed: 8, failed: 0 });
    await until('it says why nothing moves', async () =>
      Boolean((await world.waiting(runId))?.message.includes('every worker is draining')),
    );
    expect(hits(urls)).toEqual([]);
    expect(hits(inHand)).toHaveLength(inHand.length);
    await world.store.resumeWorker(names[0]!);
    expect(await untilEnded(world, runId)).toMatchObject({ status: 'completed', completed: 6, failed: 0 });
    expect(hits(urls)).toHaveLength(urls.length);
    expect(await areDraining()).toBe(names.length - 1);
    for (const name of names) await world.store.resumeWorker(name);
    await until('all take tasks again', async () => (await areDraining()) === 0);
  });

  test('D11: cancelling closes the connection of a page under way, and no other page is asked for', async () => {
    const { world } = bench;
    const urls = bench.urls(30, '?slow=600000');
    const { runId } = await world.submit({ articles: urls.map((url) => ({ url })) });
    const hits = () =>
      world.target.hits.filter((hit) => urls.some((url) => hit.path.startsWith(new URL(url).pathname)));
    // All slots are taken, and the rest lies on the wire.
    await until('pages are under way', () => hits().length >= 20);
    await world.cancel(runId);
    await until('their connections are closed', () => hits().every((hit) => hit.endMs !== undefined));
    const asked = hits().length;
    const next = await world.submit({ articles: [{ url: bench.url() }] });
    await untilEnded(world, next.runId);
    expect(hits()).toHaveLength(asked);
    expect(hits().every((hit) => hit.aborted)).toBe(true);
  });
}
