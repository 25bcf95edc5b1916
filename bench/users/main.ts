// (g) People at once: each on a keep-alive connection, each sends one cart and polls until it is complete. PostgreSQL, Redis, two API processes on one
// port, orchestrator, worker, the sandbox for a shop; all on this machine, clients included. BENCH_USERS (25,000), BENCH_CHAOS=1: a worker is killed every
// two seconds and Redis loses everything once. Accepting is measured before orchestrator and workers start, since here they would take its processor: so is the
// echo. How long it then takes to write out what was let in is told beside it.
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freshDatabase, startRedis } from '../../tests/support/own-servers.ts';
import { type RoleProcess, Roles } from '../../tests/support/processes.ts';
import { found } from '../found.ts';
import { row } from '../peers.ts';
import { crowdOf, searchesOf } from './people.ts';

const USERS = Number(process.env.BENCH_USERS ?? 25_000);
const IS_CHAOS = process.env.BENCH_CHAOS === '1';
const LIMIT_SECONDS = Number(process.env.BENCH_LIMIT_SECONDS ?? 1_500);
const WORKERS = Number(process.env.BENCH_WORKERS ?? (IS_CHAOS ? 3 : 1));
const KILL_EVERY_MS = 2_000;
const PARTS = 2;
const PROMISED = 0.5;

interface Accepted {
  answered: number;
  beganMs: number;
  endedMs: number;
  times: number[];
  problems: string[];
}
interface Polled {
  complete: number;
  errors: number;
  wrong: number;
  shed: number;
  polls: number;
  times: number[];
  problems: string[];
}

const say = (line: string): void => console.log(`- ${line}`);
const roles = new Roles();
const script = (name: string): string => new URL(`./${name}.ts`, import.meta.url).pathname;
const percentile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** The two client processes as one. */
function openCrowd(port: number) {
  const env = { ...process.env, CROWD_USERS: String(USERS), CROWD_PARTS: String(PARTS), TARGET_PORT: String(port) };
  const children: ChildProcess[] = Array.from({ length: PARTS }, (_, part) =>
    fork(script('crowd'), { env: { ...env, CROWD_PART: String(part) } }),
  );
  let orders = 0;
  return {
    order<T>(order: object): Promise<T[]> {
      const id = ++orders;
      return Promise.all(
        children.map(
          (child) =>
            new Promise<T>((resolve, reject) => {
              child.once('exit', (code) => reject(new Error(`a client process ended with ${code}`)));
              child.on('message', (message: { id: number; answer: T }) => message.id === id && resolve(message.answer));
              child.send({ id, ...order });
            }),
        ),
      );
    },
    close: () => children.forEach((child) => void child.kill()),
  };
}

async function acceptRate(crowd: ReturnType<typeof openCrowd>) {
  await crowd.order({ name: 'warm-up', path: '/cart', status: 202 });
  const parts = await crowd.order<Accepted>({ name: 'accept', path: '/cart', status: 202 });
  const seconds =
    (Math.max(...parts.map(({ endedMs }) => endedMs)) - Math.min(...parts.map(({ beganMs }) => beganMs))) / 1_000;
  const times = parts.flatMap((part) => part.times);
  const problems = parts.flatMap((part) => part.problems);
  return { rate: times.length / seconds, p50: percentile(times, 0.5), p99: percentile(times, 0.99), times, problems };
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
const rssMb = (pids: number[]): number =>
  pids.reduce((sum, pid) => sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]), 0) /
  1_024;

async function echoRate() {
  const [first] = [roles.start([], { script: script('echo'), env: { PORT: '0' } })];
  const port = Number((await first!.waitForLine(/process\.started (\d+)/))[1]);
  const second = roles.start([], { script: script('echo'), env: { PORT: String(port) } });
  await second.waitForLine(/process\.started/);
  const crowd = openCrowd(port);
  await crowd.order({ name: 'connect' });
  const result = await acceptRate(crowd);
  crowd.close();
  await Promise.all([first!.terminate(), second.terminate()]);
  return result;
}

const database = await freshDatabase();
const redis = await startRedis();
const sql = new Client(database.url);
let isOver = false;
let kills = 0;
const workers: RoleProcess[] = [];
let env: Record<string, string> = {};
const startWorker = (): RoleProcess => roles.start([], { script: script('worker'), env });

/** One worker after the other, the oldest first; each is replaced at once. */
async function breakThings(): Promise<void> {
  const began = performance.now();
  let isFlushed = false;
  while (!isOver) {
    await sleep(KILL_EVERY_MS);
    if (isOver) return;
    await workers.shift()!.kill();
    kills++;
    workers.push(startWorker());
    if (!isFlushed && performance.now() - began > 5 * KILL_EVERY_MS) {
      isFlushed = true;
      await redis.flush();
      say('Redis was flushed');
    }
  }
}

/** A crowd is let in before its rows are written: that they are soon is part of the truth. */
async function untilWrittenOut(since: number): Promise<void> {
  while (!isOver && (await sql.query('select 1 from windrow.submission_spool limit 1')).rowCount) await sleep(50);
  if (!isOver)
    say(`all rows written out ${((performance.now() - since) / 1_000).toFixed(1)} s after an orchestrator was started`);
}

async function main(): Promise<void> {
  const echo = await echoRate();
  const sandbox = roles.start(['sandbox', '--port', '0'], { env: { LOG_LEVEL: 'info' } });
  const [, origin] = await sandbox.waitForLine(/"origin":"([^"]+)"/);
  env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    WEB_HOST_MAP: `*=${origin}`,
    LEASE_SECONDS: '10',
    SWEEP_SECONDS: '2',
    HEARTBEAT_SECONDS: '1',
    CART_FRESH_SECONDS: '3600',
    LOG_LEVEL: 'warn',
    ...(process.env.BENCH_SLOTS ? { BENCH_SLOTS: process.env.BENCH_SLOTS } : {}),
  };
  const api = roles.start(['api', '--processes', String(PARTS), '--port', '0'], { env: { ...env, LOG_LEVEL: 'info' } });
  const [, port] = await api.waitForLine(/"api\.listening".*?:(\d+)"/, 60_000);
  await api.waitForLine(/process\.started[\s\S]*process\.started/, 60_000);
  const pids = [api.pid, ...childrenOf(api.pid)];
  await sql.connect();

  const crowd = openCrowd(Number(port));
  const emptyMb = rssMb(pids);
  const connectedAt = performance.now();
  const connected = await crowd.order<{ connected: number }>({ name: 'connect' });
  say(
    `${connected.reduce((sum, part) => sum + part.connected, 0)} connected in ${((performance.now() - connectedAt) / 1_000).toFixed(1)} s`,
  );
  await sleep(1_000);
  const heldMb = rssMb(pids);
  const accept = await acceptRate(crowd);
  say(`${accept.times.length} accepted; ${accept.problems.length} problems ${accept.problems.join(' | ')}`);

  roles.start(['orchestrator'], { env });
  for (let n = 0; n < WORKERS; n++) workers.push(startWorker());
  const chaos = IS_CHAOS ? breakThings() : Promise.resolve();
  const workAt = performance.now();
  const writtenOut = untilWrittenOut(workAt);
  const polled = await crowd.order<Polled>({ name: 'poll', limitSeconds: LIMIT_SECONDS });
  const seconds = (performance.now() - workAt) / 1_000;
  isOver = true;
  await chaos;
  await writtenOut;
  const sum = (field: 'complete' | 'errors' | 'wrong' | 'shed' | 'polls') =>
    polled.reduce((all, part) => all + part[field], 0);
  const times = polled.flatMap((part) => part.times);
  const fullMb = rssMb(pids);
  crowd.close();
  const { rows } = await sql.query<{ tasks: number; dead: number; ended: number }>(
    `select (select count(*)::int from windrow.tasks) as tasks, (select count(*)::int from windrow.dead_letters) as dead,
            (select count(*)::int from windrow.outcomes) as ended`,
  );
  const { tasks, dead, ended } = rows[0]!;
  const people = crowdOf(USERS);
  const items = people.reduce((all, { items: wanted }) => all + wanted.length, 0);
  const ratio = accept.rate / echo.rate;

  row('', 'accepted/s', 'p50 ms', 'p99 ms');
  row('---', '---', '---', '---');
  row('windrow', accept.rate, accept.p50, accept.p99);
  row('bare Fastify echo', echo.rate, echo.p50, echo.p99);
  found(`accepting from ${USERS} people next to an echo`, ratio, 'times', IS_CHAOS ? {} : { atLeast: PROMISED });
  say(
    `${sum('complete')} of ${USERS} carts complete with exactly the expected products after ${seconds.toFixed(0)} s; ${sum('errors')} errors, ${sum('wrong')} wrong, ${sum('shed')} asked to come back`,
  );
  say(
    `${sum('polls')} polls (${(sum('polls') / seconds).toFixed(0)}/s): p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms, longest ${percentile(times, 1).toFixed(0)} ms`,
  );
  say(
    `${items} items became ${tasks - 1} searches (${searchesOf(people)} different ones): ${(100 - ((tasks - 1) * 100) / items).toFixed(1)} % saved by sharing; ${(tasks / seconds).toFixed(0)} searches/s`,
  );
  say(
    `memory of the two API processes: ${emptyMb.toFixed(0)} MB empty, ${heldMb.toFixed(0)} MB with everyone connected (${(((heldMb - emptyMb) * 1_024) / USERS).toFixed(1)} KB a connection), ${fullMb.toFixed(0)} MB at the end`,
  );
  if (IS_CHAOS)
    say(
      `${kills} workers were killed, Redis was flushed once; ${ended} searches ended, ${dead} of them as dead letters`,
    );
  for (const text of new Set(polled.flatMap((part) => part.problems))) say(`problem: ${text}`);
  found(`p99 of polls of ${USERS} people`, percentile(times, 0.99), 'ms');
  found('memory of the API a connection', ((fullMb - emptyMb) * 1_024) / USERS, 'KB');
  found('carts not complete', USERS - sum('complete'), 'carts', { atMost: 0 });
  found('answers that were errors or wrong', sum('errors') + sum('wrong'), 'answers', { atMost: 0 });
  found('searches more than were different', tasks - 1 - searchesOf(people), 'searches', { atLeast: 0, atMost: 0 });
}

try {
  await main();
} finally {
  isOver = true;
  await roles.reap();
  await sql.end();
  await redis.stop();
  await database.drop();
}
