// Lists are read from a real streaming replica: as long as it keeps up, and from the primary when it does not, or is away.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort, type OwnPostgres, startPostgres } from '../../support/own-servers.ts';
import { Fleet } from '../../support/worlds/fleet.ts';

let primary: OwnPostgres;
let replica: OwnPostgres;
let f: Fleet;
let onReplica: Client;
beforeAll(async () => {
  primary = await startPostgres({ isDurable: false });
  f = await Fleet.start({ postgresUrl: primary.url, workers: 1 });
  replica = await startPostgres({ primary, isDurable: false });
  onReplica = new Client({ connectionString: replica.url });
  await onReplica.connect();
  // It is stopped by the test.
  onReplica.on('error', () => {});
});
afterAll(async () => {
  await onReplica?.end().catch(() => {});
  await f?.close();
  await Promise.all([primary?.stop(), replica?.stop()]);
});

async function startReader(lagSeconds: number): Promise<string> {
  const url = new URL(f.databaseUrl);
  url.port = String(replica.port);
  const port = String(await freePort());
  const role = f.roles.start(['api'], {
    env: { ...f.env, PORT: port, DATABASE_READ_URL: url.href, DATABASE_READ_LAG_SECONDS: String(lagSeconds) },
  });
  await role.waitForHttp(`http://127.0.0.1:${port}/readyz`);
  return `http://127.0.0.1:${port}`;
}

async function articlesAt(origin: string): Promise<number> {
  const answer = await fetch(`${origin}/articles?limit=100`);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { articles: unknown[] }).articles.length;
}

async function replicaHealth(origin: string): Promise<{ status: string; detail: string | null }> {
  const answer = (await (await fetch(`${origin}/health`)).json()) as {
    parts: { replica: { status: string; detail: string | null } };
  };
  return answer.parts.replica;
}

test('lists come from the replica; from the primary when it is behind or away; nothing fails', async () => {
  const [patient, strict] = await Promise.all([startReader(3_600), startReader(1)]);
  await f.submit(f.urls(3));
  await f.allEnded();
  for (const origin of [patient, strict]) {
    await f.until('the replica has what was stored', async () => (await articlesAt(origin)) === 3);
    await f.until('it is used', async () => (await replicaHealth(origin)).status === 'up');
  }
  await onReplica.query('select pg_wal_replay_pause()');
  const { runId } = await f.submit(f.urls(2));
  await f.ended(runId);
  await f.until('the primary has five', async () => (await articlesAt(f.client.origin)) === 5);
  // An hour behind would do for this one, so it is the replica that answers.
  expect(await articlesAt(patient)).toBe(3);
  await f.until('the other reads from the primary', async () => (await articlesAt(strict)) === 5);
  // Asked every few seconds.
  await f.until('its health says so', async () => (await replicaHealth(strict)).status === 'degraded');
  expect((await replicaHealth(strict)).detail).toMatch(/^it is \d+ s behind: lists are read from the primary$/);
  await onReplica.query('select pg_wal_replay_resume()');
  await f.until(
    'it has caught up',
    async () => (await articlesAt(patient)) === 5 && (await replicaHealth(strict)).status === 'up',
  );

  let isOver = false;
  let answered = 0;
  const reader = (async () => {
    for (; !isOver; answered++) {
      expect(await articlesAt(patient)).toBe(5);
      await sleep(20);
    }
  })();
  await replica.halt('immediate');
  await f.until(
    'its end is noticed',
    async () => (await replicaHealth(patient)).detail?.startsWith('it does not answer') === true,
  );
  const before = answered;
  await f.until('the primary answers', () => answered > before + 5);
  await replica.start();
  await f.until('it is used again', async () => (await replicaHealth(patient)).status === 'up');
  isOver = true;
  await reader;
  await f.verify();
});
