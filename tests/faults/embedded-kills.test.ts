// kill -9 of single processes around the embedded server: whatever is killed, the next start works at once, no process is left, and a neighbour's are not touched.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { EmbeddedStore } from '../../src/store/embedded/embedded.ts';
import { postgresProcessesIn, processMark, waitUntil } from '../../src/store/embedded/process.ts';
import { EmbeddedHomes, guardsIn, guardsOf, sql } from '../support/embedded.ts';

const LIMIT_MS = 120_000;
const homes = new EmbeddedHomes();
const neighbours = new EmbeddedHomes();
let neighbour: EmbeddedStore;
let neighbourPid: number;
beforeAll(async () => {
  neighbour = await neighbours.start(neighbours.home());
  neighbourPid = neighbour.pid;
});
afterEach(async () => {
  await homes.reap();
  expect(await sql(neighbour.connection, 'select 1 as n')).toEqual([{ n: 1 }]);
  expect(neighbour.pid).toBe(neighbourPid);
});
afterAll(() => neighbours.reap());

const kill = (...pids: number[]): void => {
  for (const pid of pids) process.kill(pid, 'SIGKILL');
};

/** Started at once, used, stopped; then no process of the home is there. */
async function startsAgain(home: string): Promise<void> {
  const store = await homes.start(home);
  expect(await sql(store.connection, 'select n from kept')).toEqual([{ n: 1 }]);
  await store.stop();
  const data = realpathSync(join(home, 'postgres', 'data'));
  expect(await postgresProcessesIn(data, undefined)).toEqual([]);
  expect(await waitUntil(async () => guardsIn(home).length === 0, LIMIT_MS)).toBe(true);
}

async function startInChild(home: string) {
  const child = homes.startInChild({ home });
  const { pid, connection } = await child.ready;
  await sql(connection, 'create table if not exists kept as select 1 as n');
  return { child, pid, connection };
}

for (const [what, victims] of [
  ['the parent', (parent: number) => [parent]],
  ['the parent and the server', (parent: number, server: number) => [parent, server]],
  ['the server and the parent', (parent: number, server: number) => [server, parent]],
  ['the parent and both guards', (parent: number, server: number) => [...shellsOf(server), parent]],
] as const)
  test(`F7: the next start works at once and nothing is left after a kill -9, twice in a row: ${what}`, async () => {
    const home = homes.home();
    for (let round = 0; round < 2; round++) {
      const { child, pid } = await startInChild(home);
      kill(...victims(child.process.pid!, pid));
    }
    await startsAgain(home);
  });

/** The one that would stop the server first. */
function shellsOf(server: number): number[] {
  const { parent, watchers } = guardsOf(server);
  return [...watchers, parent];
}

test('F7: kill -9 of the server, again and again, and of a session: it is started again, and nothing is left', async () => {
  const home = homes.home();
  const store = await homes.start(home);
  await sql(store.connection, 'create table kept as select 1 as n');
  for (let round = 0; round < 2; round++) {
    const died = store.pid;
    kill(died);
    expect(await waitUntil(async () => store.pid !== died, LIMIT_MS)).toBe(true);
  }
  const client = new Client(store.connection);
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const server = store.pid;
  kill(rows[0]!.pid);
  // PostgreSQL ends all sessions and recovers, under the same process.
  const answers = () =>
    sql(store.connection, 'select n from kept').then(
      ([row]) => row?.n === 1,
      () => false,
    );
  expect(await waitUntil(answers, LIMIT_MS)).toBe(true);
  expect(store.pid).toBe(server);
  await store.stop();
  await startsAgain(home);
});

test('a frozen server ends too when its parent is gone', async () => {
  const home = homes.home();
  const { child, pid } = await startInChild(home);
  process.kill(pid, 'SIGSTOP');
  kill(child.process.pid!);
  expect(await waitUntil(async () => (await processMark(pid)) === undefined, LIMIT_MS)).toBe(true);
  await startsAgain(home);
});

test('a left-over server is found by a root that may not look into processes of others', async () => {
  const home = homes.home();
  const { child, pid } = await startInChild(home);
  kill(...shellsOf(pid), child.process.pid!);
  await child.exited;
  // As in a container; another user than root sees no more than its own anyway.
  const narrowed = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-sys_ptrace'] : [];
  const next = homes.startInChild({ home }, false, narrowed);
  await next.ready;
  expect(await processMark(pid)).toBeUndefined();
  next.process.stdin!.end();
  await next.exited;
  await startsAgain(home);
});
