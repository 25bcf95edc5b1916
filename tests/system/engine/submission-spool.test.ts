// Bursts are spooled first and written out after, on the real store: whoever asks in between is answered without anything being written, and nothing may be
// lost on the way.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createRunningCarts } from '../../../src/api/carts/running-carts.ts';
import { createWaitingRuns } from '../../../src/api/runs/waiting.ts';
import { createMetrics } from '../../../src/observe/metrics/api.ts';
import { createMetricRegistry } from '../../../src/observe/metrics/registry.ts';
import { createIntake, type Intake } from '../../../src/orchestrator/intake/intake.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { createMemoryWire } from '../../../src/wire/memory.ts';
import { openSql, type Sql } from '../../support/invariants.ts';
import { freshDatabase } from '../../support/own-servers.ts';

const BURST = 40;
const ASKED = { requestId: 'req-1', idempotency: null };

let database: Awaited<ReturnType<typeof freshDatabase>>;
/** As two processes have them. */
let stores: [Store, Store];
let intake: Intake;
let sql: Sql;
let closeSql: () => Promise<void>;
let page = 0;

beforeAll(async () => {
  database = await freshDatabase();
  stores = [
    await openStore({ connection: database.url, connectTimeoutMs: 30_000 }),
    await openStore({ connection: database.url, connectTimeoutMs: 30_000 }),
  ];
  const limits = { maxRetries: 3, taskTimeoutSeconds: 60 };
  intake = createIntake({ store: stores[0], wire: createMemoryWire(), laneOf: () => 'http', ...limits });
  ({ sql, close: closeSql } = await openSql(database.url));
});
afterEach(async () => {
  for (const table of [
    'submission_spool',
    'runs',
    'run_tasks',
    'tasks',
    'queue',
    'live',
    'shares',
    'articles',
    'cart_search_results',
  ])
    await sql(`delete from windrow.${table}`);
});
afterAll(async () => {
  await closeSql?.();
  await Promise.all((stores ?? []).map((store) => store.close()));
  await database?.drop();
});

const submitArticle = (url: string) => intake.submitArticles({ articles: [{ url }] }, ASKED);
const nextUrl = () => `https://news.example/${++page}`;
const burst = <T>(one: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: BURST }, (_, index) => one(index)));
const count = async (table: string): Promise<number> =>
  (await sql<{ n: number }>(`select count(*)::int as n from windrow.${table}`))[0]!.n;
const spooled = async (): Promise<number> =>
  (await sql<{ n: number }>('select coalesce(sum(runs), 0)::int as n from windrow.submission_spool'))[0]!.n;
async function drain(store: Store): Promise<void> {
  while ((await store.drainSpool({})) > 0);
}
const storeArticle = (url: string, secondsAgo: number) =>
  sql(
    `insert into windrow.articles (key, url, content, scraped_at)
     select key, $1, 'text', now() - make_interval(secs => $2) from windrow.tasks where message->'params'->>'url' = $1`,
    [url, secondsAgo],
  );

test('a burst is kept as one row for many, and becomes runs, tasks and queue rows', async () => {
  const accepted = await burst(() => submitArticle(nextUrl()));
  expect(await spooled()).toBe(BURST);
  expect(await count('submission_spool')).toBeLessThan(5);
  expect(accepted[0]).toMatchObject({ status: 'running', total: 1, cached: 0, replayed: false });
  await drain(stores[1]);
  expect(await spooled()).toBe(0);
  for (const table of ['runs', 'tasks', 'queue', 'live', 'run_tasks']) expect(await count(table)).toBe(BURST);
});

test('few at a time are written at once', async () => {
  await Promise.all([submitArticle(nextUrl()), submitArticle(nextUrl())]);
  expect([await spooled(), await count('runs')]).toEqual([0, 2]);
});

test('who asks for a run finds it, and nothing is written for that; a cancel writes what it changes', async () => {
  const accepted = await burst(() => submitArticle(nextUrl()));
  const waiting = await spooled();
  const { runId } = accepted.at(-1)!;
  expect(await stores[1].getRun(runId)).toMatchObject({ id: runId, kind: 'article', status: 'running', total: 1 });
  expect(await stores[1].articleEntries({ runId, after: -1, limit: 10 })).toEqual([]);
  expect(await stores[1].getRun('job_ffffffffffff')).toBeNull();
  // A part of an id, or two of them, is no id.
  expect(await stores[1].getRun(runId.slice(0, -1))).toBeNull();
  expect(await stores[1].getRun(accepted.map((one) => one.runId).join(','))).toBeNull();
  const page = { kind: 'article', status: null, limit: 1_000, skip: 0, cursor: null };
  expect((await stores[1].listRuns(page)).total).toBe(BURST - waiting);
  expect(await spooled()).toBe(waiting);

  expect(await stores[1].cancelRun(runId)).toMatchObject({ run: { status: 'cancelled' }, removed: 1 });
  expect(await stores[1].getRun(runId)).toMatchObject({ status: 'cancelled' });
  await drain(stores[0]);
  expect((await stores[1].listRuns(page)).total).toBe(BURST);
});

test('a spooled search is found with its sites and its mode', async () => {
  const site = { name: 'indeed', params: { search_term: 'nurse' } };
  const search = {
    sites: [site, { ...site, name: 'linkedin' }],
    priority: 5,
    trigger: 'manual',
    webhookUrl: null,
  } as const;
  const accepted = await burst(() =>
    intake.submitScrape({ ...search, sites: [...search.sites], options: { mode: 'sync' } }, ASKED),
  );
  const { runId } = accepted.at(-1)!;
  expect(await spooled()).toBeGreaterThan(0);
  expect((await stores[1].siteTasks(runId)).map(({ site: name, state }) => [name, state])).toEqual([
    ['indeed', 'waiting'],
    ['linkedin', 'waiting'],
  ]);
  expect(await stores[1].scrapeMode(runId)).toBe('sync');
});

test('hundreds who ask while it is written out are all answered', async () => {
  const accepted = await burst(() => submitArticle(nextUrl()));
  const asking = accepted.flatMap(({ runId }) => [stores[0].getRun(runId), stores[1].getRun(runId)]);
  const [, ...found] = await Promise.all([drain(stores[1]), ...asking]);
  expect(found.every((run) => run?.status === 'running')).toBe(true);
  expect(await count('runs')).toBe(BURST);
});

test('equal work of a burst is one task, shared with what is under way already', async () => {
  const url = nextUrl();
  await submitArticle(url);
  await burst(() => submitArticle(url));
  await drain(stores[0]);
  expect([await count('tasks'), await count('queue'), await count('runs')]).toEqual([1, 1, BURST + 1]);
  expect(await count('shares')).toBe(BURST);
});

test('what is stored is told at once, with its age, and reused', async () => {
  const known = nextUrl();
  await submitArticle(known);
  await storeArticle(known, 100);
  await sql('delete from windrow.live');
  const accepted = await burst((index) =>
    intake.submitArticles({ articles: [{ url: index % 2 ? nextUrl() : known }], maxAgeSeconds: 200 }, ASKED),
  );
  expect(accepted.map(({ cached }) => cached)).toEqual(accepted.map((_, index) => (index % 2 ? 0 : 1)));
  expect(accepted.map(({ status }) => status)).toEqual(
    accepted.map((_, index) => (index % 2 ? 'running' : 'completed')),
  );
  for (const isWritten of [false, true]) {
    for (const { runId, status, cached } of accepted) {
      expect(await stores[1].getRun(runId)).toMatchObject({ status, cached });
      const entries = await stores[1].articleEntries({ runId, after: -1, limit: 10 });
      expect(entries.map(({ article, ref }) => [ref.url, article?.content])).toEqual(cached ? [[known, 'text']] : []);
    }
    expect((await spooled()) === 0).toBe(isWritten);
    await drain(stores[0]);
  }
});

test('what was young enough when it was asked for is, however late it is written out', async () => {
  const known = nextUrl();
  await submitArticle(known);
  await storeArticle(known, 100);
  await sql('delete from windrow.live');
  const accepted = await burst(() =>
    intake.submitArticles({ articles: [{ url: known }], maxAgeSeconds: 1_000 }, ASKED),
  );
  await sql(`update windrow.submission_spool set spooled_at = spooled_at - interval '1 hour'`);
  await sql(`update windrow.articles set scraped_at = scraped_at - interval '1 hour'`);
  const isReused = { status: 'completed', cached: 1 };
  expect(await stores[0].getRun(accepted.at(-1)!.runId)).toMatchObject(isReused);
  await drain(stores[0]);
  expect(await stores[0].getRun(accepted.at(-1)!.runId)).toMatchObject(isReused);
});

test('a run was accepted when it was spooled, not when it was written out', async () => {
  const accepted = await burst(() => submitArticle(nextUrl()));
  await sql(`update windrow.submission_spool set spooled_at = '2026-01-02T03:04:05Z'`);
  const createdAt = async () => (await stores[1].getRun(accepted.at(-1)!.runId))!.createdAt.toISOString();
  expect(await createdAt()).toBe('2026-01-02T03:04:05.000Z');
  await drain(stores[0]);
  expect(await createdAt()).toBe('2026-01-02T03:04:05.000Z');
  const [task] = await sql<{ at: string }>(
    `select message->>'created_at' as at from windrow.tasks where message->>'run_id' = $1`,
    [accepted.at(-1)!.runId],
  );
  expect(task!.at).toBe('2026-01-02T03:04:05.000Z');
});

test('spooled carts can be read, and are counted before they are written out', async () => {
  const accepted = await burst((index) =>
    intake.submitCart({ items: ['milk', `thing ${index}`], zipcode: '10001', maxProducts: 20 }, ASKED),
  );
  expect(accepted.at(-1)).toMatchObject({ status: 'running', total: 2, ages: {} });
  const { carts, spooled: waiting } = await stores[1].runningCarts();
  expect([...carts.map(({ id }) => id), ...waiting.ids].sort()).toEqual(accepted.map(({ runId }) => runId).sort());
  // Milk is wanted by all of them.
  expect(waiting.searches).toBeGreaterThan(waiting.ids.length);
  expect(waiting.searches).toBeLessThan(2 * waiting.ids.length);
  expect(accepted.map(({ made }) => made).reduce((a, b) => a + b)).toBe(waiting.searches);
  const cart = await stores[1].getCart({ id: accepted.at(-1)!.runId, ttlSeconds: 60 });
  expect(cart!.entries.map(({ item, state }) => [item, state])).toEqual([
    ['milk', 'waiting'],
    [`thing ${BURST - 1}`, 'waiting'],
  ]);
  expect(await spooled()).toBe(waiting.ids.length);
});

const boardOver = (store: Store) =>
  createRunningCarts({
    store,
    metrics: createMetrics(createMetricRegistry({ version: 'test', isWithProcess: false })),
    resultTtlSeconds: 60,
    cartSearchesPerSecond: null,
    cartSource: null,
    cartHost: null,
    sources: [],
    waiting: createWaitingRuns({ store, sources: [], workers: async () => [], sites: null }),
  });

test('a spooled cart is told its place by any process, also one that came after the last look', async () => {
  const submitCarts = (item: string) =>
    burst((index) => intake.submitCart({ items: [`${item} ${index}`], zipcode: '10001', maxProducts: 20 }, ASKED));
  await submitCarts('thing');
  const board = boardOver(stores[1]);
  const { carts, spooled: waiting } = await stores[1].runningCarts();
  for (const id of [waiting.ids[0]!, waiting.ids.at(-1)!])
    expect(await board.stateOf(id)).toMatchObject({
      at: 'queued',
      place: { ahead: { carts: carts.length + waiting.ids.indexOf(id) } },
    });

  await submitCarts('other');
  const last = (await stores[1].runningCarts()).spooled.ids.at(-1)!;
  expect(await board.stateOf(last)).toMatchObject({ at: 'queued' });
  expect(await board.stateOf('11111111-1111-4111-8111-111111111111')).toEqual({ at: 'nowhere' });
  expect(await spooled()).toBe(waiting.ids.length + BURST);
});

test('a spooled cart of what is stored has ended, with what was found', async () => {
  const submitMilk = () => intake.submitCart({ items: ['milk'], zipcode: '10001', maxProducts: 20 }, ASKED);
  await submitMilk();
  await sql(
    `insert into windrow.cart_search_results (key, products, scraped_at) select key, '[]', now() from windrow.tasks`,
  );
  await sql('delete from windrow.live');
  const accepted = await burst(submitMilk);
  expect(accepted.at(-1)!.status).toBe('completed');
  const { runId } = accepted.at(-1)!;
  const board = boardOver(stores[1]);
  const entry = { item: 'milk', state: 'done', version: expect.any(String) };
  for (const isWritten of [false, true]) {
    expect((await spooled()) === 0).toBe(isWritten);
    expect(await board.stateOf(runId)).toMatchObject({ at: 'ended', cart: { status: 'completed', entries: [entry] } });
    await drain(stores[0]);
  }
});

test('two that drain at once write each run once', async () => {
  await Promise.all([burst(() => submitArticle(nextUrl())), burst(() => submitArticle(nextUrl()))]);
  await Promise.all([drain(stores[0]), drain(stores[1]), stores[0].getRun('job_ffffffffffff')]);
  expect([await spooled(), await count('runs'), await count('tasks')]).toEqual([0, 2 * BURST, 2 * BURST]);
});

test('draining that is broken off has written nothing, and is done again', async () => {
  await burst(() => submitArticle(nextUrl()));
  const before = await count('runs');
  await sql('alter table windrow.queue add constraint broken check (band > 100) not valid');
  await expect(drain(stores[0])).resolves.toBeUndefined();
  expect(await count('runs')).toBe(before);
  expect((await spooled()) + before).toBe(BURST);
  await sql('alter table windrow.queue drop constraint broken');
  await sql('update windrow.submission_spool set due_at = now()');
  await drain(stores[1]);
  expect([await spooled(), await count('runs'), await count('queue')]).toEqual([0, BURST, BURST]);
});

test('one that cannot be written is set aside by itself and told; the others go on', async () => {
  const bad = nextUrl();
  await burst((index) => submitArticle(index === BURST - 1 ? bad : nextUrl()));
  await sql(`alter table windrow.run_tasks add constraint broken check (ref->>'url' <> '${bad}')`);
  const told: string[] = [];
  while ((await stores[0].drainSpool({ onSetAside: (runId) => told.push(runId) })) > 0);
  expect(told).toHaveLength(1);
  expect([await spooled(), await count('runs')]).toEqual([1, BURST - 1]);
  await sql('alter table windrow.run_tasks drop constraint broken');
  await sql('update windrow.submission_spool set due_at = now()');
  await drain(stores[0]);
  expect([await spooled(), await count('runs')]).toEqual([0, BURST]);
  expect(await stores[0].getRun(told[0]!)).toMatchObject({ status: 'running', total: 1 });
});
