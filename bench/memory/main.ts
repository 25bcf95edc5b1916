// (d) What a worker process costs: its private memory while it fetches a hundred pages at a time, above that of a Node that does nothing, and the pages it
// reads in a second of CPU; as it is by default, and with WORKER_LEAN=on. The worker is the real command; tasks reach it over Redis as an orchestrator
// would send them, and every page takes a second to come.
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sealTask } from '../../src/model/task/messages.ts';
import { openRedisWire } from '../../src/wire/redis.ts';
import { startRedis } from '../../tests/support/own-servers.ts';
import { Roles } from '../../tests/support/processes.ts';
import { found } from '../found.ts';
import { row } from '../peers.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
const FETCHES = 100;
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const PROMISED = { off: 250, on: 80 };

const privateMb = (pid: number): number =>
  Number(/Private_Dirty:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1]) / 1024;

/** Of a process and all its threads. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

interface Measured {
  idle: number;
  peak: number;
  busy: number;
  done: number;
  failed: number;
  pagesPerCpuSecond: number;
}

async function measure(lean: 'on' | 'off', origin: string): Promise<Measured> {
  const redis = await startRedis();
  const roles = new Roles();
  const worker = roles.start(['worker', '--lanes', 'http', '--concurrency', String(FETCHES)], {
    env: { REDIS_URL: redis.url, WEB_HOST_MAP: `*=${origin}`, LOG_LEVEL: 'warn', WORKER_LEAN: lean },
  });
  const wire = await openRedisWire({ url: redis.url });
  const stopping = new AbortController();
  let [sent, done, failed] = [0, 0, 0];

  const send = async (count: number): Promise<void> => {
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
  };
  const drain = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const { reports, ack } = await wire.readReports(1_000, stopping.signal);
      await ack();
      const results = (reports as { type: string; status?: string }[]).filter((report) => report.type === 'result');
      done += results.length;
      failed += results.filter((result) => result.status === 'failed').length;
      if (results.length > 0) await send(results.length);
    }
  };

  try {
    while ((await wire.workers()).length === 0) await sleep(100);
    await sleep(1_000);
    const idle = privateMb(worker.pid);
    await send(FETCHES * 2);
    const draining = drain();
    const samples: { busy: number; mb: number }[] = [];
    let from = { cpu: 0, done: 0 };
    for (let tick = 0; tick < SECONDS * 4; tick++) {
      await sleep(250);
      samples.push({ busy: (await wire.workers())[0]?.busy ?? 0, mb: privateMb(worker.pid) });
      // The first half is for code to become warm.
      if (tick === SECONDS * 2) from = { cpu: cpuSeconds(worker.pid), done };
    }
    const pagesPerCpuSecond = (done - from.done) / (cpuSeconds(worker.pid) - from.cpu);
    stopping.abort();
    await draining;
    const most = (name: 'busy' | 'mb') => Math.max(...samples.map((sample) => sample[name]));
    return { idle, peak: most('mb'), busy: most('busy'), done, failed, pagesPerCpuSecond };
  } finally {
    await roles.reap();
    await wire.close();
    await redis.stop();
  }
}

const target: ChildProcess = fork(fileURLToPath(new URL('../sandbox/target.ts', import.meta.url)));
const empty = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
try {
  const [{ origin }] = (await once(target, 'message')) as [{ origin: string }];
  // The first lean worker of a clone keeps its code for the next one.
  await measure('on', origin);
  row('process', 'private MB idle', `peak with ${FETCHES} fetches`, 'above an empty Node', 'pages per CPU-second');
  row('---', '---', '---', '---', '---');
  const floor = privateMb(empty.pid!);
  row('a Node that does nothing', floor.toFixed(0), '', '', '');
  for (const lean of ['off', 'on'] as const) {
    const { idle, peak, busy, failed, pagesPerCpuSecond } = await measure(lean, origin);
    const above = peak - floor;
    row(`worker, WORKER_LEAN=${lean}`, idle.toFixed(0), peak.toFixed(0), above.toFixed(0), pagesPerCpuSecond);
    found(`worker above an empty Node, WORKER_LEAN=${lean}`, above, 'MB', { atMost: PROMISED[lean] });
    found(`fetches at once, WORKER_LEAN=${lean}`, busy, 'fetches', { atLeast: FETCHES * 0.9 });
    found(`fetches that failed, WORKER_LEAN=${lean}`, failed, 'fetches', { atMost: 0 });
  }
} finally {
  empty.kill();
  target.disconnect();
}
