// A fleet of separate processes on a PostgreSQL and a Redis of its own, so that what each part uses can be told apart, and a web that only waits: the sandbox, in a
// process of its own, whose pages take as long as they are asked to.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { openRedisWire } from '../../src/wire/redis.ts';
import { openSql } from '../../tests/support/invariants.ts';
import { freePort, startPostgres, startRedis } from '../../tests/support/own-servers.ts';
import { type RoleProcess, Roles } from '../../tests/support/processes.ts';
import { cpuOf, residentMb, type ServerUse, serverUse } from './usage.ts';

export interface FleetSize {
  workers: number;
  slots: number;
  pageMs: number;
  tasks: number;
}

export const PARTS = ['api', 'orchestrator', 'worker', 'postgres', 'redis'] as const;
export type Part = (typeof PARTS)[number];
export type Cpu = Record<Part, number>;

export interface Measured {
  /** Pages a second while the slots were full. */
  rate: number;
  /** Tasks in hand, of all workers, at most. */
  inFlight: number;
  /** Of a page, as it was sent. */
  pageKb: number;
  failed: number;
  /** CPU-seconds of each part, from the submit to the last page. */
  cpu: Cpu;
  used: ServerUse;
  /** CPU-seconds a second of each part, all processes of it, without work. */
  idle: Cpu;
  /** Of each process. */
  residentMb: { api: number; orchestrator: number; worker: number; workerIdle: number };
  redisConnections: { api: number; orchestrator: number; worker: number };
}

/** After the start a process is busy with itself. */
const SETTLE_MS = 6_000;
const IDLE_MS = 6_000;
const POLL_MS = 100;
const ARTICLES_OF_REQUEST = 500;
/** While so much of the work is done all slots have work: before it they fill, after it some are empty. */
const STEADY = [0.2, 0.8] as const;

export async function measureFleet({ workers, slots, pageMs, tasks }: FleetSize): Promise<Measured> {
  const [postgres, redis, port] = await Promise.all([startPostgres({ maxConnections: 200 }), startRedis(), freePort()]);
  const target: ChildProcess = fork(fileURLToPath(new URL('../sandbox/target.ts', import.meta.url)));
  const [{ origin }] = (await once(target, 'message')) as [{ origin: string }];
  const base = `http://127.0.0.1:${port}`;
  const env = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    WORKER_LANES: 'http',
    WORKER_CONCURRENCY: String(slots),
    WEB_HOST_MAP: `*=${origin}`,
  };
  const roles = new Roles();
  const admin = new Redis(redis.url);
  const connections = async (): Promise<number> => ((await admin.client('LIST')) as string).trim().split('\n').length;
  const wire = await openRedisWire({ url: redis.url });
  const { sql, close } = await openSql(postgres.url);
  try {
    const before = await connections();
    const api = roles.start(['api'], { env });
    await api.waitForHttp(`${base}/readyz`);
    const withApi = await connections();
    const orchestrator = roles.start(['orchestrator'], { env });
    while (!(await hasOrchestrator(base))) await sleep(POLL_MS);
    const withOrchestrator = await connections();
    const started: RoleProcess[] = [];
    for (let n = 0; n < workers; n++) started.push(roles.start(['worker'], { env }));
    while ((await wire.workers()).length < workers) await sleep(POLL_MS);
    const cpu = (): Cpu => ({
      api: cpuOf(api.pid),
      orchestrator: cpuOf(orchestrator.pid),
      worker: started.reduce((sum, one) => sum + cpuOf(one.pid), 0),
      postgres: cpuOf(postgres.pid),
      redis: cpuOf(redis.pid),
    });
    const mean = (list: RoleProcess[]): number => list.reduce((sum, one) => sum + residentMb(one.pid), 0) / list.length;
    await sleep(SETTLE_MS);
    const quiet = cpu();
    await sleep(IDLE_MS);
    const idle = perSecond(since(quiet, cpu()), IDLE_MS / 1_000);
    const workerIdle = mean(started);

    const from = { cpu: cpu(), used: await serverUse(sql, admin) };
    const began = performance.now();
    for (let at = 0; at < tasks; at += ARTICLES_OF_REQUEST) {
      await submit(
        base,
        Array.from({ length: Math.min(ARTICLES_OF_REQUEST, tasks - at) }, (_, n) => ({
          url: `https://site-${(at + n) % hostsFor(workers * slots)}.example/${at + n}?fault=slow:${pageMs}`,
        })),
      );
    }
    const done: { at: number; count: number }[] = [];
    let [inFlight, failed, worker] = [0, 0, 0];
    for (;;) {
      const [row] = await sql<{ completed: string; failed: string }>(
        'select coalesce(sum(completed), 0) as completed, coalesce(sum(failed), 0) as failed from windrow.runs',
      );
      failed = Number(row!.failed);
      const count = Number(row!.completed) + failed;
      done.push({ at: performance.now() - began, count });
      inFlight = Math.max(
        inFlight,
        (await wire.workers()).reduce((sum, { busy }) => sum + busy, 0),
      );
      if (count >= tasks) break;
      if (count >= tasks / 2 && worker === 0) worker = mean(started);
      await sleep(POLL_MS);
    }
    const used = await serverUse(sql, admin);
    const [page] = await sql<{ kb: string }>(
      "select avg((metadata->>'bytes')::bigint) / 1000 as kb from windrow.outcomes",
    );
    return {
      pageKb: Number(page!.kb),
      rate: steadyRate(done, tasks),
      inFlight,
      failed,
      cpu: since(from.cpu, cpu(), idle, (performance.now() - began) / 1_000),
      used: {
        walBytes: used.walBytes - from.used.walBytes,
        storedBytes: used.storedBytes - from.used.storedBytes,
        redisBytes: used.redisBytes - from.used.redisBytes,
      },
      idle,
      residentMb: { api: residentMb(api.pid), orchestrator: residentMb(orchestrator.pid), worker, workerIdle },
      redisConnections: {
        api: withApi - before,
        orchestrator: withOrchestrator - withApi,
        worker: ((await connections()) - withOrchestrator) / workers,
      },
    };
  } finally {
    await roles.reap();
    await Promise.all([wire.close(), close(), admin.quit()]);
    target.disconnect();
    await Promise.all([postgres.stop(), redis.stop()]);
  }
}

/** So many that the pace of no single site is what is measured. */
const hostsFor = (slots: number): number => 4 * slots;

async function hasOrchestrator(base: string): Promise<boolean> {
  const { parts } = (await (await fetch(`${base}/health`)).json()) as { parts: Record<string, { status: string }> };
  return parts.orchestrators?.status === 'up';
}

async function submit(base: string, articles: { url: string }[]): Promise<void> {
  const answer = await fetch(`${base}/jobs/submit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ articles }),
  });
  if (!answer.ok) throw new Error(`submit answered ${answer.status}: ${await answer.text()}`);
}

function since(from: Cpu, to: Cpu, idle?: Cpu, seconds = 0): Cpu {
  const one = (part: Part): [Part, number] => [
    part,
    Math.max(0, to[part] - from[part] - (idle ? idle[part] * seconds : 0)),
  ];
  return Object.fromEntries(PARTS.map(one)) as Cpu;
}

const perSecond = (cpu: Cpu, seconds: number): Cpu =>
  Object.fromEntries(PARTS.map((part) => [part, cpu[part] / seconds])) as Cpu;

function steadyRate(done: { at: number; count: number }[], tasks: number): number {
  const first = done.find(({ count }) => count >= STEADY[0] * tasks)!;
  const last = done.find(({ count }) => count >= STEADY[1] * tasks)!;
  return (1_000 * (last.count - first.count)) / (last.at - first.at);
}
