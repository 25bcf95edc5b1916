// Windrow as a fleet of processes on PostgreSQL and Redis, with the sandbox as its web; scenes say what else is different.
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox } from '../../src/sandbox/server.ts';
import { openSql } from '../../tests/support/invariants.ts';
import { freePort, freshDatabase, startRedis } from '../../tests/support/own-servers.ts';
import { type RoleProcess, Roles } from '../../tests/support/processes.ts';

export interface WorldOptions {
  workers?: number;
  slots?: number;
  /** Hosts that take every connection and never answer. */
  hanging?: string[];
  env?: Record<string, string>;
}

export interface World {
  workers: RoleProcess[];
  startWorker(): RoleProcess;
  /** Answers with the id of the run. */
  submit(path: string, body: object): Promise<string>;
  search(site: string, term: string): Promise<string>;
  /** Milliseconds until all of these runs have ended well, from now. */
  untilDone(runIds: string[]): Promise<number>;
  close(): Promise<void>;
}

const POLL_MS = 20;

export async function openWorld({
  workers = 2,
  slots = 20,
  hanging = [],
  env: extra = {},
}: WorldOptions = {}): Promise<World> {
  const [sandbox, database, redis, port, silent] = await Promise.all([
    startSandbox(),
    freshDatabase(),
    startRedis(),
    freePort(),
    silentServer(),
  ]);
  const { sql, close: closeSql } = await openSql(database.url);
  const base = `http://127.0.0.1:${port}`;
  const roles = new Roles();
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    API_RATE_LIMIT: 'off',
    WEB_ROBOTS: 'off',
    WEB_HOST_MAP: [...hanging.map((host) => `${host}=${silent.origin}`), `*=${sandbox.origin}`].join(','),
    WORKER_CONCURRENCY: String(slots),
    ...extra,
  };
  const startWorker = () => roles.start(['worker'], { env });
  const api = roles.start(['api'], { env });
  roles.start(['orchestrator'], { env });
  const started = Array.from({ length: workers }, startWorker);
  await api.waitForHttp(`${base}/readyz`);

  async function submit(path: string, body: object): Promise<string> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    const { data, job_id } = (await answer.json()) as { data?: { run_id: string }; job_id?: string };
    return data?.run_id ?? job_id!;
  }

  return {
    workers: started,
    startWorker,
    submit,
    search: (site, term) => submit('/jobs/scrape', { site_name: [site], search_term: term, results_wanted: 5 }),
    async untilDone(runIds) {
      const began = performance.now();
      for (;;) {
        // A run that was accepted a moment ago may not be written out yet.
        const states = await sql<{ status: string; runs: number }>(
          'select status, count(*)::int as runs from windrow.runs where id = any($1) group by status',
          [runIds],
        );
        if (states.reduce((sum, { runs }) => sum + runs, 0) < runIds.length) {
          await sleep(POLL_MS);
          continue;
        }
        const status = states.map((row) => row.status).find((one) => one !== 'completed');
        if (status === undefined) return performance.now() - began;
        if (status !== 'running') throw new Error(`a run ended as ${status}`);
        await sleep(POLL_MS);
      }
    },
    async close() {
      await roles.reap();
      await Promise.all([sandbox.close(), redis.stop(), silent.close()]);
      await closeSql();
      await database.drop();
    },
  };
}

async function silentServer(): Promise<{ origin: string; close(): void }> {
  const server = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    origin: `http://127.0.0.1:${port}`,
    close() {
      server.close();
    },
  };
}
