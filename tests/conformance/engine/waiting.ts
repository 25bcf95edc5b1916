// Every run that does not move has a reason, and it is the one that was injected. What is injected is taken away again, and the run goes on.
import { expect, type TestAPI } from 'vitest';
import type { Waiting } from '../../../src/model/run/why-waits.ts';
import { BREAKER } from '../../../src/model/source/breaker.ts';
import type { Bench } from '../engine.ts';
import { until, untilEnded } from '../world.ts';

const FAR_MS = 600_000;

export function waitingTests(test: TestAPI, bench: Bench): void {
  const submitOne = async () => (await bench.world.submit({ articles: [{ url: bench.url() }] })).runId;

  async function untilWaits(runId: string, reason: Waiting['reason']): Promise<Waiting> {
    let waiting: Waiting | null = null;
    await until(`${runId} waits: ${reason}`, async () => {
      waiting = await bench.world.waiting(runId);
      return waiting?.reason === reason;
    }).catch((error) => {
      throw new Error(`${error.message}, but it says ${JSON.stringify(waiting)}`);
    });
    return waiting!;
  }

  /** It does not say that it waits while a worker has it, and ends. */
  async function goesOn(runId: string): Promise<void> {
    const puppet = bench.puppet();
    const task = await puppet.takeOneOf(runId);
    await puppet.hold(task);
    await until('it does not wait any more', async () => (await bench.world.waiting(runId)) === null);
    await puppet.succeed(task);
    expect(await untilEnded(bench.world, runId)).toMatchObject({ status: 'completed' });
    expect(await bench.world.waiting(runId)).toBeNull();
  }

  const isSoon = (at: Date | null): boolean => Math.abs(at!.getTime() - Date.now() - FAR_MS) < FAR_MS / 2;

  test('a paused source: by whom and why', async () => {
    const { store } = bench.world;
    bench.puppet();
    await store.pauseSource('article', 'being rebuilt', 'key 1f0c');
    const runId = await submitOne();
    expect((await untilWaits(runId, 'paused')).message).toMatch(
      /^article was paused at .* by key 1f0c: being rebuilt$/,
    );
    await store.resumeSource('article');
    await store.unparkSource('article');
    await goesOn(runId);
  });

  test('an open breaker: until when, and what the trouble was', async () => {
    const { store } = bench.world;
    bench.puppet();
    const policy = { ...BREAKER, firstMs: FAR_MS };
    await store.openBreaker({ source: 'article', trouble: 'connection refused', policy });
    const runId = await submitOne();
    const { until: at, message } = await untilWaits(runId, 'breaker');
    expect(isSoon(at)).toBe(true);
    expect(message).toContain('(connection refused)');
    await store.closeBreaker({ source: 'article' });
    await store.unparkSource('article');
    await goesOn(runId);
  });

  test('no worker for its lane', async () => {
    bench.puppet({ lanes: ['browser'] });
    const runId = await submitOne();
    // Until the one of the other lane was heard of, none is running.
    const { message } = await untilWaits(runId, 'no_worker');
    expect(['no worker takes tasks of lane http', 'no worker is running']).toContain(message);
    await goesOn(runId);
  });

  test('no orchestrator', async () => {
    bench.puppet();
    await bench.world.stopOrchestrators();
    const runId = await submitOne();
    await untilWaits(runId, 'no_orchestrator');
    await bench.world.startOrchestrators();
    await goesOn(runId);
  });

  test('slots that are all busy, and how many are ahead', async () => {
    const busy = bench.puppet({ slots: 1, busy: 1 });
    const runId = await submitOne();
    expect((await untilWaits(runId, 'slots_full')).message).toMatch(
      /^all 1 slots of lane http are busy, 0 tasks ahead/,
    );
    busy.leave();
    await goesOn(runId);
  });

  test('another try: when, and what went wrong', async () => {
    const puppet = bench.puppet();
    const runId = await submitOne();
    await puppet.fail(await puppet.takeOneOf(runId), 'http_5xx', { retry_after: FAR_MS / 1_000 });
    const { until: at, message } = await untilWaits(runId, 'retry');
    expect(isSoon(at)).toBe(true);
    expect(message).toMatch(/^article: http_5xx to order, next try at /);
    await bench.world.cancel(runId);
    expect(await bench.world.waiting(runId)).toBeNull();
  });

  test('the pace of a site: when its next turn is, at no cost for the task', async () => {
    const { world } = bench;
    bench.puppet();
    const url = bench.url();
    await world.holdSite(new URL(url).hostname, FAR_MS);
    const { runId } = await world.submit({ articles: [{ url }] });
    const { until: at, message } = await untilWaits(runId, 'pace');
    expect(isSoon(at)).toBe(true);
    expect(message).toMatch(/^rate limit of site-\d+\.test: next turn at /);
    expect(await world.sql('select attempt, waits from windrow.queue')).toEqual([{ attempt: 0, waits: 0 }]);
    await world.cancel(runId);
  });

  test('a worker that met the pace of a site: when its next turn is', async () => {
    const puppet = bench.puppet();
    const runId = await submitOne();
    const paced = { code: 'paced', retry_after: FAR_MS / 1_000 };
    await puppet.fail(await puppet.takeOneOf(runId), 'rate_limited', paced);
    expect(isSoon((await untilWaits(runId, 'pace')).until)).toBe(true);
    await bench.world.cancel(runId);
  });
}
