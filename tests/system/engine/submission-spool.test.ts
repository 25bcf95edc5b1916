// Crowds are let in first and written out after, on the real store: whoever asks in between must not notice, and nothing may be lost on the way.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createCartBoard } from '../../../src/api/carts/running-carts.ts';
import type { ApiDeps } from '../../../src/api/deps.ts';
import { createMetrics } from '../../../src/observe/metrics.ts';
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
  stores = [await openStore({ connection: database.url }), await openStore({ connection: database.url })];
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
const crowd = <T>(one: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: BURST }, (_, index) => one(index)));
const count = async (table: string): Promise<number> =>
  (await sql<{ n: number }>(`select count(*)::int as n from windrow.${table}`))[0]!.n;
const arriving = async (): Promise<number> =>
  (await sql<{ n: number }>('select coalesce(sum(runs), 0)::int as n from windrow.submission_spool'))[0]!.n;
async function unpackAll(store: Store): Promise<void> {
  while ((await store.unpackArrivals({ isWaiting: false })) > 0);
}
const storeArticle = (url: string, secondsAgo: number) =>
  sql(
    `insert into windrow.articles (key, url, content, scraped_at)
     select key, $1, 'text', now() - make_interval(secs => $2) from windrow.tasks where message->'params'->>'url' = $1`,
    [url, secondsAgo],
  );

test('a crowd is let in as one row for many, and becomes runs, tasks and queue rows', async () => {
  const accepted = await crowd(() => submitArticle(nextUrl()));
  expect(await arriving()).toBe(BURST);
  expect(await count('submission_spool')).toBeLessThan(5);
  expect(accepted[0]).toMatchObject({ status: 'running', total: 1, cached: 0, replayed: false });
  await unpackAll(stores[1]);
  expect(await arriving()).toBe(0);
  for (const table of ['runs', 'tasks', 'queue', 'live', 'run_tasks']) expect(await count(table)).toBe(BURST);
});

test('few at a time are written at once', async () => {
  await Promise.all([submitArticle(nextUrl()), submitArticle(nextUrl())]);
  expect([await arriving(), await count('runs')]).toEqual([0, 2]);
});

test('who asks for a run finds it, before anybody has unpacked it: its state, the list, a cancel', async () => {
  const accepted = await crowd(() => submitArticle(nextUrl()));
  expect(await stores[1].getRun(accepted.at(-1)!.runId)).toMatchObject({ status: 'running', total: 1 });
  expect(await arriving()).toBe(0);

  await crowd(() => submitArticle(nextUrl()));
  const page = { kind: 'article', status: null, limit: 1_000, skip: 0, cursor: null };
  expect((await stores[1].listRuns(page)).total).toBe(2 * BURST);

  const last = await crowd(() => submitArticle(nextUrl()));
  expect(await stores[1].cancelRun(last.at(-1)!.runId)).toMatchObject({ run: { status: 'cancelled' }, removed: 1 });
  expect(await stores[1].getRun('job_ffffffffffff')).toBeNull();
});

test('hundreds who ask at once are all answered', async () => {
  const accepted = await crowd(() => submitArticle(nextUrl()));
  const found = await Promise.all(
    accepted.flatMap(({ runId }) => [stores[0].getRun(runId), stores[1].getRun(runId), stores[1].getRun(runId)]),
  );
  expect(found.every((run) => run?.status === 'running')).toBe(true);
  expect(await count('runs')).toBe(BURST);
});

test('equal work of a crowd is one task, shared with what is under way already', async () => {
  const url = nextUrl();
  await submitArticle(url);
  await crowd(() => submitArticle(url));
  await unpackAll(stores[0]);
  expect([await count('tasks'), await count('queue'), await count('runs')]).toEqual([1, 1, BURST + 1]);
  expect(await count('shares')).toBe(BURST);
});

test('what is stored is told at once, with its age, and reused', async () => {
  const known = nextUrl();
  await submitArticle(known);
  await storeArticle(known, 100);
  await sql('delete from windrow.live');
  const accepted = await crowd((index) =>
    intake.submitArticles({ articles: [{ url: index % 2 ? nextUrl() : known }], maxAgeSeconds: 200 }, ASKED),
  );
  expect(accepted.map(({ cached }) => cached)).toEqual(accepted.map((_, index) => (index % 2 ? 0 : 1)));
  expect(accepted.map(({ status }) => status)).toEqual(
    accepted.map((_, index) => (index % 2 ? 'running' : 'completed')),
  );
  for (const { runId, status, cached } of accepted)
    expect(await stores[1].getRun(runId)).toMatchObject({ status, cached });
});

test('what was young enough when it was asked for is, however late it is unpacked', async () => {
  const known = nextUrl();
  await submitArticle(known);
  await storeArticle(known, 100);
  await sql('delete from windrow.live');
  const accepted = await crowd(() =>
    intake.submitArticles({ articles: [{ url: known }], maxAgeSeconds: 1_000 }, ASKED),
  );
  await sql(`update windrow.submission_spool set spooled_at = spooled_at - interval '1 hour'`);
  await sql(`update windrow.articles set scraped_at = scraped_at - interval '1 hour'`);
  expect(await stores[0].getRun(accepted.at(-1)!.runId)).toMatchObject({ status: 'completed', cached: 1 });
});

test('a run was accepted when it arrived, not when it was unpacked', async () => {
  const accepted = await crowd(() => submitArticle(nextUrl()));
  await sql(`update windrow.submission_spool set spooled_at = '2026-01-02T03:04:05Z'`);
  const run = await stores[1].getRun(accepted.at(-1)!.runId);
  expect(run!.createdAt.toISOString()).toBe('2026-01-02T03:04:05.000Z');
  const [task] = await sql<{ at: string }>(
    `select message->>'created_at' as at from windrow.tasks where message->>'run_id' = $1`,
    [run!.id],
  );
  expect(task!.at).toBe('2026-01-02T03:04:05.000Z');
});

test('carts that have arrived can be polled, and are counted before they are unpacked', async () => {
  const accepted = await crowd((index) =>
    intake.submitCart({ items: ['milk', `thing ${index}`], zipcode: '10001', maxProducts: 20 }, ASKED),
  );
  expect(accepted.at(-1)).toMatchObject({ status: 'running', total: 2, ages: {} });
  const { carts, arriving: waiting } = await stores[1].runningCarts();
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
});

test('a cart that has arrived is told its place by any process, and nobody has to write it out for that', async () => {
  const submitCarts = (item: string) =>
    crowd((index) => intake.submitCart({ items: [`${item} ${index}`], zipcode: '10001', maxProducts: 20 }, ASKED));
  await submitCarts('thing');
  const parts = {
    store: stores[1],
    metrics: createMetrics({ version: 'test', isWithProcess: false }),
    workers: async () => [],
  } as unknown as ApiDeps;
  const board = createCartBoard(parts);
  const { carts, arriving: waiting } = await stores[1].runningCarts();
  for (const id of [waiting.ids[0]!, waiting.ids.at(-1)!])
    expect((await board.arriving(id))?.ahead.carts).toBe(carts.length + waiting.ids.indexOf(id));
  expect(await arriving()).toBe(waiting.ids.length);

  // One that comes after the look is found by the next; one that never came is not.
  await submitCarts('other');
  const last = (await stores[1].runningCarts()).arriving.ids.at(-1)!;
  expect((await board.arriving(last))?.ahead.carts).toBe(2 * BURST - 1);
  expect(await board.arriving('11111111-1111-4111-8111-111111111111')).toBeNull();
});

test('two that unpack at once write each run once', async () => {
  await Promise.all([crowd(() => submitArticle(nextUrl())), crowd(() => submitArticle(nextUrl()))]);
  await Promise.all([unpackAll(stores[0]), unpackAll(stores[1]), stores[0].getRun('job_ffffffffffff')]);
  expect([await arriving(), await count('runs'), await count('tasks')]).toEqual([0, 2 * BURST, 2 * BURST]);
});

test('unpacking that is broken off has written nothing, and is done again', async () => {
  await crowd(() => submitArticle(nextUrl()));
  const before = await count('runs');
  await sql('alter table windrow.queue add constraint broken check (band > 100) not valid');
  await expect(unpackAll(stores[0])).resolves.toBeUndefined();
  expect(await count('runs')).toBe(before);
  expect((await arriving()) + before).toBe(BURST);
  await sql('alter table windrow.queue drop constraint broken');
  await sql('update windrow.submission_spool set due_at = now()');
  await unpackAll(stores[1]);
  expect([await arriving(), await count('runs'), await count('queue')]).toEqual([0, BURST, BURST]);
});

test('one that cannot be written is set aside by itself and told; the others go on', async () => {
  const bad = nextUrl();
  await crowd((index) => submitArticle(index === BURST - 1 ? bad : nextUrl()));
  await sql(`alter table windrow.run_tasks add constraint broken check (ref->>'url' <> '${bad}')`);
  const told: string[] = [];
  while ((await stores[0].unpackArrivals({ isWaiting: false, onSetAside: (runId) => told.push(runId) })) > 0);
  expect(told).toHaveLength(1);
  expect([await arriving(), await count('runs')]).toEqual([1, BURST - 1]);
  await sql('alter table windrow.run_tasks drop constraint broken');
  await sql('update windrow.submission_spool set due_at = now()');
  expect(await stores[0].getRun(told[0]!)).toMatchObject({ status: 'running', total: 1 });
});
