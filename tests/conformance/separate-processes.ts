// The engine as `api`, `orchestrator` and two `worker` processes, used through HTTP and WebSockets as a client would. The suite's own wire and store
// are for playing the worker by hand and for looking at the rows.
import { Redis } from 'ioredis';
import { WebSocket } from 'ws';
import type { Waiting } from '../../src/model/run/why-waits.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { openStore } from '../../src/store/store.ts';
import { createRedisPace } from '../../src/web/pace/redis.ts';
import { openRedisWire } from '../../src/wire/redis.ts';
import { comingBack } from '../support/http-client.ts';
import { openSql } from '../support/invariants.ts';
import { Fleet } from '../support/worlds/fleet.ts';
import { bookTurn, type Update, type World } from './world.ts';

const LEASE_SECONDS = 20;
const MAX_RETRIES = 3;

export async function openSeparateProcesses(): Promise<World> {
  const sandbox = await startSandbox({ logSize: 20_000 });
  const fleet = await Fleet.start({
    workers: 0,
    hostMap: `*.maze.example=${sandbox.origin}`,
    env: {
      WEB_ROBOTS: 'off:article',
      SOURCE_PACE: 'crawl=16/0',
      LEASE_SECONDS: String(LEASE_SECONDS),
      MAX_RETRY_ATTEMPTS: String(MAX_RETRIES),
    },
  });
  const { client } = fleet;
  const redis = new Redis(fleet.redis.url);
  const [store, wire, sql, pace] = await Promise.all([
    openStore({ connection: fleet.databaseUrl, max: 4, connectTimeoutMs: 30_000 }),
    openRedisWire({ url: fleet.redis.url, patienceMs: 15_000 }),
    openSql(fleet.databaseUrl),
    createRedisPace({ redis, prefix: 'scraping', closesRedis: true }),
  ]);

  async function stopWorkers(): Promise<void> {
    for (const worker of fleet.workers.splice(0)) await worker.terminate();
  }

  return {
    submit: (request, key) => comingBack(() => client.submit(request, key)),
    cancel: (runId) => comingBack(() => client.cancel(runId)),
    status: (runId) => comingBack(() => client.status(runId)),
    results: (runId) => comingBack(() => client.results(runId)),
    async retryDeadLetters([taskId]) {
      const { json } = await comingBack(() => client.call('POST', `/dead-letters/${taskId}/retry`));
      return { runId: String(json.job_id), status: 'running', total: 1, cached: 0, replayed: false };
    },
    async crawl({ mode, ...body }) {
      const path = mode === 'map' ? '/map' : '/crawl';
      const { json } = await comingBack(() => client.call('POST', path, { body }));
      return { runId: String(json.run_id) };
    },
    async cancelCrawl(runId) {
      await comingBack(() => client.call('DELETE', `/crawl/${runId}`));
    },
    async watch(runId) {
      const updates: Update[] = [];
      const socket = new WebSocket(`${client.origin.replace('http', 'ws')}/ws/jobs/${runId}`);
      socket.on('message', (data) => {
        const { job_id, status, completed, failed, total } = JSON.parse(String(data));
        const word = {
          IN_PROGRESS: 'running',
          COMPLETED: 'completed',
          FAILED: 'failed',
          CANCELLED: 'cancelled',
        } as const;
        updates.push({ runId: job_id, status: word[status as keyof typeof word], completed, failed, total });
      });
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
      return { updates, close: () => socket.close() };
    },
    async startWorkers() {
      const workers = [fleet.startWorker(), fleet.startWorker()];
      await Promise.all(workers.map((worker) => worker.waitForLine(/process\.started/)));
    },
    stopWorkers,
    async waiting(runId) {
      const { json } = await comingBack(() => client.call('GET', `/runs/${runId}`));
      const waiting = json.waiting as { reason: Waiting['reason']; message: string; until?: string; ahead?: number };
      if (waiting === undefined) return null;
      return { ...waiting, until: waiting.until ? new Date(waiting.until) : null, ahead: waiting.ahead ?? null };
    },
    holdSite: (host, ms) => bookTurn(pace, host, ms),
    async stopOrchestrators() {
      for (const role of fleet.orchestrators.splice(0)) await role.terminate();
    },
    async startOrchestrators() {
      await fleet.startOrchestrator().waitForLine(/process\.started/);
    },
    target: fleet.target,
    sandbox,
    wire,
    store,
    sql: sql.sql,
    leaseSeconds: LEASE_SECONDS,
    maxRetries: MAX_RETRIES,
    async close() {
      await stopWorkers();
      await Promise.all([wire.close(), store.close(), sql.close(), pace.close()]);
      await fleet.close();
      await sandbox.close();
    },
  };
}
