// F2: what was found and not recorded is found again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fleet } from '../support/worlds/fleet.ts';

let f: Fleet;
beforeAll(async () => {
  f = await Fleet.start({ workers: 1 });
});
afterAll(() => f?.close());

test('F2: a worker killed after its pages came and before anybody recorded them: they are fetched again, and stored once', async () => {
  f.target.hold();
  const urls = f.urls(5, '?held=1');
  const { runId } = await f.submit(urls);
  await f.until('all pages are under way', () => f.target.open === 5);
  // Nobody is there to record what comes now.
  await f.kill(f.orchestrators[0]!);
  f.target.letGo();
  await f.until('all pages have come', () => urls.every((url) => f.hitsOf(url)[0]?.endMs !== undefined));
  await f.kill(f.workers[0]!);
  await f.redis.flush();
  expect(await f.withSql((sql) => sql('select 1 from windrow.articles'))).toEqual([]);
  f.startOrchestrator();
  f.startWorker();
  expect(await f.ended(runId)).toEqual({ status: 'completed', total: 5, completed: 5, failed: 0 });
  for (const url of urls) expect(f.hitsOf(url).length).toBeGreaterThanOrEqual(2);
  await f.verify();
});
