// A random soak: a seed picks faults while runs go on; then everything is healed, and the invariants must hold. `SOAK_SECONDS=600 SOAK_SEED=7 npm test --
// --project faults tests/faults/soak.test.ts` runs longer, or again.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refused } from '../support/http-client.ts';
import { type OwnPostgres, startPostgres } from '../support/own-servers.ts';
import type { RoleProcess } from '../support/processes.ts';
import { type Random, seeded } from '../support/random.ts';
import { Fleet, LEASE_SECONDS } from '../support/worlds/fleet.ts';

const SECONDS = Number(process.env.SOAK_SECONDS ?? 35);
const SEED = Number(process.env.SOAK_SEED ?? 7);

let postgres: OwnPostgres;
let f: Fleet;
beforeAll(async () => {
  postgres = await startPostgres();
  f = await Fleet.start({ postgresUrl: postgres.url, orchestrators: 2, workers: 3, env: { WORKER_CONCURRENCY: '6' } });
});
afterAll(async () => {
  await f?.close();
  await postgres.stop();
});

const alive = (roles: RoleProcess[]): RoleProcess[] => roles.filter((role) => role.isRunning);

/** A process that starts while PostgreSQL is away says so and ends; whoever runs it starts it again. That is not what is tested here. */
const started = (role: RoleProcess): Promise<unknown> => role.waitForLine(/process\.started/);

/** Each breaks something and mends it again. */
const FAULTS: Record<string, (random: Random) => Promise<void>> = {
  async 'kill a worker'(random) {
    await f.kill(random.pick(alive(f.workers)));
    await started(f.startWorker());
  },
  async 'kill an orchestrator'(random) {
    await f.kill(random.pick(alive(f.orchestrators)));
    await started(f.startOrchestrator());
  },
  async 'pause a worker'(random) {
    const worker = random.pick(alive(f.workers));
    worker.pause();
    await sleep(random.below(1.5 * LEASE_SECONDS * 1_000));
    worker.resume();
  },
  'flush Redis': () => f.redis.flush(),
  'restart Redis, empty': () => f.redis.restart(),
  async 'freeze Redis'(random) {
    f.redis.pause();
    await sleep(random.below(3_000));
    f.redis.resume();
  },
  async 'terminate all connections to PostgreSQL'() {
    await f.withSql((sql) =>
      sql(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'windrow'`),
    );
  },
  'crash PostgreSQL': () => postgres.restart('immediate'),
  async 'stop a worker politely'(random) {
    const worker = random.pick(alive(f.workers));
    f.excuse(worker);
    await started(f.startWorker());
    expect((await worker.terminate()).code).toBe(0);
  },
};

async function submitter(random: Random, isOver: () => boolean): Promise<void> {
  const seen: string[] = [];
  while (!isOver()) {
    const fresh = f.urls(1 + random.below(6), `?slow=${random.below(800)}`);
    const shared = seen.length > 0 && random.chance(0.3) ? random.some(seen, 2) : [];
    seen.push(...fresh);
    try {
      const articles = [...fresh, ...shared].map((url) => ({ url, priority: 1 + random.below(10) }));
      const { runId } = await f.client.submit({ articles, maxAgeSeconds: random.chance(0.2) ? 0 : null });
      if (random.chance(0.15)) {
        await sleep(random.below(500));
        await f.client.cancel(runId);
      }
    } catch (error) {
      // Busy, restarting, or the run has ended before the cancel.
      if (!(error instanceof Refused && (error.status === 503 || error.code === 'not_cancellable'))) throw error;
    }
    await sleep(random.below(300));
  }
}

test(`everything breaks at random for ${SECONDS} s and nothing acknowledged is lost (seed ${SEED})`, {
  timeout: (SECONDS + 400) * 1_000,
}, async () => {
  const random = seeded(SEED);
  const until = performance.now() + SECONDS * 1_000;
  const isOver = (): boolean => performance.now() > until;
  const submitting = Promise.all([submitter(random.fork(), isOver), submitter(random.fork(), isOver)]);
  const history: string[] = [];
  while (!isOver()) {
    await sleep(500 + random.below(3_000));
    const name = random.pick(Object.keys(FAULTS));
    history.push(`${Math.round((SECONDS * 1_000 - (until - performance.now())) / 1_000)} s: ${name}`);
    await FAULTS[name]!(random);
  }
  await submitting;
  console.log(`soak: seed ${SEED}; ${history.join('; ')}`);
  await acknowledgeUnanswered();
  for (const runId of f.client.acknowledged.keys()) await f.ended(runId);
  await retryInnocents();
  await f.verify();
  expect(f.client.acknowledged.size).toBeGreaterThan(SECONDS / 4);
});

/** A submission whose answer was lost may have been stored. */
async function acknowledgeUnanswered(): Promise<void> {
  const rows = await f.withSql((sql) => sql<{ id: string }>('select id from windrow.runs'));
  for (const { id } of rows) if (!f.client.acknowledged.has(id)) f.client.acknowledged.set(id, []);
}

/**
 * A task whose workers were killed twice while it ran is taken for the cause and given up, as F12 wants it. Here it is innocent: nothing else may
 * have failed, and tried again by hand it succeeds.
 */
async function retryInnocents(): Promise<void> {
  const failed = await f.withSql((sql) =>
    sql<{ task_id: string; code: string }>(
      `select o.task_id, o.error->>'code' as code from windrow.outcomes o where o.state = 'failed'`,
    ),
  );
  expect(failed.filter((row) => row.code !== 'crashed')).toEqual([]);
  for (const { task_id } of failed) {
    const { json } = await f.client.call('POST', `/dead-letters/${task_id}/retry`);
    const runId = String(json.job_id);
    f.client.acknowledged.set(runId, []);
    expect(await f.ended(runId)).toMatchObject({ status: 'completed' });
  }
}
