// Runs as the dashboard lists and shows them: filtered, with their entries and tasks, and cancelled whatever their kind.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorld, startApiWorld } from './api-world.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await startApiWorld();
});
afterAll(() => world?.stop());

test('a run shows what was requested, and each entry with its task, attempts and error', async () => {
  const id = await world.submit(['/entry/1', '/gone/2', '/entry/3']);
  await world.ended(id);
  const run = await world.call('GET', `/runs/${id}`);
  expect(run.body).toMatchObject({ run_id: id, status: 'partial', request: {} });
  const { body } = await world.call('GET', `/runs/${id}/tasks?limit=2`);
  expect(body.tasks).toMatchObject([
    { position: 0, entry: { url: 'https://example.com/entry/1' }, source: 'article', state: 'done', error: null },
    { position: 1, state: 'failed', error: { message: expect.stringContaining('404') } },
  ]);
  expect(body.tasks[0].attempts).toBeGreaterThan(0);
  const rest = await world.call('GET', `/runs/${id}/tasks?cursor=${body.next_cursor}`);
  expect(rest.body).toMatchObject({ tasks: [{ position: 2, state: 'done' }], next_cursor: null });
  const again = await world.submit(['/entry/1']);
  await world.ended(again);
  const stored = await world.call('GET', `/runs/${again}/tasks`);
  expect(stored.body.tasks).toMatchObject([{ state: 'stored', task_id: null, attempts: 0 }]);
  expect((await world.call('GET', '/runs/job_000000000000/tasks')).status).toBe(404);
});

test('runs are found by source, by text in any entry, by id and by age', async () => {
  const id = await world.submit(['/plain', '/needle%20in/a/haystack']);
  await world.ended(id);
  const found = async (query: string) =>
    (await world.call('GET', `/runs?${query}`)).body.runs.map((run: { run_id: string }) => run.run_id);
  expect(await found('q=NEEDLE')).toEqual([id]);
  expect(await found(`q=${id}`)).toEqual([id]);
  expect(await found('q=nothing-has-this')).toEqual([]);
  expect(await found('source=article&q=needle')).toEqual([id]);
  expect(await found('source=indeed')).toEqual([]);
  expect(await found('created_after=2100-01-01')).toEqual([]);
  expect(await found('created_after=2020-01-01&q=needle')).toEqual([id]);
  expect((await world.call('GET', '/runs?created_after=yesterday')).status).toBe(422);
});

test('a run that waits is cancelled by its id, and one that has ended is not', async () => {
  await world.call('POST', '/sources/article/pause', { reason: 'test' });
  const id = await world.submit(['/held/1', '/held/2']);
  await expect
    .poll(async () =>
      (await world.call('GET', `/runs/${id}/tasks`)).body.tasks.map((task: { state: string }) => task.state),
    )
    .toEqual(['held', 'held']);
  const cancelled = await world.call('DELETE', `/runs/${id}`);
  expect(cancelled.body).toEqual({ run_id: id, status: 'cancelled', removed_tasks: 2 });
  await world.call('POST', '/sources/article/resume');
  expect((await world.call('GET', `/runs/${id}/tasks`)).body.tasks).toMatchObject([
    { state: 'cancelled' },
    { state: 'cancelled' },
  ]);
  const ended = await world.submit(['/entry/9']);
  await world.ended(ended);
  expect((await world.call('DELETE', `/runs/${ended}`)).status).toBe(400);
  expect((await world.call('DELETE', '/runs/job_000000000000')).status).toBe(404);
});
