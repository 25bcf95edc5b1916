// Limits of PostgreSQL that callers meet: P5, no connection left, and P6, a locked table. On a server of the test's own.
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Refused } from '../support/http-client.ts';
import { type OwnPostgres, startPostgres } from '../support/own-servers.ts';
import { Fleet } from '../support/worlds/fleet.ts';

let postgres: OwnPostgres;
let f: Fleet;
beforeAll(async () => {
  postgres = await startPostgres({ maxConnections: 60 });
  f = await Fleet.start({ postgresUrl: postgres.url, workers: 1 });
});
afterEach(async () => {
  // A submission that was refused because its commit was not heard of may exist once.
  const rows = await f.withSql((sql) => sql<{ id: string }>('select id from windrow.runs'));
  for (const { id } of rows) if (!f.client.acknowledged.has(id)) f.client.acknowledged.set(id, []);
  await f.verify();
});
afterAll(async () => {
  await f?.close();
  await postgres?.stop();
});

async function connection(): Promise<Client> {
  const client = new Client({ connectionString: f.databaseUrl, connectionTimeoutMillis: 30_000 });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Submits until one is refused, and returns how. */
async function refusal(): Promise<Refused> {
  for (;;) {
    try {
      await f.client.submit({ articles: f.urls(1).map((url) => ({ url })) }, crypto.randomUUID());
    } catch (error) {
      if (error instanceof Refused) return error;
      throw error;
    }
  }
}

test('P5: without a connection left callers are told to come back, and all goes on when there are some', async () => {
  const before = await f.submit(f.urls(20, '?slow=300'));
  const held: Client[] = [];
  try {
    for (let isFull = false; !isFull; )
      await connection().then(
        (client) => void held.push(client),
        () => {
          isFull = true;
        },
      );
    // What the roles lose now others take.
    await held[0]!.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'windrow'`);
    for (let isFull = false; !isFull; )
      await connection().then(
        (client) => void held.push(client),
        () => {
          isFull = true;
        },
      );
    const { status, retryAfter } = await refusal();
    expect(status).toBe(503);
    expect(Number(retryAfter)).toBeGreaterThan(0);
  } finally {
    await Promise.all(held.map((client) => client.end()));
  }
  expect(await f.ended(before.runId)).toMatchObject({ status: 'completed', completed: 20 });
  expect(await f.ended((await f.submit(f.urls(1))).runId)).toMatchObject({ status: 'completed' });
});

test('P6: while a table is locked callers are told to come back, and all goes on when it is free', async () => {
  const before = await f.submit(f.urls(20, '?slow=300'));
  const client = await connection();
  try {
    await client.query('begin');
    await client.query('lock table windrow.tasks in access exclusive mode');
    const { status, retryAfter } = await refusal();
    expect(status).toBe(503);
    expect(Number(retryAfter)).toBeGreaterThan(0);
  } finally {
    await client.query('rollback');
    await client.end();
  }
  expect(await f.ended(before.runId)).toMatchObject({ status: 'completed', completed: 20 });
  expect(await f.ended((await f.submit(f.urls(1))).runId)).toMatchObject({ status: 'completed' });
});
