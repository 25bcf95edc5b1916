// A real Prometheus scrapes a real fleet: every role is a target that is up, the text is clean by promtool, and what was done is counted where it was done.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../conformance/world.ts';
import { freePort } from '../../support/own-servers.ts';
import { Fleet } from '../../support/worlds/fleet.ts';

const TASKS = 12;
const folder = mkdtempSync(join(tmpdir(), 'windrow-prometheus-'));
let f: Fleet;
let prometheus: ChildProcess;
let ports: Record<'api' | 'orchestrator' | 'worker', number>;
let url: string;

beforeAll(async () => {
  f = await Fleet.start({ orchestrators: 0, workers: 0 });
  ports = { api: Number(f.env.PORT), orchestrator: await freePort(), worker: await freePort() };
  f.roles.start(['orchestrator'], { env: { ...f.env, METRICS_PORT: String(ports.orchestrator) } });
  f.startWorker({ METRICS_PORT: String(ports.worker) });
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const config = {
    global: { scrape_interval: '1s' },
    scrape_configs: Object.entries(ports).map(([role, at]) => ({
      job_name: role,
      static_configs: [{ targets: [`127.0.0.1:${at}`] }],
    })),
  };
  // JSON is YAML.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  prometheus = spawn(
    process.env.TEST_PROMETHEUS!,
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
});
afterAll(async () => {
  if (prometheus) {
    const ended = new Promise((resolve) => prometheus.once('exit', resolve));
    prometheus.kill('SIGTERM');
    await ended;
  }
  await f?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The value of a query that has one, or NaN. */
async function asked(query: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`).catch(() => undefined);
  const body = answer?.ok ? ((await answer.json()) as { data: { result: { value: [number, string] }[] } }) : undefined;
  return Number(body?.data.result[0]?.value[1] ?? Number.NaN);
}

const counted = (query: string, isSo: (value: number) => boolean): Promise<void> =>
  until(query, async () => isSo(await asked(query)));

const textOf = async (role: keyof typeof ports): Promise<string> =>
  (await fetch(`http://127.0.0.1:${ports[role]}/metrics`)).text();

test('a fleet is scraped, and counts what it did where it did it', async () => {
  const { runId } = await f.client.submit({ articles: f.urls(TASKS).map((address) => ({ url: address })) });
  await f.ended(runId);
  await counted('sum(up)', (value) => value === 3);
  await counted('sum(windrow_tasks_total{outcome="done"})', (value) => value === TASKS);
  await counted('sum(windrow_web_requests_total{job="worker"})', (value) => value >= TASKS);
  await counted('windrow_runs_accepted_total{job="api",kind="article"}', (value) => value === 1);
  await counted('windrow_run_duration_seconds_count{kind="article"}', (value) => value === 1);
  expect(await asked('windrow_items_recorded_total{kind="article"}')).toBe(TASKS);
  expect(await asked('windrow_workers')).toBe(1);
});

test('what the queue waits for is told by its reason', async () => {
  await f.client.call('POST', '/sources/article/pause', { body: { reason: 'a test' } });
  const held = await f.client.submit({ articles: f.urls(3).map((address) => ({ url: address })) });
  await counted('windrow_queue_waiting_tasks{lane="http",reason="paused"}', (value) => value === 3);
  await counted('windrow_queue_waiting_age_seconds{lane="http",reason="paused"}', (value) => value > 0);
  await f.client.call('POST', '/sources/article/resume');
  await f.ended(held.runId);
  await counted('sum(windrow_submit_batch_runs_count)', (value) => value >= 2);
  await counted('sum(windrow_dispatch_batch_tasks_sum)', (value) => value >= TASKS + 3);
});

test('promtool finds nothing wrong with the metrics of any role', async () => {
  for (const role of ['api', 'orchestrator', 'worker'] as const)
    execFileSync(process.env.TEST_PROMTOOL!, ['check', 'metrics'], { input: await textOf(role), stdio: 'pipe' });
});

test('a role says that it lives and is ready, and not ready any more while it stops', async () => {
  const ask = async (role: keyof typeof ports, path: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${ports[role]}${path}`)).status;
  for (const role of ['orchestrator', 'worker'] as const) {
    expect(await ask(role, '/livez')).toBe(200);
    expect(await ask(role, '/readyz')).toBe(200);
    expect(await ask(role, '/nothing')).toBe(404);
  }
  f.redis.pause();
  try {
    await until('the worker is not ready', async () => (await ask('worker', '/readyz')) === 503);
    expect(await ask('worker', '/livez')).toBe(200);
  } finally {
    f.redis.resume();
  }
  await until('the worker is ready again', async () => (await ask('worker', '/readyz')) === 200);
});
