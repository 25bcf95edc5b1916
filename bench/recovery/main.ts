// What a lost worker and a busy machine cost. Scene 1: 300 articles of 5 s on two workers of 50 slots, and one of the workers is killed: how long does it all take,
// compared with what the slots that are left need for it? Scene 2: four busy processes per core beside the same fleet: how many leases of live workers are taken?
import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, freshDatabase, startRedis } from '../../tests/support/own-servers.ts';
import { Roles } from '../../tests/support/processes.ts';
import { TargetSite } from '../../tests/support/web/target.ts';
import { found } from '../found.ts';
import { row } from '../peers.ts';

const ARTICLES = Number(process.env.BENCH_ARTICLES ?? 300);
const SLOTS = Number(process.env.BENCH_SLOTS ?? 50);
const PAGE_MS = Number(process.env.BENCH_PAGE_MS ?? 5_000);
const BUSY = Number(process.env.BENCH_BUSY ?? 4 * availableParallelism());
const PROMISED = 1.3;

interface Scene {
  seconds: number;
  completed: number;
  /** Tasks whose lease ran out. */
  reaped: number;
}

/** All articles of a run, on a fleet of its own; `during` breaks something while they are under way. */
async function scene(during: (workers: { kill(): Promise<unknown> }[]) => Promise<void>): Promise<Scene> {
  const [target, redis, database, port] = await Promise.all([
    TargetSite.start(),
    startRedis(),
    freshDatabase(),
    freePort(),
  ]);
  const base = `http://127.0.0.1:${port}`;
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    PORT: String(port),
    LOG_LEVEL: 'info',
    WORKER_LANES: 'http',
    WORKER_CONCURRENCY: String(SLOTS),
    WEB_HOST_MAP: `*=${target.origin}`,
    WEB_ALLOW_PRIVATE: '127.0.0.1',
    WEB_ROBOTS: 'off',
  };
  const roles = new Roles();
  try {
    const api = roles.start(['api'], { env });
    await api.waitForHttp(`${base}/livez`);
    const orchestrator = roles.start(['orchestrator'], { env });
    const workers = [roles.start(['worker'], { env }), roles.start(['worker'], { env })];
    await Promise.all([orchestrator, ...workers].map((role) => role.waitForLine(/process\.started/)));
    const articles = Array.from({ length: ARTICLES }, (_, n) => ({
      url: `http://site-${n + 1}.test/page/${n + 1}?slow=${PAGE_MS}`,
    }));
    const started = performance.now();
    const answer = await fetch(`${base}/jobs/submit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ articles }),
    });
    const { job_id: id } = (await answer.json()) as { job_id: string };
    while (target.open < Math.min(2 * SLOTS, ARTICLES)) await sleep(50);
    await during(workers);
    for (;;) {
      const state = (await (await fetch(`${base}/jobs/${id}/status`)).json()) as { status: string; completed: number };
      if (state.status !== 'IN_PROGRESS') {
        const reaped = orchestrator.events.filter((event) => event.event === 'leases.reaped');
        return {
          seconds: (performance.now() - started) / 1_000,
          completed: state.completed,
          reaped: reaped.reduce((sum, event) => sum + Number(event.found), 0),
        };
      }
      await sleep(100);
    }
  } finally {
    await roles.reap();
    await Promise.all([target.close(), redis.stop(), database.drop()]);
  }
}

const needed = (ARTICLES / SLOTS) * (PAGE_MS / 1_000);
const killed = await scene(async ([one]) => {
  await one!.kill();
});
const busy: ChildProcess[] = [];
const crowded = await scene(async () => {
  for (let n = 0; n < BUSY; n++) busy.push(spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' }));
}).finally(() => {
  for (const one of busy) one.kill('SIGKILL');
});

row('scene', 'seconds', 'completed', 'leases that ran out');
row('---', '---', '---', '---');
row('one of two workers killed', killed.seconds, killed.completed, killed.reaped);
row(`${BUSY} busy processes`, crowded.seconds, crowded.completed, crowded.reaped);
const ratio = killed.seconds / needed;
found('300 articles with one worker of two killed, next to what the slots left need', ratio, 'times', {
  atMost: PROMISED,
});
found('leases taken from live workers', crowded.reaped, 'leases', { atMost: 0 });
found('articles that did not come', 2 * ARTICLES - killed.completed - crowded.completed, 'articles', { atMost: 0 });
process.exit();
