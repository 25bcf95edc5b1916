// Faults of stopping and of restarts: S2 S3 S4, and D12: what progress says meanwhile.
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { signalProcess } from '../../src/store/embedded/process.ts';
import { comingBack } from '../support/http-client.ts';
import { Fleet } from '../support/worlds/fleet.ts';

let f: Fleet;
beforeAll(async () => {
  f = await Fleet.start({ orchestrators: 2, workers: 2, env: { WORKER_CONCURRENCY: '5' } });
});
afterEach(() => f.verify());
afterAll(() => f?.close());

const all = (total: number) => ({ status: 'completed', total, completed: total, failed: 0 });

/** A submission whose head the server has seen and whose body it still waits for. */
async function halfSent(
  body: string,
): Promise<{ finish(): Promise<{ status: number; json: Record<string, unknown> }> }> {
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    expect: '100-continue',
  };
  const sent: ClientRequest = request(`${f.client.origin}/jobs/submit`, { method: 'POST', headers });
  const answered = once(sent, 'response');
  // Heard when it is finished.
  answered.catch(() => {});
  sent.flushHeaders();
  await once(sent, 'continue');
  return {
    async finish() {
      sent.end(body);
      const [response] = (await answered) as [IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      return { status: response.statusCode!, json: JSON.parse(Buffer.concat(chunks).toString()) };
    },
  };
}

test('S2: an API told to stop is not ready, finishes what it has begun, tells sockets to come back, and exits 0', async () => {
  const urls = f.urls(5);
  const begun = await Promise.all(urls.map((url) => halfSent(JSON.stringify({ articles: [{ url }] }))));
  const socket = new WebSocket(`${f.client.origin.replace('http', 'ws')}/ws`);
  await once(socket, 'open');
  const closed = once(socket, 'close');
  const leaving = f.api;
  f.excuse(leaving);
  const ended = leaving.terminate();
  await f.until('it is not ready', () =>
    fetch(`${f.client.origin}/readyz`).then(
      (answer) => !answer.ok,
      () => true,
    ),
  );
  const runs: string[] = [];
  for (const [n, one] of begun.entries()) {
    const { status, json } = await one.finish();
    expect(status).toBe(201);
    f.client.acknowledged.set(String(json.job_id), [urls[n]!]);
    runs.push(String(json.job_id));
  }
  expect((await closed)[0]).toBe(1012);
  expect(await ended).toEqual({ code: 0, signal: null });
  await f.startApi();
  for (const runId of runs) expect(await f.ended(runId)).toEqual(all(1));
});

test('S3: a second signal ends a worker at once, and what it had is done by another', async () => {
  const worker = f.startWorker({ SHUTDOWN_GRACE_SECONDS: '3600', WORKER_CONCURRENCY: '20' });
  await worker.waitForLine(/process\.started/);
  f.target.hold();
  const { runId } = await f.submit(f.urls(30, '?held=1'));
  await f.until('all workers are busy', () => f.target.open >= 25);
  f.excuse(worker);
  signalProcess(worker.pid, 'SIGTERM');
  await worker.waitForLine(/process\.stopping/);
  await sleep(1_500);
  expect(worker.isRunning).toBe(true);
  signalProcess(worker.pid, 'SIGTERM');
  // An hour of grace is not waited for.
  await worker.waitForExit();
  f.target.letGo();
  expect(await f.ended(runId)).toEqual(all(30));
});

test('S4: while every process is replaced in turn nothing fails and nothing is lost', async () => {
  const first = await f.submit(f.urls(80, '?slow=500'));
  const later: string[] = [];
  const more = async () => void later.push((await f.submit(f.urls(3, '?slow=300'))).runId);
  for (const old of [...f.workers, ...f.orchestrators].filter((role) => role.isRunning)) {
    const next = old.name === 'worker' ? f.startWorker() : f.startOrchestrator();
    await next.waitForLine(/process\.started/);
    f.excuse(old);
    expect((await old.terminate()).code).toBe(0);
    await more();
  }
  f.excuse(f.api);
  expect((await f.api.terminate()).code).toBe(0);
  await f.startApi();
  await more();
  expect(await f.ended(first.runId)).toEqual(all(80));
  for (const runId of later) expect(await f.ended(runId)).toEqual(all(3));
});

test('D12: while workers die and Redis forgets, progress never goes back nor past its end, and the time that is left is a number or absent', async () => {
  const { runId, total } = await f.submit(f.urls(60, '?slow=300'));
  let isOver = false;
  const breaking = (async () => {
    while (!isOver) {
      await sleep(1_000);
      await f.redis.flush();
      const next = f.startWorker();
      await next.waitForLine(/process\.started/);
      await f.kill(f.workers.find((role) => role.isRunning)!);
    }
  })();
  try {
    for (let [last, isRunning] = [0, true]; isRunning; ) {
      const { json } = await comingBack(() => f.client.call('GET', `/runs/${runId}`));
      const state = await comingBack(() => f.client.status(runId));
      const done = state.completed + state.failed;
      expect(done).toBeGreaterThanOrEqual(last);
      expect(done).toBeLessThanOrEqual(total);
      if (json.estimated_time !== undefined && json.estimated_time !== null)
        expect(Number.isFinite(json.estimated_time)).toBe(true);
      last = done;
      isRunning = state.status === 'running';
      await sleep(50);
    }
  } finally {
    isOver = true;
    await breaking;
  }
  expect(await f.ended(runId)).toEqual(all(60));
});
