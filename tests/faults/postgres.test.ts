// Faults of PostgreSQL: P1 to P4, on a server of the test's own. While it is away the API says so; nothing acknowledged is lost, nothing is
// recorded twice, no process ends.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Refused } from '../support/http-client.ts';
import { type OwnPostgres, startPostgres } from '../support/own-servers.ts';
import { Fleet, LEASE_SECONDS } from '../support/worlds/fleet.ts';

let postgres: OwnPostgres;
// One fleet for all: each test leaves it healed, which the invariants after each show.
let f: Fleet;
beforeAll(async () => {
  postgres = await startPostgres();
  f = await Fleet.start({ postgresUrl: postgres.url, env: { WORKER_CONCURRENCY: '5' } });
});
// The API looks every few seconds whether the store is there; until it has seen that it is back, it refuses.
beforeEach(() => f.until('the API is ready', async () => (await fetch(`${f.client.origin}/readyz`)).ok && canSubmit()));
afterEach(verifyBesidesUnacknowledged);
afterAll(async () => {
  await f?.close();
  await postgres.stop();
});

const canSubmit = (): Promise<boolean> =>
  f.client.submit({ articles: f.urls(1).map((url) => ({ url })) }).then(
    () => true,
    () => false,
  );

/** Submits one after another until told to stop; what is refused must be refused properly. */
function keepSubmitting(): { refused: Refused[]; stop(): Promise<void> } {
  const refused: Refused[] = [];
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      try {
        await f.client.submit({ articles: f.urls(2).map((url) => ({ url })) }, crypto.randomUUID());
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        refused.push(error);
      }
      await sleep(100);
    }
  })();
  // Heard when it is stopped.
  loop.catch(() => {});
  return {
    refused,
    async stop() {
      isOver = true;
      await loop;
    },
  };
}

for (const [fault, mode] of [
  ['P1: a restart of PostgreSQL', 'fast'],
  ['P2: a crash of PostgreSQL', 'immediate'],
] as const) {
  test(`${fault} in the middle of a run loses and doubles nothing`, async () => {
    f.target.hold();
    const urls = f.urls(40, '?held=1');
    const { runId } = await f.submit(urls);
    await f.until('some are active', () => f.target.open >= 5);
    const submitting = keepSubmitting();
    await postgres.halt(mode);
    f.target.letGo();
    // For longer than a lease, and until some were refused.
    await sleep(LEASE_SECONDS * 1_500);
    await f.until('submissions are refused', () => submitting.refused.length > 3);
    await postgres.start();
    await sleep(500);
    await submitting.stop();
    for (const { status, retryAfter } of submitting.refused) {
      expect(status).toBe(503);
      expect(Number(retryAfter)).toBeGreaterThan(0);
    }
    expect(await f.ended(runId)).toEqual({ status: 'completed', total: 40, completed: 40, failed: 0 });
    // Workers went on and held their results: hardly anything was done twice, although the outage outlasted the lease.
    const twice = urls.filter((url) => f.hitsOf(url).length > 1);
    expect(twice.length).toBeLessThanOrEqual(2);
  });
}

test('P3: while PostgreSQL is down workers finish what was handed to them, begin nothing else, and keep every result', async () => {
  const slots = 2 * 5;
  f.target.hold();
  const urls = f.urls(300, '?held=1');
  const { runId } = await f.submit(urls);
  await f.until('all slots are taken', () => f.target.open === slots);
  await postgres.halt('immediate');
  f.target.letGo();
  const begun = () => urls.filter((url) => f.hitsOf(url).length > 0).length;
  const isAtRest = async () => {
    const before = begun();
    await sleep(LEASE_SECONDS * 1_000);
    return begun() === before && f.target.open === 0;
  };
  // For longer than a lease, and until nothing is begun any more.
  await f.until('they have come to rest', isAtRest);
  // In their slots, and handed out ahead, which is at most twice the slots.
  expect(begun()).toBeLessThanOrEqual(slots + 2 * slots);
  const kept = urls.filter((url) => f.hitsOf(url).length > 0);
  expect(await f.client.status(runId).catch((error: Refused) => error.status)).toBe(503);
  await postgres.start();
  expect(await f.ended(runId)).toEqual({ status: 'completed', total: 300, completed: 300, failed: 0 });
  // Their results were kept, not fetched again.
  expect(kept.filter((url) => f.hitsOf(url).length > 1).length).toBeLessThanOrEqual(2);
});

test('P4: when all connections are terminated, again and again, everything heals', async () => {
  const { runId } = await f.submit(f.urls(60, '?slow=200'));
  const submitting = keepSubmitting();
  for (let round = 0; round < 5; round++) {
    await sleep(600);
    await f.withSql((sql) =>
      sql(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'windrow'`),
    );
  }
  await submitting.stop();
  expect(await f.ended(runId)).toEqual({ status: 'completed', total: 60, completed: 60, failed: 0 });
});

/** A submission whose answer was lost with the server may exist once; it is acknowledged here, so that the rest can be checked as ever. */
async function verifyBesidesUnacknowledged(): Promise<void> {
  const rows = await f.withSql((sql) => sql<{ id: string }>('select id from windrow.runs'));
  const unknown = rows.filter((row) => !f.client.acknowledged.has(row.id));
  expect(unknown.length).toBeLessThanOrEqual(10);
  for (const { id } of unknown) f.client.acknowledged.set(id, []);
  await f.verify();
}
