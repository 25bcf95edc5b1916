// Sources over HTTP: how they are doing, pausing and resuming, and the breaker that holds a broken one back.
import type pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { BREAKER } from '../../../src/model/source/breaker.ts';
import { createPool } from '../../../src/store/postgres/pool.ts';
import { freshDatabase } from '../../support/own-servers.ts';
import { type ApiWorld, startApiWorld } from './api-world.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let world: ApiWorld;
let pool: pg.Pool;

beforeAll(async () => {
  database = await freshDatabase();
  world = await startApiWorld({
    databaseUrl: database.url,
    // So patient that a busy machine has time to see it open; where patience runs out, a world of its own has less.
    breaker: { ...BREAKER, firstMs: 50, maxMs: 500, patience: 1_000 },
  });
  pool = createPool({ connection: database.url, connectTimeoutMs: 30_000 });
});
afterAll(async () => {
  await world?.stop();
  await pool?.end();
  await database?.drop();
});

const soon = { timeout: 60_000, interval: 50 };

async function source() {
  // What was read within the last two seconds is shown again.
  const { body, status } = await world.call('GET', '/sources/article');
  expect(status).toBe(200);
  return body;
}

test('a source that has worked shows what it did, how fast, and how good its items are', async () => {
  await world.ended(await world.submit(['/s/1', '/s/2', '/gone/s']));
  await vi.waitFor(async () => {
    const found = await source();
    expect(found.last_hour).toMatchObject({
      attempts: 3,
      done: 2,
      failed: 1,
      retried: 0,
      success_rate: 0.6667,
      items: 2,
    });
    expect(found.last_hour.latency_seconds.p50).toBeGreaterThan(0);
    expect(found.quality).toEqual({
      items: 2,
      filled: { title: 1, content: 1, author: 0, published_at: 0, language: 0, image: 0 },
    });
    expect(found.last_error).toMatchObject({ category: 'not_found', message: '404 Not Found' });
    expect(found.health).toEqual({ state: 'degraded', done_last_hour: 2, failed_last_hour: 1 });
    expect(found.breaker.state).toBe('closed');
  }, soon);
  const { body } = await world.call('GET', '/sources');
  expect(body.sources.map((one: { name: string }) => one.name)).toEqual(['article']);
});

test('tasks of a paused source wait, whether they came before or after, and go on when it is resumed', async () => {
  const first = await world.call('POST', '/sources/article/pause', { reason: 'being rebuilt' });
  expect(first.body).toEqual({ name: 'article', paused: true, tasks: 0 });
  const job = await world.submit(['/p/1', '/p/2', '/p/3']);
  await vi.waitFor(async () => {
    const { body } = await world.call('GET', '/jobs/queue/status');
    expect(body.data.queues['http:medium']).toMatchObject({ waiting: 0, paused: 3, delayed: 0, active: 0 });
  }, soon);
  expect((await world.call('GET', `/jobs/${job}/status`)).body).toMatchObject({ status: 'IN_PROGRESS', pending: 3 });
  await vi.waitFor(async () => {
    expect((await source()).paused).toMatchObject({ reason: 'being rebuilt' });
    expect((await source()).waiting).toBe(3);
  }, soon);
  // Cancelling and sharing work as if nothing were held.
  const other = await world.submit(['/p/4']);
  expect((await world.call('DELETE', `/jobs/${other}`)).body.message).toContain('Removed 1');
  const resumed = await world.call('POST', '/sources/article/resume');
  expect(resumed.body).toEqual({ name: 'article', paused: false, tasks: 3 });
  expect(await world.ended(job)).toMatchObject({ status: 'COMPLETED', completed: 3 });
  expect((await world.call('POST', '/sources/article/resume')).body.tasks).toBe(0);
});

test('a task that nobody let go comes back by itself', async () => {
  await world.call('POST', '/sources/article/pause');
  const job = await world.submit(['/late/1']);
  const parked = async () => (await pool.query('select count(*)::int as n from windrow.queue where parked')).rows[0].n;
  await vi.waitFor(async () => expect(await parked()).toBe(1), soon);
  // As if the process that resumed it had died before it let the task go.
  await pool.query('delete from source_holds');
  await pool.query('update queue set due_at = now() where parked');
  expect(await world.ended(job)).toMatchObject({ status: 'COMPLETED' });
});

test('S8: a site in trouble is left alone, probed with one task, and all go on when it answers', async () => {
  world.site.isDown = true;
  const job = await world.submit(Array.from({ length: 30 }, (_, i) => `/shaky/${i}`));
  await vi.waitFor(async () => {
    expect(await world.store.listHolds()).toMatchObject([{ source: 'article', trouble: 'connection refused' }]);
  }, soon);
  world.site.isDown = false;
  expect(await world.ended(job)).toMatchObject({ status: 'COMPLETED', completed: 30 });
  await vi.waitFor(async () => expect(await world.store.listHolds()).toEqual([]), soon);
});

test('a site that stays down does not keep a run forever: past its patience tasks fail at once', async () => {
  const hasty = await startApiWorld({
    breaker: { ...BREAKER, firstMs: 50, maxMs: 100, patience: 2, givenUpMs: 3_000 },
  });
  try {
    hasty.site.isDown = true;
    const job = await hasty.submit(Array.from({ length: 30 }, (_, i) => `/dead/${i}`));
    expect(await hasty.ended(job)).toMatchObject({ status: 'FAILED', failed: 30 });
    hasty.site.isDown = false;
    await vi.waitFor(async () => expect(await hasty.store.listHolds()).toEqual([]), soon);
  } finally {
    await hasty.stop();
  }
});

test('a run on a site that answers 429 for ever ends, with that reason', async () => {
  const hasty = await startApiWorld({
    breaker: { ...BREAKER, firstMs: 50, maxMs: 100, patience: 2, givenUpMs: 60_000 },
  });
  try {
    hasty.site.isThrottling = true;
    const job = await hasty.submit(Array.from({ length: 30 }, (_, i) => `/limited/${i}`));
    expect(await hasty.ended(job)).toMatchObject({ status: 'FAILED', failed: 30 });
    const { body } = await hasty.call('GET', `/jobs/${job}/results?limit=100`);
    expect(JSON.stringify(body)).toContain('429 Too Many Requests');
  } finally {
    await hasty.stop();
  }
});

test('an unknown source is 404, a reason that is no text 422', async () => {
  expect((await world.call('GET', '/sources/nowhere')).status).toBe(404);
  expect((await world.call('POST', '/sources/nowhere/pause')).status).toBe(404);
  const { status, body } = await world.call('POST', '/sources/article/pause', { reason: 7 });
  expect(status).toBe(422);
  expect(body.errors[0].pointer).toBe('/reason');
});
