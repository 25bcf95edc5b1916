// A Windrow of real processes over the sandbox's LinkedIn: API, orchestrator, one worker with a hundred slots. What it was told, a user would tell it:
// WORKER_CONCURRENCY=100 and SOURCE_PACE=linkedin=100/0, since the source itself asks one page every three seconds. The sandbox is in this process
// and only that: it sees every request from its first byte to its last.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { SeededFaults } from '../../src/sandbox/faults/plan.ts';
import type { Hit } from '../../src/sandbox/hits.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { freePort, freshDatabase, startRedis } from '../../tests/support/own-servers.ts';
import { Roles } from '../../tests/support/processes.ts';
import type { Search } from './searches.ts';

export const SLOTS = 100;
const HOST = 'www.linkedin.com';
const LIMIT_MS = 420_000;
const LOOK_EVERY_MS = 25;

export interface Outcome {
  tasks: number;
  failed: number;
  retried: number;
  /** Why tasks failed or were tried again: code to count. */
  reasons: Record<string, number>;
  pages: number;
  /** Rows stored, each once however many searches found it. */
  stored: number;
  /** Postings that tasks brought. */
  brought: number;
  peakInFlight: number;
  statuses: Record<string, number>;
  seconds: number;
  /** Of a page in its search: from the beginning of the attempt to its end, by its pages. */
  pageMs: number;
  /** The same from the moment the search was submitted. */
  pageWithWaitMs: number;
  /** Of each stored posting: from the last byte of its page to its row being there for others to read. */
  toDatabaseMs: number[];
}

/** Submits all searches at once and waits until the last has ended. */
export async function runFleet(searches: Search[], pagesEach: number, faults: SeededFaults): Promise<Outcome> {
  const home = mkdtempSync(join(tmpdir(), 'windrow-postings-'));
  const roles = new Roles();
  const [sandbox, redis, database, port] = await Promise.all([
    startSandbox({ faults, logSize: 200_000 }),
    startRedis(),
    freshDatabase(),
    freePort(),
  ]);
  const sql = new Client(database.url);
  try {
    const env = {
      PORT: String(port),
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      WINDROW_HOME: home,
      WEB_HOST_MAP: `*=${sandbox.origin}`,
      WORKER_CONCURRENCY: String(SLOTS),
      WORKER_LANES: 'http',
      // Clients, board and service share this machine: a worker that waits for a processor is not lost.
      LEASE_SECONDS: '30',
      SOURCE_PACE: `linkedin=${SLOTS}/0`,
      WEB_ROBOTS: 'off:linkedin',
      WEB_SNAPSHOTS: 'off',
    };
    const api = roles.start(['api'], { env });
    await api.waitForHttp(`http://127.0.0.1:${port}/livez`, 60_000);
    const orchestrator = roles.start(['orchestrator'], { env });
    const worker = roles.start(['worker'], { env });
    await Promise.all([orchestrator, worker].map((role) => role.waitForLine(/process\.started/, 60_000)));
    await sql.connect();

    const began = performance.now();
    const seen = new Map<string, number>();
    await Promise.all(
      searches.map((search) => submit(`http://127.0.0.1:${port}`, { ...search, results_wanted: pagesEach * 10 })),
    );
    for (;;) {
      await lookAtRows(sql, seen);
      const { rows } = await sql.query<{ ended: number }>('select count(*)::int as ended from windrow.outcomes');
      if (rows[0]!.ended >= searches.length) break;
      if (performance.now() - began > LIMIT_MS)
        throw new Error(`${rows[0]!.ended} of ${searches.length} searches ended within ${LIMIT_MS} ms`);
      await sleep(LOOK_EVERY_MS);
    }
    const seconds = (performance.now() - began) / 1_000;
    await lookAtRows(sql, seen);
    const stats = sandbox.stats().hosts[HOST]!;
    const settled = orchestrator.events.filter(({ event }) => /^task\.(?:done|retried|failed)$/.test(String(event)));
    const attempts = await attemptsOf(sql);
    const reasons: Record<string, number> = {};
    for (const { category, error } of settled)
      if (category !== undefined) {
        const why = `${category}: ${String(error).slice(0, 60)}`;
        reasons[why] = (reasons[why] ?? 0) + 1;
      }
    const ran = settled.reduce((sum, { seconds: one }) => sum + Number(one), 0);
    return {
      ...attempts,
      retried: settled.filter(({ event }) => event === 'task.retried').length,
      reasons,
      pages: stats.requests,
      stored: seen.size,
      peakInFlight: stats.peakInFlight,
      statuses: stats.statuses,
      seconds,
      pageMs: (ran * 1_000) / stats.requests,
      pageWithWaitMs: (attempts.sinceSubmittedMs * attempts.tasks) / stats.requests,
      toDatabaseMs: await delays(sandbox.log(HOST), seen),
    };
  } finally {
    await roles.reap();
    await sql.end();
    await Promise.all([sandbox.close(), redis.stop(), database.drop()]);
    rmSync(home, { recursive: true, force: true });
  }
}

async function submit(origin: string, search: object): Promise<void> {
  const answer = await fetch(`${origin}/jobs/scrape`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ site_name: 'linkedin', ...search }),
  });
  if (answer.status !== 202) throw new Error(`POST /jobs/scrape: ${answer.status} ${await answer.text()}`);
  await answer.body?.cancel();
}

/** Rows that were not there at the last look; a row another session can read was committed. */
async function lookAtRows(sql: Client, seen: Map<string, number>): Promise<void> {
  const { rows } = await sql.query<{ external_id: string }>(
    `select external_id from windrow.postings where first_seen_at > now() - interval '60 seconds'`,
  );
  const at = performance.timeOrigin + performance.now();
  for (const { external_id } of rows) if (!seen.has(external_id)) seen.set(external_id, at);
}

async function attemptsOf(sql: Client) {
  const { rows } = await sql.query<{ tasks: number; failed: number; brought: number; sinceSubmittedMs: number }>(
    `select count(*)::int as tasks, count(*) filter (where o.state <> 'done')::int as failed,
            (select count(*)::int from windrow.task_items) as brought,
            1000 * avg(extract(epoch from o.finished_at - t.created_at))::float as "sinceSubmittedMs"
       from windrow.outcomes o join windrow.tasks t on t.id = o.task_id`,
  );
  return rows[0]!;
}

/** Which page showed a posting first is asked of a sandbox without faults: the same seed is the same world. */
async function delays(hits: Hit[], seen: Map<string, number>): Promise<number[]> {
  await using world = await plainSandbox();
  const sentAt = new Map<string, number>();
  for (const { path, endMs, status, aborted } of hits) {
    if (status !== 200 || aborted || endMs === null) continue;
    const page = await (await fetch(`${world.origin}/__sandbox/at/${HOST}${path}`)).text();
    for (const [, id] of page.matchAll(/urn:li:jobPosting:(\d+)/g))
      sentAt.set(id!, Math.min(endMs, sentAt.get(id!) ?? Number.POSITIVE_INFINITY));
  }
  return [...seen].flatMap(([id, at]) => (sentAt.has(id) ? [at - sentAt.get(id)!] : []));
}

async function plainSandbox() {
  const sandbox = await startSandbox();
  return { origin: sandbox.origin, [Symbol.asyncDispose]: () => sandbox.close() };
}
