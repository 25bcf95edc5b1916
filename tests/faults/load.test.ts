// More of everything than there is room for, in a size that a test can have: S5 S6 S8 S10 S11. The benches `users`, `postings` and `backlog` and long soaks show the same at full size.
// Nothing here says how long something takes: what is compared was measured in the same run, or counted.
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startSandbox } from '../../src/sandbox/server.ts';
import { expectInvariants, openSql } from '../support/invariants.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { Fleet } from '../support/worlds/fleet.ts';

const NOBODY_WAITS_MS = 120_000;
const WAITING = 10_000;

let f: Fleet;
let boards: TcpProxy;
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => {
  sandbox = await startSandbox();
  boards = await TcpProxy.to(sandbox.origin);
  f = await Fleet.start({
    workers: 1,
    hostMap: `apis.indeed.com=http://127.0.0.1:${boards.port},www.indeed.com=http://127.0.0.1:${boards.port}`,
    env: { SOURCE_PACE: 'indeed=20/0,article=50/0' },
  });
});
/** As `Fleet.verify`, which asks for each run by itself: here are thousands. */
afterEach(async () => {
  await f.withSql(async (sql) => {
    await f.until(
      'all runs have ended',
      async () =>
        (
          await sql(
            `select 1 where exists (select from windrow.submission_spool) or exists (select from windrow.runs where status = 'running')`,
          )
        ).length === 0,
    );
    const known = await sql<{ id: string }>('select id from windrow.runs');
    expect(known.length).toBe(f.client.acknowledged.size);
    expect(known.filter(({ id }) => !f.client.acknowledged.has(id))).toEqual([]);
  });
  await expectInvariants(f.databaseUrl);
  for (const role of [f.api, ...f.orchestrators, ...f.workers]) expect(role.isRunning, role.name).toBe(true);
});
afterAll(async () => {
  await f?.close();
  await boards?.close();
  await sandbox?.close();
});

interface Answer {
  status: number;
  retryAfter: number;
  body: { job_id?: string; data?: { run_id: string } };
}

/** One request; on a connection of its own unless an agent keeps some. */
const post = (path: string, body: unknown, agent?: Agent): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const asked = request(`${f.client.origin}${path}`, {
      method: 'POST',
      agent: agent ?? false,
      timeout: NOBODY_WAITS_MS,
      headers,
    });
    asked.on('timeout', () => asked.destroy(new Error('nobody answered')));
    asked.on('error', reject);
    asked.on('response', (reply) => {
      let answer = '';
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        answer += chunk;
      });
      reply.on('error', reject).on('end', () => {
        const retryAfter = Number(reply.headers['retry-after']);
        resolve({ status: reply.statusCode!, retryAfter, body: JSON.parse(answer) as Answer['body'] });
      });
    });
    asked.end(text);
  });

/** Of few pages, which all share: what is asked for counts here, not what is scraped. */
let pages: string[] = [];
async function submitOne(n: number, agent?: Agent): Promise<Answer> {
  const url = pages[n % pages.length]!;
  const answer = await post('/jobs/submit', { articles: [{ url }], max_age_seconds: 3_600 }, agent);
  if (answer.status === 201) f.client.acknowledged.set(answer.body.job_id!, [url]);
  else {
    expect([429, 503]).toContain(answer.status);
    expect(answer.retryAfter).toBeGreaterThan(0);
  }
  return answer;
}

const rssMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024;
const handles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

test('S5: of two thousand clients who come at once each is told yes, or when to come back; what was acknowledged is stored', async () => {
  pages = f.urls(20);
  await f.ended((await f.submit(pages)).runId);
  const before = rssMb(f.api.pid);
  const answers = await Promise.all(Array.from({ length: 2_000 }, (_, n) => submitOne(n)));
  expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(200);
  expect((await fetch(`${f.client.origin}/livez`)).status).toBe(200);
  expect(rssMb(f.api.pid)).toBeLessThan(before + 400);
  expect(f.api.isRunning).toBe(true);
});

test('S6: callers far beyond the capacity get as much done as few of them', async () => {
  pages = f.urls(20);
  await f.ended((await f.submit(pages)).runId);
  async function acceptedBy(callers: number): Promise<number> {
    const agent = new Agent({ keepAlive: true, maxSockets: callers });
    const until = performance.now() + 700;
    let accepted = 0;
    await Promise.all(
      Array.from({ length: callers }, async (_, n) => {
        while (performance.now() < until) {
          const { status, retryAfter } = await submitOne(n, agent);
          if (status === 201) accepted++;
          else await sleep(retryAfter * 1_000);
        }
      }),
    );
    agent.destroy();
    return accepted;
  }
  await acceptedBy(16);
  let [few, many] = [0, 0];
  for (let round = 0; round < 3; round++) {
    few += await acceptedBy(16);
    many += await acceptedBy(400);
  }
  console.log(`S6: 16 callers were accepted ${few} times, 400 in the same time ${many} times`);
  // Whoever collapses under load does a tenth or nothing; what is left of the rest is the machine's.
  expect(many).toBeGreaterThan(few / 2);
});

test('S8: a site that is down gets few requests more than it has tasks, others are not delayed, and all is done when it is back', async () => {
  const tasks = 100;
  boards.drop();
  const before = boards.accepted;
  const searches: string[] = [];
  for (let n = 0; n < tasks; n++) {
    const body = { site_name: ['indeed'], search_term: `welder ${n}`, location: 'Boston, MA', results_wanted: 3 };
    const { body: made } = await post('/jobs/scrape', body);
    const id = made.data!.run_id;
    f.client.acknowledged.set(id, []);
    searches.push(id);
  }
  const breaker = async () => (await f.client.call('GET', '/sources/indeed')).json.breaker as { state: string };
  await f.until('the breaker is open', async () => (await breaker()).state === 'open');
  await f.until('what was under way has ended', async () => {
    const rows = await f.withSql((sql) =>
      sql(`select 1 from windrow.leases l join windrow.tasks t on t.id = l.task_id where t.source = 'indeed'`),
    );
    return rows.length === 0;
  });
  const opened = boards.accepted;
  // How many fail before anybody knows is a matter of how busy the machine is; the wait before a retry bounds it.
  const [{ failed }] = (await f.withSql((sql) =>
    sql<{ failed: number }>(
      `select sum(q.failures)::int as failed from windrow.queue q join windrow.tasks t on t.id = q.task_id where t.source = 'indeed'`,
    ),
  )) as [{ failed: number }];
  const beside = await f.submit(f.urls(200));
  expect(await f.ended(beside.runId)).toMatchObject({ status: 'completed', completed: 200 });
  // All of them while nobody asks the other site, or one task as a probe.
  expect(boards.accepted - opened).toBeLessThanOrEqual(2);
  boards.pass();
  const statuses = () =>
    f.withSql((sql) =>
      sql<{ status: string }>(`select distinct status from windrow.runs where id = any($1)`, [searches]),
    );
  await f.until('all searches have ended', async () => (await statuses()).every(({ status }) => status !== 'running'));
  expect(await statuses()).toEqual([{ status: 'completed' }]);
  const [{ tries }] = (await f.withSql((sql) =>
    sql<{ tries: number }>(
      `select sum(o.attempts)::int as tries from windrow.outcomes o join windrow.tasks t on t.id = o.task_id where t.source = 'indeed'`,
    ),
  )) as [{ tries: number }];
  console.log(
    `S8: ${tries} attempts at ${tasks} tasks, ${failed} of them and ${opened - before} connections until the breaker was open`,
  );
  expect(failed).toBeLessThanOrEqual(2 * tasks);
  // From then on each task once, and the probes.
  expect(tries - failed).toBeLessThanOrEqual(1.1 * tasks);
});

test('S10: round after round of the same work leaves memory, handles and waiting rows as they were', async () => {
  const roles = { api: f.api, orchestrator: f.orchestrators[0]!, worker: f.workers[0]! };
  const round = async () => {
    const { runId } = await f.submit(f.urls(150));
    await f.ended(runId);
  };
  const sizes = () =>
    Object.values(roles).map(({ pid }) => ({ megabytes: Math.round(rssMb(pid)), handles: handles(pid) }));
  for (let n = 0; n < 3; n++) await round();
  const before = sizes();
  for (let n = 0; n < 6; n++) await round();
  const after = sizes();
  console.log(`S10: ${JSON.stringify({ before, after })}`);
  for (const [role, { megabytes, handles: open }] of after.entries()) {
    expect(open, Object.keys(roles)[role]).toBeLessThanOrEqual(before[role]!.handles + 15);
    expect(megabytes, Object.keys(roles)[role]).toBeLessThanOrEqual(1.3 * before[role]!.megabytes + 30);
  }
  for (const table of ['queue', 'leases', 'live', 'submission_spool'])
    expect(await f.withSql((sql) => sql(`select 1 from windrow.${table} limit 1`)), table).toEqual([]);
});

test('S11: fifty browsers beside ten thousand waiting tasks read a bounded number of rows each', async () => {
  const browsers = 50;
  await f.client.call('POST', '/sources/article/pause', { body: {} });
  const runs: string[] = [];
  for (let n = 0; n < WAITING; n += 1_000) runs.push((await f.submit(f.urls(1_000))).runId);
  const { json: document } = await f.client.call('GET', '/openapi.json');
  const paths = Object.entries(document.paths as Record<string, Record<string, unknown>>)
    .filter(([path, methods]) => methods.get !== undefined && !path.includes('{'))
    .map(([path]) => path);
  expect(paths.length).toBeGreaterThan(15);
  const shown = [...paths, `/jobs/${runs[0]}/status`, `/runs/${runs[1]}`];
  const { sql, close } = await openSql(f.databaseUrl);
  const rowsRead = async (): Promise<Map<string, number>> => {
    // What a session has read is told a second later.
    await sleep(2_000);
    await sql('select pg_stat_clear_snapshot()');
    const tables = await sql<{ name: string; n: number }>(
      `select relname::text as name, coalesce(seq_tup_read, 0)::float8 as n from pg_stat_user_tables where schemaname = 'windrow'`,
    );
    return new Map(tables.map(({ name, n }) => [name, n]));
  };
  const sockets = Array.from({ length: browsers }, () => {
    const socket = new WebSocket(`${f.client.origin.replace('http', 'ws')}/ws?batch=1`);
    // Closed with the test.
    return socket.on('error', () => {});
  });
  try {
    // As autovacuum does after a minute: tables that grew from nothing are read as a whole until then.
    await sql('analyze');
    const before = await rowsRead();
    let answers = 0;
    await Promise.all(
      sockets.map(async () => {
        for (const path of shown) {
          const reply = await fetch(f.client.origin + path, { signal: AbortSignal.timeout(NOBODY_WAITS_MS) });
          await reply.text();
          expect([200, 404, 422, 503], path).toContain(reply.status);
          if (reply.status === 200) answers++;
        }
      }),
    );
    const read = [...(await rowsRead())].map(([name, n]) => ({ name, each: (n - (before.get(name) ?? 0)) / answers }));
    const each = read.reduce((sum, table) => sum + table.each, 0);
    const most = read.toSorted((a, b) => b.each - a.each).slice(0, 3);
    const shownMost = most.map((table) => `${table.name} ${Math.round(table.each)}`).join(', ');
    console.log(`S11: ${answers} answers, ${Math.round(each)} rows read without an index for each: ${shownMost}`);
    expect(answers).toBeGreaterThan((browsers * shown.length) / 2);
    // What is counted over all that waits is counted every few seconds, and not for each who asks, nor for each task that is sent.
    // (Runs are few here, so the planner reads them as a whole.)
    expect(read.find(({ name }) => name === 'tasks')!.each).toBeLessThan(WAITING / 20);
    expect(each).toBeLessThan(WAITING / 5);
  } finally {
    for (const socket of sockets) socket.terminate();
    await close();
    for (const runId of runs) await f.client.cancel(runId);
    await f.client.call('POST', '/sources/article/resume', { body: {} });
  }
});
