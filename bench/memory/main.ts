// (d) What a worker process costs: its private memory while it fetches a hundred pages at a time, above that of a Node that does nothing. The worker is
// the real command; tasks reach it over Redis as an orchestrator would send them, and every page takes a second to come.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sealTask } from '../../src/model/task/messages.ts';
import { openRedisWire } from '../../src/wire/redis.ts';
import { startRedis } from '../../tests/support/own-servers.ts';
import { Roles } from '../../tests/support/processes.ts';
import { row } from '../peers.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
const FETCHES = 100;
const privateMb = (pid: number): number =>
  Number(/Private_Dirty:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1]) / 1024;

const target: ChildProcess = fork(fileURLToPath(new URL('../sandbox/target.ts', import.meta.url)));
const [{ origin }] = (await once(target, 'message')) as [{ origin: string }];
const redis = await startRedis();
const empty = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
const roles = new Roles();
const worker = roles.start(['worker', '--lanes', 'http', '--concurrency', String(FETCHES)], {
  env: { REDIS_URL: redis.url, WEB_HOST_MAP: `*=${origin}`, LOG_LEVEL: 'warn' },
});
const wire = await openRedisWire({ url: redis.url });
const stopping = new AbortController();
let sent = 0;
let done = 0;
let failed = 0;

async function send(count: number): Promise<void> {
  const tasks = Array.from({ length: count }, () => {
    const id = `task-${sent++}`;
    const body = {
      task_id: id,
      run_id: 'bench',
      scraper_type: 'article',
      params: { url: `https://site-${sent % 200}.example/${sent}?fault=slow:1000` },
      priority: 5,
      created_at: new Date().toISOString(),
      timeout: 60,
      max_retries: 0,
      request_id: null,
    };
    return sealTask(id, JSON.stringify(body), { attempt: 1, failures: 0, crashes: 0 });
  });
  await wire.sendTasks('http', 'medium', tasks);
}

async function drain(): Promise<void> {
  while (!stopping.signal.aborted) {
    const { reports, ack } = await wire.readReports(1_000, stopping.signal);
    await ack();
    const results = (reports as { type: string; status?: string }[]).filter((report) => report.type === 'result');
    done += results.length;
    failed += results.filter((result) => result.status === 'failed').length;
    if (results.length > 0) await send(results.length);
  }
}

const samples: { busy: number; mb: number }[] = [];
let idle = 0;
let floor = 0;
try {
  while ((await wire.workers()).length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  idle = privateMb(worker.pid);
  floor = privateMb(empty.pid!);
  await send(FETCHES * 2);
  const draining = drain();
  for (let tick = 0; tick < SECONDS * 4; tick++) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    samples.push({ busy: (await wire.workers())[0]?.busy ?? 0, mb: privateMb(worker.pid) });
  }
  stopping.abort();
  await draining;
} finally {
  empty.kill();
  await roles.reap();
  await wire.close();
  await redis.stop();
  target.disconnect();
}
const peak = Math.max(...samples.map((sample) => sample.mb));
const busy = Math.max(...samples.map((sample) => sample.busy));
row('process', 'private MB');
row('---', '---');
row('a Node that does nothing', floor.toFixed(1));
row('worker, idle', idle.toFixed(1));
row(`worker, peak over ${SECONDS} s with ${busy} fetches at a time (${done} pages, ${failed} failed)`, peak.toFixed(1));
const cost = peak - floor;
console.log(`the worker costs ${cost.toFixed(1)} MB above an empty Node (promised at most 50)`);
process.exit(cost <= 50 && busy >= FETCHES * 0.9 && failed === 0 ? 0 : 1);
