// The store goes away, or stops answering: callers hear so within seconds and nothing hangs; when it is back, so are we.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnPostgres, startPostgres } from '../../support/own-servers.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';
import { type ApiWorld, startApiWorld } from './api-world.ts';

/** As a server has them; the world's own are for tests in which nothing is broken. */
const USUAL = { probeLimitMs: 2_000, connectTimeoutMs: 3_000 };

let postgres: OwnPostgres;
let world: ApiWorld;
beforeAll(async () => {
  postgres = await startPostgres();
  world = await startApiWorld({ databaseUrl: postgres.url, isWithWorker: false, ...USUAL });
});
afterAll(async () => {
  await world?.stop();
  await postgres?.stop();
});

let number = 0;
const submit = () =>
  world.call('POST', '/jobs/submit', { articles: [{ url: `https://example.com/outage/${++number}` }] });
const timed = async <T>(work: Promise<T>): Promise<{ answer: T; ms: number }> => {
  const started = performance.now();
  const answer = await work;
  return { answer, ms: performance.now() - started };
};

test('a store that is down means 503 with Retry-After, soon, and health that says so', async () => {
  await expect.poll(async () => (await world.call('GET', '/readyz')).status).toBe(200);
  const job = await submit();
  expect(job.status).toBe(201);
  await postgres.halt('fast');
  for (const call of [
    submit,
    () => world.call('GET', '/jobs/'),
    () => world.call('GET', `/jobs/${job.body.job_id}/status`),
  ]) {
    const { answer, ms } = await timed(call());
    expect(answer.status).toBe(503);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(ms).toBeLessThan(20_000);
  }
  expect((await world.call('GET', '/livez')).status).toBe(200);
  await expect.poll(async () => (await world.call('GET', '/readyz')).status, { timeout: 60_000 }).toBe(503);
  const health = await world.call('GET', '/health');
  expect(health).toMatchObject({
    status: 503,
    body: { status: 'down', parts: { store: { status: 'down' }, wire: { status: 'up' } } },
  });
  expect((await world.call('GET', '/metrics')).text).toContain('windrow_part_up{part="store"} 0');
  await postgres.start();
  await expect.poll(async () => (await world.call('GET', '/readyz')).status).toBe(200);
  expect((await submit()).status).toBe(201);
  expect((await world.call('GET', `/jobs/${job.body.job_id}/status`)).status).toBe(200);
});

test('while the store is down the keys that were known work, others are 503 and not 401, and nobody gets in without one', async () => {
  const withKeys = await startApiWorld({ databaseUrl: postgres.url, isWithWorker: false, ...USUAL });
  // Needs nothing of the store itself.
  const ask = (key?: string) =>
    withKeys.call('GET', '/openapi.json', undefined, key === undefined ? {} : { 'x-api-key': key });
  try {
    const { key, id } = (await withKeys.call('POST', '/keys', { name: 'x', scope: 'admin' })).body;
    expect((await ask(key)).status).toBe(200);
    expect((await ask('wrong-key')).status).toBe(401);
    await postgres.halt('fast');
    expect((await ask(key)).status).toBe(200);
    expect(await ask('wrong-key')).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect((await ask()).status).toBe(401);
    await postgres.start();
    await expect.poll(async () => (await ask('wrong-key')).status, { timeout: 60_000 }).toBe(401);
    // The others of this file have no keys.
    const gone = () => withKeys.call('DELETE', `/keys/${id}`, undefined, { 'x-api-key': key });
    await expect.poll(async () => (await gone()).status, { timeout: 60_000 }).toBe(200);
    expect((await ask()).status).toBe(200);
    await expect.poll(async () => (await world.call('GET', '/openapi.json')).status, { timeout: 60_000 }).toBe(200);
  } finally {
    await withKeys.stop();
  }
});

test('a store that stopped answering is found out: no caller waits for its own timeout', async () => {
  const proxy = await TcpProxy.to(postgres.url);
  const statementTimeoutMs = 15_000;
  const databaseUrl = proxy.through(postgres.url);
  const behind = await startApiWorld({ databaseUrl, isWithWorker: false, statementTimeoutMs, ...USUAL });
  const submitThere = () =>
    behind.call('POST', '/jobs/submit', { articles: [{ url: `https://example.com/frozen/${++number}` }] });
  const isReady = async () => (await behind.call('GET', '/readyz')).status;
  try {
    await expect.poll(isReady).toBe(200);
    expect((await submitThere()).status).toBe(201);
    proxy.blackHole();
    const underWay = timed(submitThere());
    await expect.poll(isReady).toBe(503);
    const { answer, ms } = await timed(submitThere());
    expect(answer.status).toBe(503);
    expect(answer.body.detail).toContain('Nothing was accepted');
    expect(ms).toBeLessThan(statementTimeoutMs);
    const caught = await underWay;
    expect(caught.answer.status).toBe(503);
    // Nobody waits until the statement is given up, which takes five seconds more than the server is given for it.
    expect(caught.ms).toBeLessThan(statementTimeoutMs + 5_000);
    expect((await timed(behind.call('GET', '/jobs/'))).ms).toBeLessThan(statementTimeoutMs);
    expect((await timed(behind.call('GET', '/livez'))).ms).toBeLessThan(statementTimeoutMs);
    proxy.pass();
    await expect.poll(isReady, { timeout: 60_000 }).toBe(200);
    await expect.poll(async () => (await submitThere()).status, { timeout: 60_000 }).toBe(201);
  } finally {
    await behind.stop();
    await proxy.close();
  }
});

test('a lost wire degrades health and stops no submit', async () => {
  const broken = await startApiWorld({ isWithWorker: false });
  broken.wire.ping = () => Promise.reject(new Error('the wire does not answer'));
  broken.wire.workers = () => Promise.reject(new Error('the wire does not answer'));
  try {
    await expect
      .poll(async () => (await broken.call('GET', '/health')).body.status, { timeout: 60_000 })
      .toBe('degraded');
    expect((await broken.call('GET', '/readyz')).status).toBe(200);
    await expect
      .poll(async () => (await broken.call('GET', '/jobs/queue/status')).body.data.wire, { timeout: 60_000 })
      .toBe('down');
    await broken.submit(['/wire']);
  } finally {
    await broken.stop();
  }
});
