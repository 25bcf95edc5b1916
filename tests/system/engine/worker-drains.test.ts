// Workers over HTTP: draining one, with a reason, and resuming it; and the queue of the last hours.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ApiWorld, startApiWorld } from '../api/api-world.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await startApiWorld();
});
afterAll(() => world?.stop());

const soon = { timeout: 60_000, interval: 50 };
const workers = async () => (await world.call('GET', '/jobs/queue/status')).body.data.workers;

test('a drained worker takes nothing until it is resumed, and everybody can read why', async () => {
  await vi.waitFor(async () => expect(await workers()).toHaveLength(1), soon);
  const [{ worker }] = await workers();
  const path = `/workers/${encodeURIComponent(worker)}`;
  const drained = await world.call('POST', `${path}/drain`, { reason: 'more memory' });
  expect(drained).toMatchObject({ status: 200, body: { worker, draining: true, tasks: 0 } });
  await vi.waitFor(
    async () => expect(await workers()).toMatchObject([{ draining: true, drain: { reason: 'more memory' } }]),
    soon,
  );
  const run = await world.submit(['/d/1']);
  await vi.waitFor(async () => {
    const { body } = await world.call('GET', `/runs/${run}`);
    expect(body.waiting?.message).toContain('every worker is draining');
  }, soon);
  expect((await world.call('GET', '/jobs/health')).body.reasons.join()).toContain('Every worker is draining');
  expect((await world.call('GET', '/overview')).body).toMatchObject({
    workers: { count: 1, slots: 0 },
    attention: [{ kind: 'no_worker', message: expect.stringContaining('Every worker is draining') }],
  });
  await world.call('POST', `${path}/resume`);
  await world.ended(run);
  await vi.waitFor(async () => expect(await workers()).toMatchObject([{ draining: false, drain: null }]), soon);
  expect(await world.call('POST', `${path}/resume`)).toMatchObject({ status: 200, body: { draining: false } });
});

test('a worker that is not there cannot be drained', async () => {
  expect(await world.call('POST', '/workers/nobody/drain')).toMatchObject({ status: 404 });
});

test('the queue of the last hours is there, minute by minute', async () => {
  await vi.waitFor(async () => {
    const { body } = await world.call('GET', '/jobs/queue/history?hours=1');
    expect(body).toMatchObject({ every_seconds: 60 });
    expect(body.points.at(-1)).toMatchObject({ waiting: expect.any(Number), held: 0 });
  }, soon);
  const { body } = await world.call('GET', '/jobs/queue/history?hours=48');
  expect(body).toMatchObject({ every_seconds: 360 });
});
