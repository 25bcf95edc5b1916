// Why runs wait, on every surface of the API, and what health says meanwhile.
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startApiWorld } from './api-world.ts';

const LONG = { timeout: 60_000 };

test('a run of a paused source says who paused it and why, on every surface, and nothing when it goes on', async () => {
  await using world = await opened();
  const paused = await world.call('POST', '/sources/article/pause', { reason: 'being rebuilt' });
  expect(paused.status).toBe(200);
  const id = await world.submit(['/a']);
  const why = {
    reason: 'paused',
    message: expect.stringMatching(/^article was paused at .* by 127\.0\.0\.1: being rebuilt$/),
  };
  await expect.poll(async () => (await world.call('GET', `/runs/${id}`)).body.waiting, LONG).toEqual(why);
  expect((await world.call('GET', `/runs/${id}`)).body).toMatchObject({
    run_id: id,
    kind: 'article',
    status: 'running',
  });
  expect((await world.call('GET', `/jobs/${id}/status`)).body).toMatchObject({ message: why.message, waiting: why });
  expect((await world.call('GET', '/sources/article')).body.paused).toMatchObject({ by: '127.0.0.1' });
  const told = await firstMessage(`${world.url.replace('http', 'ws')}/ws/jobs/${id}`);
  expect(told).toMatchObject({ type: 'job_update', job_id: id, status: 'IN_PROGRESS', waiting: why });
  await world.call('POST', '/sources/article/resume');
  expect((await world.ended(id)).status).toBe('COMPLETED');
  expect((await world.call('GET', `/runs/${id}`)).body).not.toHaveProperty('waiting');
  expect((await world.call('GET', '/runs/job_000000000000')).status).toBe(404);
});

test('without an orchestrator health is degraded, work is accepted, and runs say what is missing', async () => {
  await using world = await opened({ isWithWorker: false });
  const id = await world.submit(['/a']);
  const health = await world.call('GET', '/health');
  expect(health.body).toMatchObject({
    status: 'degraded',
    parts: { orchestrators: { status: 'degraded', detail: expect.stringContaining('No orchestrator is running') } },
  });
  const ready = await world.call('GET', '/readyz');
  expect([ready.status, ready.body.status]).toEqual([200, 'ok']);
  expect(ready.body.detail).toContain('No orchestrator is running');
  expect((await world.call('GET', '/jobs/health')).body.reasons).toContainEqual(
    expect.stringContaining('No orchestrator is running'),
  );
  expect((await world.call('GET', `/jobs/${id}/status`)).body.waiting).toMatchObject({ reason: 'no_orchestrator' });
  expect(await world.store.getListedRun(id)).toMatchObject({ word: 'running', about: 'https://example.com/a' });
});

async function opened(options: Parameters<typeof startApiWorld>[0] = {}) {
  const world = await startApiWorld(options);
  return Object.assign(world, { [Symbol.asyncDispose]: () => world.stop() });
}

function firstMessage(address: string): Promise<unknown> {
  const socket = new WebSocket(address);
  return new Promise((resolve, reject) => {
    socket.once('message', (data) => {
      resolve(JSON.parse(String(data)));
      socket.close();
    });
    socket.once('error', reject);
  });
}
