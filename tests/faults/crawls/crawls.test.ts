// K8: a crawl of a site of which a twentieth of the pages fails, while every kind of process is killed and Redis is emptied. `npm run bench -- crawl` does the same
// to 10,000 pages.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mazeOf } from '../../../src/sandbox/maze/graph.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { problems } from '../../support/invariants.ts';
import { crawlVerdict, MAZE_FAULTS } from '../../support/worlds/crawl-verdict.ts';
import { Fleet } from '../../support/worlds/fleet.ts';

const SITE = mazeOf('n300.maze.example')!;

let sandbox: Sandbox;
let f: Fleet;
beforeAll(async () => {
  sandbox = await startSandbox({ faults: MAZE_FAULTS, logSize: 20_000 });
  f = await Fleet.start({
    hostMap: `*.maze.example=${sandbox.origin}`,
    env: { WEB_ROBOTS: 'off:article', SOURCE_PACE: 'crawl=4/20', RETRY_WAITS: 'all=200ms' },
  });
});
afterAll(async () => {
  await f?.close();
  await sandbox?.close();
});

test('K8: a crawl reads every page once, while workers, orchestrators and the API are killed and Redis is emptied', async () => {
  const body = { url: `https://${SITE.host}/`, limit: 1_000, exclude_paths: ['/calendar'] };
  const { json } = await f.client.call('POST', '/crawl', { body });
  const runId = String(json.run_id);
  await f.withSql(async (sql) => {
    const ended = async (): Promise<number> =>
      (await sql<{ n: number }>('select (completed + failed) as n from windrow.runs where id = $1', [runId]))[0]!.n;
    const after = (pages: number) => f.until(`${pages} pages are read`, async () => (await ended()) >= pages);
    await after(20);
    await f.kill(f.workers[0]!);
    f.startWorker();
    await after(60);
    await f.kill(f.orchestrators[0]!);
    f.startOrchestrator();
    await after(110);
    await f.redis.flush();
    await after(160);
    await f.kill(f.api);
    await f.kill(f.workers[1]!);
    f.startWorker();
    await f.startApi();
    await f.until('the crawl has ended', async () => {
      const [run] = await sql<{ status: string }>('select status from windrow.runs where id = $1', [runId]);
      return run!.status !== 'running';
    });
    expect(await crawlVerdict(sql, runId, SITE)).toEqual({
      status: 'completed',
      missing: [],
      failed: [],
      twice: [],
      articles: SITE.pages,
    });
    expect(await problems(sql, { isQuiet: true })).toEqual([]);
  });
});
