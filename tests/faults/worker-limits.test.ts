// What a task may cost a worker: F13 (attempts) and F14 (time). Settings of the whole fleet, so each has one of its own.
import { afterEach, expect, test } from 'vitest';
import { Fleet, type FleetOptions } from '../support/worlds/fleet.ts';

let fleet: Fleet | undefined;
const open = async (options?: FleetOptions): Promise<Fleet> => {
  fleet = await Fleet.start(options);
  return fleet;
};
afterEach(async () => {
  await fleet?.close();
  fleet = undefined;
});

test('F13: a page that always fails is asked for max attempts times, later each time, and can be tried again by hand', async () => {
  const { client } = await open({ workers: 1, env: { MAX_RETRY_ATTEMPTS: '2', LEASE_SECONDS: '60' } });
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
  // Long enough for a good page on a busy machine.
  const seconds = 8;
  const env = {
    TASK_TIMEOUT_SECONDS: String(seconds),
    MAX_RETRY_ATTEMPTS: '0',
    WORKER_CONCURRENCY: '1',
    LEASE_SECONDS: '60',
  };
  await open({ workers: 1, env });
  const [hanging] = fleet!.urls(1, '?hang=1') as [string];
  const first = await fleet!.submit([hanging], 1);
  await fleet!.until('it hangs', () => fleet!.hitsOf(hanging).length === 1);
  const [good] = fleet!.urls(1) as [string];
  const second = await fleet!.submit([good]);
  expect(await fleet!.ended(second.runId)).toMatchObject({ status: 'completed' });
  // By the worker's own clock: on a busy machine the site sees it begin and end late.
  const ended = await fleet!.workers[0]!.waitForLine(/.*"task\.ended".*"outcome":"failed".*/);
  expect(Number(/"seconds":([\d.]+)/.exec(ended[0])?.[1])).toBeGreaterThan(seconds * 0.9);
  const [began] = fleet!.hitsOf(hanging);
  await fleet!.until('the site has seen it cut off', () => began!.aborted);
  expect(await fleet!.ended(first.runId)).toMatchObject({ status: 'failed' });
  expect((await fleet!.client.results(first.runId)).failures).toMatchObject([
    { error: `timeout after ${seconds}s`, attempts: 1 },
  ]);
  await fleet!.verify();
});
