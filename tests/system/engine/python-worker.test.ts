// A worker in another language: examples/worker.py, written from the message contract, in a fleet of ours.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ErrorNotice } from '../../../src/model/task/messages.ts';
import { forNode, RoleProcess } from '../../support/processes.ts';
import { Fleet } from '../../support/worlds/fleet.ts';

const LANE = 'python';
let f: Fleet;
let python: RoleProcess;
let listener: Redis;
const notices: unknown[] = [];

beforeAll(async () => {
  f = await Fleet.start({ workers: 0, env: { SOURCE_LANES: `article=${LANE}` } });
  listener = new Redis(f.redis.url);
  listener.on('message', (_channel, text) => notices.push(JSON.parse(text)));
  await listener.subscribe('scrapers:errors');
  const script = join(import.meta.dirname, '../../../examples/worker.py');
  // It knows nothing of the host map: the pages come through a proxy.
  const child = spawn(process.env.TEST_PYTHON!, [script, f.redis.url, LANE], {
    env: { ...forNode(), http_proxy: f.target.origin },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  python = new RoleProcess('examples/worker.py', child);
  await python.waitForLine(/takes up to/);
});
afterEach(() => f.verify());
afterAll(async () => {
  await python?.kill();
  listener?.disconnect();
  await f?.close();
});

test('it takes the tasks of its lane, and what it reports is stored', async () => {
  const { runId } = await f.submit(f.urls(12));
  expect(await f.ended(runId)).toEqual({ status: 'completed', total: 12, completed: 12, failed: 0 });
});

test('what fails has its reason, and is published as an error', async () => {
  const [missing] = f.urls(1, '?status=404') as [string];
  const { runId } = await f.submit([missing]);
  expect(await f.ended(runId)).toMatchObject({ status: 'failed', failed: 1 });
  expect((await f.client.results(runId)).failures).toMatchObject([
    { url: missing, error: expect.stringContaining('404') },
  ]);
  await f.until('the notice comes', () => notices.length > 0);
  expect(ErrorNotice.parse(notices[0])).toMatchObject({ run_id: runId, error: { category: 'not_found' } });
});

test('it keeps what it holds by its heartbeats, and stops what is cancelled', async () => {
  f.target.hold();
  const { runId } = await f.submit(f.urls(1, '?held=1'));
  await f.until('the page is under way', () => f.target.open === 1);
  const lease = () =>
    f.withSql(
      async (sql) =>
        (await sql<{ until: Date; started: boolean }>('select lease_until as until, started from windrow.leases'))[0],
    );
  await f.until('it has said that it holds it', async () => (await lease())?.started === true);
  const { until } = (await lease())!;
  await f.until('its lease is renewed', async () => (await lease())!.until > until);
  await f.client.cancel(runId);
  f.target.letGo();
  expect(await f.ended(runId)).toMatchObject({ status: 'cancelled', completed: 0 });
});

test('told to stop, it ends', async () => {
  expect(await python.terminate()).toEqual({ code: 0, signal: null });
});
