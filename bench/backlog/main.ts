// A backlog of 100,000 articles, drained by separate processes on PostgreSQL and Redis: does asking for a run's status cost the same as with one
// article, and does the memory of every process stay flat while the backlog goes down? It samples for BENCH_SECONDS (60); an hour shows the same slope.
import { readFileSync } from 'node:fs';
import { startSandbox } from '../../src/sandbox/server.ts';
import { freePort, freshDatabase } from '../../tests/support/own-servers.ts';
import { Roles } from '../../tests/support/processes.ts';
import { found } from '../found.ts';
import { median, row } from '../peers.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
const ARTICLES = Number(process.env.BENCH_ARTICLES ?? 100_000);
const PER_RUN = 10_000;
const sandbox = await startSandbox();
const database = await freshDatabase();
const port = await freePort();
const base = `http://127.0.0.1:${port}`;
const env = {
  DATABASE_URL: database.url,
  REDIS_URL: process.env.TEST_REDIS_URL!,
  PORT: String(port),
  LOG_LEVEL: 'warn',
  WEB_HOST_MAP: `*=${sandbox.origin}`,
};
const roles = new Roles();
const processes = {
  api: await roles.start(['api'], { env }),
  orchestrator: await roles.start(['orchestrator'], { env }),
  'worker 1': await roles.start(['worker'], { env }),
  'worker 2': await roles.start(['worker'], { env }),
};

async function submit(count: number, from: number): Promise<string> {
  const articles = Array.from({ length: count }, (_, n) => ({
    url: `https://site-${(from + n) % 500}.example/${from + n}`,
    priority: 9,
  }));
  const answer = await fetch(`${base}/jobs/submit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ articles }),
  });
  if (answer.status !== 201) throw new Error(`submit answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { job_id: string }).job_id;
}

async function statusMs(id: string): Promise<number> {
  const started = performance.now();
  await (await fetch(`${base}/jobs/${id}/status`)).json();
  return performance.now() - started;
}

/** Interleaved, so that both see the same noise. */
async function compare(a: string, b: string): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let n = 0; n < 200; n++) {
    times[0].push(await statusMs(a));
    times[1].push(await statusMs(b));
  }
  return [median(times[0]), median(times[1])];
}

const rssMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

let ratio = 0;
const memory: Record<string, number[]> = {};
try {
  await processes.api.waitForHttp(`${base}/readyz`);
  const one = await submit(1, 0);
  const runs: string[] = [];
  for (let from = 1; from < ARTICLES; from += PER_RUN) runs.push(await submit(PER_RUN, from));
  const [small, large] = await compare(one, runs[0]!);
  ratio = large / small;
  row('status of', 'median ms');
  row('---', '---');
  row('a run of 1 article', small.toFixed(2));
  row(`a run of ${PER_RUN} in a backlog of ${ARTICLES}`, large.toFixed(2));
  for (let second = 0; second < SECONDS; second += 5) {
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    for (const [name, process_] of Object.entries(processes))
      memory[name] = [...(memory[name] ?? []), rssMb(process_.pid)];
  }
  const list = (await (await fetch(`${base}/jobs/?limit=100`)).json()) as {
    jobs: { completed: number; failed: number }[];
  };
  const done = list.jobs.reduce((sum, job) => sum + job.completed + job.failed, 0);
  console.log(`\n${done} articles done in ${SECONDS} s`);
} finally {
  await roles.reap();
  await database.drop();
  await sandbox.close();
}
row('process', 'RSS MB in the second quarter', 'in the last quarter', 'growth');
row('---', '---', '---', '---');
let worst = 0;
for (const [name, values] of Object.entries(memory)) {
  const quarter = Math.max(1, Math.floor(values.length / 4));
  const early = median(values.slice(quarter, quarter * 2));
  const late = median(values.slice(-quarter));
  worst = Math.max(worst, late / early);
  row(name, early, late, `${((late / early - 1) * 100).toFixed(0)} %`);
}
found('status with 100,000 articles waiting, next to one', ratio, 'times', { atMost: 1.5 });
found('memory late in the drain, next to early', worst, 'times', { atMost: 1.15 });
process.exit();
