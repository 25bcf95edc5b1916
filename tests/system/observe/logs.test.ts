// What operators read: the lines that api, orchestrator and worker write about one run, tied together by its ids; and that nobody who reads them can stop the work.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../conformance/world.ts';
import type { RoleProcess } from '../../support/processes.ts';
import { Fleet } from '../../support/worlds/fleet.ts';

let f: Fleet;
beforeAll(async () => {
  f = await Fleet.start({ workers: 1 });
});
afterAll(async () => f?.close());

const linesOf = (role: RoleProcess, event: string) => role.events.filter((line) => line.event === event);

test('the lines of a run name its request, in every process', async () => {
  const [good, gone] = [f.urls(1)[0]!, f.urls(1, '?status=404')[0]!];
  const answer = await fetch(`${f.client.origin}/jobs/submit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': 'from-outside-1' },
    body: JSON.stringify({ articles: [{ url: good }, { url: gone }] }),
  });
  const { job_id: runId } = (await answer.json()) as { job_id: string };
  await f.ended(runId);
  const ids = { run_id: runId, request_id: 'from-outside-1' };
  const [orchestrator, worker] = [f.orchestrators[0]!, f.workers[0]!];
  await until('the end is told', () => linesOf(orchestrator, 'run.settled').length === 1);
  await until('both ends are told', () => linesOf(worker, 'task.ended').length === 2);

  expect(linesOf(f.api, 'run.accepted')).toMatchObject([ids]);
  const started = linesOf(worker, 'task.started');
  expect(started).toHaveLength(2);
  for (const line of started)
    expect(line).toMatchObject({ ...ids, task_id: expect.any(String), site_name: 'article', attempt: 1 });
  const byOutcome = Map.groupBy(linesOf(worker, 'task.ended'), ({ outcome }) => outcome);
  expect(byOutcome.get('success')).toMatchObject([{ ...ids, items: 1, requests: 1, seconds: expect.any(Number) }]);
  expect(byOutcome.get('failed')).toMatchObject([{ ...ids, items: 0, category: 'not_found' }]);
  for (const line of [...linesOf(orchestrator, 'task.done'), ...linesOf(orchestrator, 'task.failed')])
    expect(line).toMatchObject(ids);
  expect(linesOf(orchestrator, 'run.settled')).toMatchObject([
    { ...ids, kind: 'article', status: 'completed', completed: 1, failed: 1, items: 1, seconds: expect.any(Number) },
  ]);
});

test('a worker goes on when nobody reads its log', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'windrow-log-'));
  try {
    const fifo = join(folder, 'log');
    await f.kill(f.workers[0]!);
    // Opened for both, it is full after 64 KB and never read.
    f.roles.start(['worker'], {
      env: f.env,
      wrap: (command, args) => ['sh', ['-c', 'mkfifo "$0" && exec 3<>"$0" && exec "$@" >&3', fifo, command, ...args]],
    });
    const { runId } = await f.submit(f.urls(300));
    expect(await f.ended(runId)).toMatchObject({ status: 'completed', completed: 300 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
