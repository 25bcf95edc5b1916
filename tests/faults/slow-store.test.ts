// A PostgreSQL that keeps its connections and does not answer: every request that needs it hears so at once, with when to come back; nothing acknowledged
// is lost, and trying again with the same key makes one run. That the answers came while it was stuck is what is tested; how quickly is printed.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openSql } from '../support/invariants.ts';
import { type OwnPostgres, startPostgres } from '../support/own-servers.ts';
import { Fleet } from '../support/worlds/fleet.ts';

/** As they are shipped; other tests are more patient. */
const SHIPPED = { DATABASE_ANSWER_MS: '2500', DATABASE_LOCK_TIMEOUT_SECONDS: '2' };
const READS = ['/runs', '/jobs', '/postings', '/articles', '/products', '/companies', '/schedules', '/dead-letters'];
/** Not what a route says when its own, longer limit is over. */
const SAYS =
  /PostgreSQL does not answer|The store cannot accept work right now|PostgreSQL takes too long, or a table is locked|Too many requests are waiting/;

interface Answer {
  path: string;
  status: number;
  retryAfter: number;
  detail: string;
  ms: number;
}

let postgres: OwnPostgres;
let f: Fleet;
beforeAll(async () => {
  postgres = await startPostgres();
  f = await Fleet.start({ postgresUrl: postgres.url, isLinked: true, env: SHIPPED });
});
beforeEach(() =>
  f.until(
    'the API is ready',
    async () => (await fetch(`${f.client.origin}/readyz`)).ok && (await submit('')).status < 300,
  ),
);
afterEach(async () => {
  const rows = await f.withSql((sql) => sql<{ id: string }>('select id from windrow.runs'));
  for (const { id } of rows) if (!f.client.acknowledged.has(id)) f.client.acknowledged.set(id, []);
  await f.verify();
});
afterAll(async () => {
  await f?.close();
  await postgres?.stop();
});

async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
  const began = performance.now();
  const response = await fetch(f.client.origin + path, { signal: AbortSignal.timeout(60_000), ...init });
  const body = (await response.json()) as { detail?: string };
  return {
    path,
    status: response.status,
    retryAfter: Number(response.headers.get('retry-after')),
    detail: body.detail ?? '',
    ms: Math.round(performance.now() - began),
  };
}

const submit = (key: string, urls = f.urls(1)): Promise<Answer> =>
  ask('/jobs/submit', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key ? { 'idempotency-key': key } : {}) },
    body: JSON.stringify({ articles: urls.map((url) => ({ url })) }),
  });

function expectRefused(answers: Answer[], fault: string): void {
  for (const answer of answers) {
    expect(answer, answer.path).toMatchObject({ status: 503, detail: expect.stringMatching(SAYS) });
    expect(answer.retryAfter).toBeGreaterThan(0);
  }
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  console.log(
    `${fault}: ${times.length} answers of 503, median ${times[times.length >> 1]} ms, last ${times.at(-1)} ms`,
  );
}

test('P6: while a table is locked submissions are refused with when to come back, and each key makes one run', async () => {
  const { sql, close } = await openSql(f.databaseUrl);
  const keys = Array.from({ length: 30 }, () => crypto.randomUUID());
  const urls = keys.map(() => f.urls(1));
  try {
    await sql('begin');
    await sql('lock table windrow.runs, windrow.submission_spool in access exclusive mode');
    expectRefused(await Promise.all(keys.map((key, i) => submit(key, urls[i]))), 'locked, submitted at once');
    expectRefused([await ask('/runs'), await submit(crypto.randomUUID())], 'locked, one after another');
    expect((await fetch(`${f.client.origin}/livez`)).status).toBe(200);
    // What has nothing to do with the table goes on.
    expect((await ask('/sources')).status).toBe(200);
    await sql('rollback');
  } finally {
    await close();
  }
  await f.until('it goes on', async () => (await submit('')).status === 201);
  const again = await Promise.all(keys.map((key, i) => submit(key, urls[i])));
  expect(again.map(({ status }) => status)).toEqual(keys.map(() => 201));
  const made = await f.withSql((query) =>
    query<{ n: number }>(
      `select count(distinct t.run_seq)::int as n from windrow.tasks t where t.message->'params'->>'url' = any($1)`,
      [urls.flat()],
    ),
  );
  expect(made).toEqual([{ n: keys.length }]);
});

test('P6: a PostgreSQL that is frozen is told by every route, and forgotten when it goes on', async () => {
  const { runId } = await f.submit(f.urls(10, '?slow=500'));
  await postgres.freeze();
  try {
    const key = crypto.randomUUID();
    const first = await Promise.all([submit(key), ...READS.map((path) => ask(path))]);
    expectRefused(first, 'frozen, asked at once');
    const crowd = await Promise.all(Array.from({ length: 200 }, () => submit('')));
    expectRefused(crowd, 'frozen, a crowd of 200');
    const began = performance.now();
    expect((await fetch(`${f.client.origin}/livez`)).status).toBe(200);
    expect((await fetch(`${f.client.origin}/readyz`)).status).toBe(503);
    expect(performance.now() - began).toBeLessThan(30_000);
  } finally {
    await postgres.thaw();
  }
  await f.until('it goes on', async () => (await submit('')).status === 201);
  expect(await f.ended(runId)).toMatchObject({ status: 'completed', completed: 10 });
});

test('R7: a PostgreSQL that no packet reaches for 30 s is told, and all goes on when packets pass again', async () => {
  const { runId } = await f.submit(f.urls(60, '?slow=500'));
  const ended = () => f.withSql((sql) => sql<{ n: number }>('select count(*)::int as n from windrow.outcomes'));
  const before = (await ended())[0]!.n;
  await f.until('some have ended', async () => (await ended())[0]!.n > before);
  f.links!.postgres.blackHole();
  expectRefused(await Promise.all([submit(''), ...READS.map((path) => ask(path))]), 'black hole');
  await sleep(30_000);
  const meanwhile = (await ended())[0]!.n;
  f.links!.postgres.pass();
  const back = performance.now();
  const since = () => `${((performance.now() - back) / 1_000).toFixed(1)} s`;
  await f.until('something has ended', async () => (await ended())[0]!.n > meanwhile);
  const moved = since();
  await f.until('it accepts', async () => (await submit('')).status === 201);
  console.log(`black hole: the first task ended after ${moved}, a submission was accepted after ${since()}`);
  expect(await f.ended(runId)).toMatchObject({ status: 'completed', completed: 60 });
});
