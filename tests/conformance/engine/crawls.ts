// Crawls: tasks that make tasks. Worked by hand where the order of things matters, and with real workers on the maze of the sandbox, whose pages are known.
import { expect, type TestAPI } from 'vitest';
import type { PageFindings } from '../../../src/model/crawl/crawl.ts';
import type { TaskMessage } from '../../../src/model/task/messages.ts';
import { depthOf, mazeOf, mazePaths } from '../../../src/sandbox/maze/graph.ts';
import { success } from '../../support/scripted-worker.ts';
import type { Bench } from '../engine.ts';
import { until, untilEnded, type World } from '../world.ts';

const statusOf = (world: World) => ({
  async status(runId: string) {
    const run = await world.store.getRun(runId);
    if (!run) throw new Error(`there is no run ${runId}`);
    return { status: run.status, total: run.total, completed: run.completed, failed: run.failed };
  },
});
const ended = (world: World, runId: string) => untilEnded(statusOf(world), runId);

/** A page as a worker reports it. */
function crawled(task: TaskMessage, links: string[], more: Partial<PageFindings> = {}) {
  const base = String(task.params.url);
  const crawl: PageFindings = {
    outcome: 'article',
    status: 200,
    content_type: 'text/html',
    title: base,
    redirect_to: null,
    links: links.map((url) => ({ url: new URL(url, base).href })),
    links_cut: 0,
    ...more,
  };
  return success(task, { crawl });
}

let sites = 0;
/** A host that no other test has. */
const site = () => `https://site-${++sites}.crawl.test`;

export function crawlTests(test: TestAPI, bench: Bench): void {
  const pages = (runId: string) =>
    bench.world.sql<{ url: string; state: string; reason: string | null; depth: number }>(
      `select p.url, p.state, p.reason, p.depth from windrow.crawl_pages p join windrow.runs r on r.seq = p.run_seq
       where r.id = $1 order by p.pos`,
      [runId],
    );
  const start = (url: string, more: object = {}) => bench.world.crawl({ url, sitemap: 'skip', ...more });

  test('K1: the links of a page are counted when it is settled, so a crawl does not end before its pages are tasks', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await start(`${site()}/`);
    const first = await puppet.takeOneOf(runId);
    await puppet.say(crawled(first, ['/a', '/b', '/a#again', '/b?utm_source=x', '/']));
    await until('it has grown', async () => (await world.store.getRun(runId))!.completed === 1);
    expect(await world.store.getRun(runId)).toMatchObject({ status: 'running', total: 3, completed: 1 });
    const two = [await puppet.takeOneOf(runId), await puppet.takeOneOf(runId)];
    expect(two.map((task) => new URL(String(task.params.url)).pathname).sort()).toEqual(['/a', '/b']);
    for (const task of two) await puppet.say(crawled(task, ['/', '/a', '/b']));
    expect(await ended(world, runId)).toEqual({ status: 'completed', total: 3, completed: 3, failed: 0 });
  });

  test('K2: a page that is reported twice, and late, and by two workers, makes its links pages once', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await start(`${site()}/`);
    const first = await puppet.takeOneOf(runId);
    const report = crawled(first, ['/only']);
    await puppet.say(report, report, crawled({ ...first, attempt: first.attempt + 1 }, ['/never']));
    const only = await puppet.takeOneOf(runId);
    await puppet.say(report);
    await puppet.say(crawled(only, ['/']));
    expect(await ended(world, runId)).toMatchObject({ status: 'completed', total: 2 });
    expect((await pages(runId)).map(({ url }) => new URL(url).pathname)).toEqual(['/', '/only']);
  });

  test('K3: two pages that show the same link at the same time make one page of it', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await start(`${site()}/`);
    await puppet.say(crawled(await puppet.takeOneOf(runId), ['/1', '/2', '/3', '/4']));
    const four = await Promise.all([1, 2, 3, 4].map(() => puppet.takeOneOf(runId)));
    await Promise.all(four.map((task) => puppet.say(crawled(task, ['/shared', '/1', '/2']))));
    await puppet.say(crawled(await puppet.takeOneOf(runId), []));
    expect(await ended(world, runId)).toMatchObject({ status: 'completed', total: 6, completed: 6 });
  });

  test('K4: while orchestrators are away nothing is lost: pages that were found become tasks when one is back', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await start(`${site()}/`);
    const first = await puppet.takeOneOf(runId);
    await world.stopOrchestrators();
    puppet.keep(first);
    await puppet.say(crawled(first, ['/a', '/b']));
    await world.startOrchestrators();
    for (const _ of ['/a', '/b']) await puppet.say(crawled(await puppet.takeOneOf(runId), []));
    expect(await ended(world, runId)).toEqual({ status: 'completed', total: 3, completed: 3, failed: 0 });
  });

  test('K5: a crawl of many pages has no more than a window of tasks in the queue, and takes the shallow ones first', async () => {
    const { world } = bench;
    const puppet = bench.puppet({ slots: 1 });
    const { runId } = await start(`${site()}/`, { limit: 1_000 });
    await puppet.say(
      crawled(
        await puppet.takeOneOf(runId),
        Array.from({ length: 900 }, (_, n) => `/p/${n}`),
      ),
    );
    await until('it has grown', async () => (await world.store.getRun(runId))!.total === 901);
    const counts = async () =>
      Object.fromEntries(
        (
          await world.sql<{ state: string; n: number }>(
            `select p.state, count(*)::int as n from windrow.crawl_pages p join windrow.runs r on r.seq = p.run_seq where r.id = $1 group by 1`,
            [runId],
          )
        ).map(({ state, n }) => [state, n]),
      );
    await until('the window is full', async () => (await counts()).queued === 200);
    expect(await counts()).toEqual({ done: 1, queued: 200, waiting: 700 });
    await world.cancelCrawl(runId);
    expect(await counts()).toEqual({ done: 1, left_out: 900 });
  });

  test('K6: a page that fails for good is counted, and the crawl goes on without it', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await start(`${site()}/`);
    await puppet.say(crawled(await puppet.takeOneOf(runId), ['/bad', '/good']));
    for (const _ of [1, 2]) {
      const task = await puppet.takeOneOf(runId);
      if (String(task.params.url).endsWith('/bad')) await puppet.fail(task, 'http_4xx', { retryable: false });
      else await puppet.say(crawled(task, []));
    }
    expect(await ended(world, runId)).toEqual({ status: 'completed', total: 3, completed: 2, failed: 1 });
    expect((await pages(runId)).map(({ state }) => state)).toEqual(['done', 'failed', 'done']);
  });

  test('limit, depth, scope and patterns decide which links are pages, and what is left out has a reason', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const host = site();
    const more = { limit: 3, max_depth: 1, include_paths: ['/blog/**', '/x/*'], exclude_paths: ['/blog/tag/**'] };
    const { runId } = await start(`${host}/`, more);
    const links = [
      '/blog/1',
      '/blog/tag/2',
      '/about',
      'https://other.example/',
      '/x/file.pdf',
      `${host.replace('//', '//sub.')}/blog/3`,
      '/x/2',
      '/blog/too-many',
    ];
    await puppet.say(crawled(await puppet.takeOneOf(runId), links));
    for (const _ of [1, 2]) await puppet.say(crawled(await puppet.takeOneOf(runId), ['/blog/deeper']));
    expect(await ended(world, runId)).toMatchObject({ status: 'completed', total: 3 });
    const found = await pages(runId);
    expect(found.map(({ state, reason }) => (state === 'left_out' ? reason : state))).toEqual([
      'done',
      'done',
      'excluded',
      'not_included',
      'outside',
      'file',
      'outside',
      'done',
      'limit',
      'too_deep',
    ]);
  });

  test('an article that a crawl came by is the article of its address for everyone', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const url = `${site()}/story`;
    const { runId } = await start(url);
    await puppet.say(crawled(await puppet.takeOneOf(runId), []));
    await ended(world, runId);
    const again = await world.submit({ articles: [{ url }] });
    expect(again).toMatchObject({ status: 'completed', cached: 1 });
  });

  test('a spent budget ends what waits, and the crawl with it', async () => {
    const { world } = bench;
    const puppet = bench.puppet();
    const { runId } = await start(`${site()}/`, { max_bytes: 1_000 });
    const first = await puppet.takeOneOf(runId);
    const report = crawled(first, ['/a', '/b']);
    await puppet.say({ ...report, metadata: { ...report.metadata, bytes: 5_000 } });
    expect(await ended(world, runId)).toEqual({ status: 'completed', total: 1, completed: 1, failed: 0 });
    expect((await pages(runId)).map(({ state, reason }) => reason && `${state} ${reason}`)).toEqual([
      'done article',
      'left_out budget',
      'left_out budget',
    ]);
  });
}

export function crawlWorkerTests(test: TestAPI, bench: Bench): void {
  const hits = (host: string) => bench.world.sandbox.log(host).map(({ path }) => path);

  test('every page of a site is read once, whatever leads to it twice, and nothing that must not be', async () => {
    const { world } = bench;
    const maze = mazeOf('n60.maze.example')!;
    const { runId } = await world.crawl({ url: `https://${maze.host}/`, limit: 1_000, exclude_paths: ['/calendar'] });
    const run = await ended(world, runId);
    expect(run).toMatchObject({ status: 'completed', failed: 0 });
    // Each worker asks for robots.txt itself.
    const asked = hits(maze.host)
      .filter((path) => path !== '/robots.txt')
      .sort();
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.filter((path) => path === '/' || path.startsWith('/p/'))).toEqual(mazePaths(maze).sort());
    for (const path of asked) expect(path).not.toMatch(/^\/(?:admin|unloved|hidden|calendar)|pdf$/);
    expect(hits('elsewhere.example')).toEqual([]);
    const stored = await world.sql<{ url: string }>(
      `select url from windrow.articles where url like 'https://n60.maze.example/p/%' or url = 'https://n60.maze.example/'`,
    );
    expect(stored).toHaveLength(maze.pages);
    const found = await world.sql<{ url: string; depth: number }>(
      `select p.url, p.depth from windrow.crawl_pages p join windrow.runs r on r.seq = p.run_seq where r.id = $1 and p.state = 'done' and p.url like '%/p/%'`,
      [runId],
    );
    for (const { url, depth } of found)
      expect(depth).toBeLessThanOrEqual(depthOf(maze, Number(url.split('/p/')[1])) + 1);
  });

  test('K7: a cancelled crawl makes no further request', async () => {
    const { world } = bench;
    const host = 'n5000.maze.example';
    const { runId } = await world.crawl({ url: `https://${host}/`, limit: 5_000 });
    await until('pages are read', () => hits(host).length > 20);
    await world.cancelCrawl(runId);
    await until('nothing is under way', async () => {
      const [row] = await world.sql<{ n: number }>(
        `select count(*)::int as n from windrow.run_tasks l join windrow.runs r on r.seq = l.run_seq join windrow.live v on v.key = l.item_key where r.id = $1`,
        [runId],
      );
      return row!.n === 0;
    });
    await until('what was on the wire is dropped', async () => (await world.wire.depth('http')) === 0);
    const before = hits(host).length;
    // Another run goes all the way, while nothing of the cancelled one does.
    const { runId: other } = await world.crawl({
      url: 'https://n20.maze.example/',
      limit: 100,
      exclude_paths: ['/calendar'],
    });
    expect(await ended(world, other)).toMatchObject({ status: 'completed', failed: 0 });
    expect(hits(host).length - before).toBeLessThanOrEqual(20);
    expect(await world.store.getRun(runId)).toMatchObject({ status: 'cancelled' });
  });

  test('a map lists the addresses of a site and reads its first page and sitemaps only', async () => {
    const { world } = bench;
    const options = { url: 'https://n40.maze.example/', mode: 'map' };
    const { runId } = await world.crawl(options);
    expect(await ended(world, runId)).toMatchObject({ status: 'completed', failed: 0 });
    expect(hits('n40.maze.example').filter((path) => path.startsWith('/p/'))).toEqual([]);
    const listed = await world.store.crawlPages({
      runId,
      states: ['listed'],
      after: -1,
      limit: 1_000,
      withArticles: false,
    });
    expect(listed.length).toBeGreaterThan(20);
  });
}
