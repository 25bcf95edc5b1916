// Faults of workers: F1 F10 F12 F13 F14 S1. Real processes, real kills; every test ends with the invariants.
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import {
  Fleet,
  type FleetOptions,
  HEARTBEAT_SECONDS,
  LEASE_SECONDS,
  SLACK_SECONDS,
  SWEEP_SECONDS,
} from '../support/fleet.ts';

let fleet: Fleet | undefined;
const open = async (options?: FleetOptions): Promise<Fleet> => {
  fleet = await Fleet.start(options);
  return fleet;
};
afterEach(async () => {
  await fleet?.close();
  fleet = undefined;
});

const script = (name: string): string => resolve(import.meta.dirname, '../support/roles', name);

test('F1: a task whose worker is killed is started elsewhere within L + S + 5 s, and its item is stored once', async () => {
  const { target, workers } = await open({ workers: 1 });
  const urls = fleet!.urls(3, '?slow=2500');
  const { runId } = await fleet!.submit(urls);
  await fleet!.until('all pages are under way', () => target.open === 3);
  const killedAt = performance.now();
  const survivor = fleet!.startWorker();
  await fleet!.kill(workers[0]!);
  const again = () => urls.map((url) => fleet!.hitsOf(url).find((hit) => hit.startMs > killedAt));
  await fleet!.until('one is started again', () => again().some(Boolean));
  const first = Math.min(...again().flatMap((hit) => (hit ? [hit.startMs] : [])));
  expect(first - killedAt).toBeLessThan((LEASE_SECONDS + SWEEP_SECONDS + SLACK_SECONDS) * 1_000);
  expect(await fleet!.ended(runId)).toEqual({ status: 'completed', total: 3, completed: 3, failed: 0 });
  for (const url of urls) expect(fleet!.hitsOf(url)).toHaveLength(2);
  const done = fleet!.orchestrators[0]!.events.filter((event) => event.event === 'task.done');
  expect(done.map((event) => event.attempt)).toEqual([2, 2, 2]);
  expect(survivor.isRunning).toBe(true);
  await fleet!.verify();
});

test('F10: a worker paused for three leases loses its tasks; its late results are refused, and it goes on', async () => {
  const { workers, target } = await open({ workers: 1 });
  const urls = fleet!.urls(3, '?slow=1000');
  const { runId } = await fleet!.submit(urls);
  await fleet!.until('the pages are under way', () => target.open === 3);
  workers[0]!.pause();
  fleet!.startWorker();
  await sleep(3 * LEASE_SECONDS * 1_000);
  expect(await fleet!.ended(runId)).toMatchObject({ status: 'completed', completed: 3 });
  workers[0]!.resume();
  await fleet!.until('the late results were looked at and refused', () => {
    const events = fleet!.orchestrators[0]!.events;
    return events.some((event) => event.event === 'task.stale' || event.event === 'lease.lost');
  });
  // More than one of them can take.
  const next = await fleet!.submit(fleet!.urls(40, '?slow=400'));
  await fleet!.ended(next.runId);
  const by = fleet!.orchestrators[0]!.events.filter((event) => event.event === 'task.done').map(
    (event) => event.worker,
  );
  expect(new Set(by).size).toBe(2);
  for (const url of urls) expect(fleet!.hitsOf(url).length).toBeLessThanOrEqual(2);
  await fleet!.verify();
});

test.each([
  ['takes one worker down, then only the process for suspects', 'on', 1],
  ['takes two workers down where suspects have no process of their own', 'off', 2],
])(
  'F12: a task that kills its process every time %s; it is given up, and all others finish',
  async (_, isolation, lost) => {
    const poison = 'poison=1';
    await open({ workers: 0, env: { POISON: poison, ISOLATION: isolation, WORKER_CONCURRENCY: '5' } });
    let crashes = 0;
    const keepAlive = (): void => {
      const worker = fleet!.startWorker({}, script('poison-worker.ts'));
      fleet!.excuse(worker);
      void worker.exited.then(({ signal }) => {
        if (signal !== 'SIGKILL' || isOver) return;
        crashes++;
        keepAlive();
      });
    };
    let isOver = false;
    keepAlive();
    keepAlive();
    const healthy = fleet!.urls(40, '?slow=100');
    const [bad] = fleet!.urls(1, `?${poison}`) as [string];
    const { runId } = await fleet!.submit([...healthy.slice(0, 5), bad, ...healthy.slice(5)]);
    const state = await fleet!.ended(runId);
    isOver = true;
    expect(state).toEqual({ status: 'completed', total: 41, completed: 40, failed: 1 });
    expect((await fleet!.client.results(runId)).failures).toMatchObject([
      { url: bad, error: expect.stringMatching(/crashed/) },
    ]);
    expect(crashes).toBe(lost);
    await fleet!.verify();
  },
);

test('F12: workers that are killed for other reasons are nobody’s fault: nothing is given up, however often a task was on one', async () => {
  const { workers } = await open({ workers: 2, env: { WORKER_CONCURRENCY: '5' } });
  const { runId } = await fleet!.submit(fleet!.urls(60, '?slow=300'));
  let isOver = false;
  const killing = (async () => {
    for (let n = 0; n < 6 && !isOver; n++) {
      await sleep(2_000);
      const next = fleet!.startWorker();
      await fleet!.kill(workers.find((worker) => worker.isRunning && worker !== next)!);
    }
  })();
  expect(await fleet!.ended(runId, 150_000)).toEqual({ status: 'completed', total: 60, completed: 60, failed: 0 });
  isOver = true;
  await killing;
  await fleet!.verify();
});

test('F13: a page that always fails is asked for max attempts times, later each time, and can be tried again by hand', async () => {
  const { client } = await open({ workers: 1, env: { MAX_RETRY_ATTEMPTS: '2' } });
  const [url] = fleet!.urls(1, '?status=500') as [string];
  const { runId } = await fleet!.submit([url]);
  expect(await fleet!.ended(runId)).toMatchObject({ status: 'failed', failed: 1 });
  const [failure] = (await client.results(runId)).failures;
  expect(failure).toMatchObject({ url, attempts: 3 });
  const retried = fleet!.orchestrators[0]!.events.filter((event) => event.event === 'task.retried');
  expect(retried.map((event) => event.attempt)).toEqual([1, 2]);
  const asked = fleet!.hitsOf(url).length;
  expect(asked).toBeGreaterThanOrEqual(3);

  const { json } = await client.call('GET', '/dead-letters');
  const [letter] = json.dead_letters as { task_id: string; error: { category: string } }[];
  expect(letter).toMatchObject({ error: { category: 'http_5xx' } });
  const again = await client.call('POST', `/dead-letters/${letter!.task_id}/retry`);
  const retryRun = String(again.json.job_id);
  client.acknowledged.set(retryRun, [url]);
  await fleet!.ended(retryRun);
  // The counters began anew: as many attempts as the first time.
  expect((await client.results(retryRun)).failures).toMatchObject([{ attempts: 3 }]);
  expect(fleet!.hitsOf(url)).toHaveLength(2 * asked);
  await fleet!.verify();
});

test('F14: a page that never ends is cut off at the hard deadline, and its slot is free', async () => {
  await open({ workers: 1, env: { TASK_TIMEOUT_SECONDS: '2', MAX_RETRY_ATTEMPTS: '0', WORKER_CONCURRENCY: '1' } });
  const [hanging] = fleet!.urls(1, '?hang=1') as [string];
  const first = await fleet!.submit([hanging], 1);
  await fleet!.until('it hangs', () => fleet!.target.open === 1);
  const [good] = fleet!.urls(1) as [string];
  const second = await fleet!.submit([good]);
  expect(await fleet!.ended(second.runId)).toMatchObject({ status: 'completed' });
  const [began, freed] = [fleet!.hitsOf(hanging)[0]!, fleet!.hitsOf(good)[0]!];
  expect(freed.startMs - began.startMs).toBeGreaterThan(1_500);
  expect(freed.startMs - began.startMs).toBeLessThan(4_000 + 1_000);
  expect(began.aborted).toBe(true);
  expect(await fleet!.ended(first.runId)).toMatchObject({ status: 'failed' });
  expect((await fleet!.client.results(first.runId)).failures).toMatchObject([
    { error: 'timeout after 2s', attempts: 1 },
  ]);
  await fleet!.verify();
});

test('S1: a worker told to stop finishes what is short, gives back what is long at no cost, and exits 0 in time', async () => {
  const graceSeconds = 4;
  const { workers, target } = await open({ workers: 1, env: { SHUTDOWN_GRACE_SECONDS: String(graceSeconds) } });
  const short = fleet!.urls(2, '?slow=2500');
  const long = fleet!.urls(2, '?slow=60000');
  const { runId } = await fleet!.submit([...short, ...long]);
  await fleet!.until('all are under way', () => target.open === 4);
  const [leaving] = workers;
  fleet!.excuse(leaving!);
  const askedAt = performance.now();
  const ended = leaving!.terminate((graceSeconds + 20) * 1_000);
  const late = await fleet!.submit(fleet!.urls(1));
  expect(await ended).toEqual({ code: 0, signal: null });
  expect((performance.now() - askedAt) / 1_000).toBeLessThan(graceSeconds + 5);
  for (const url of short) expect(fleet!.hitsOf(url)).toMatchObject([{ aborted: false }]);
  for (const url of long) expect(fleet!.hitsOf(url)).toMatchObject([{ aborted: true }]);
  // Nothing new was taken meanwhile.
  for (const url of fleet!.client.acknowledged.get(late.runId)!) expect(fleet!.hitsOf(url)).toEqual([]);
  await fleet!.until('what is long waits again', async () => {
    const rows = await fleet!.withSql((sql) =>
      sql('select failures, crashes, waits from windrow.queue where attempt = 1'),
    );
    return rows.length === 2 && rows.every((row) => row.failures === 0 && row.crashes === 0 && row.waits === 0);
  });
  expect(await fleet!.client.status(runId)).toMatchObject({ status: 'running', completed: 2 });
  fleet!.startWorker();
  await fleet!.until('they are started again', () => long.every((url) => fleet!.hitsOf(url).length === 2));
  await fleet!.client.cancel(runId);
  await fleet!.until('and stopped', () => target.open === 0, (HEARTBEAT_SECONDS + 2) * 1_000 + 5_000);
  await fleet!.verify();
});
