// Faults F7, F8 and F9 on the embedded server, with real processes and real kills.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { readHome, startEmbedded } from '../../src/store/embedded/embedded.ts';
import { processMark, waitUntil } from '../../src/store/embedded/process.ts';
import { EmbeddedHomes, guardsOf, killTree, sql } from '../support/embedded.ts';

const ROUNDS = 20;
const homes = new EmbeddedHomes();
afterEach(() => homes.reap());

const isGone = (pid: number) => async () => (await processMark(pid)) === undefined;

test('F8: a second start on the same home is refused at once, naming the process', async () => {
  const home = homes.home();
  const starting = performance.now();
  const child = homes.startInChild({ home });
  await child.ready;
  const began = performance.now();
  await expect(startEmbedded({ home })).rejects.toMatchObject({
    code: 'home_in_use',
    message: expect.stringContaining(`process ${child.process.pid}`),
    details: { pid: child.process.pid },
  });
  // One that waited for the first to end would wait forever; most of what it does the first has done too.
  expect(performance.now() - began).toBeLessThan(Math.max(10_000, 3 * (began - starting)));
});

test('kill -9 of the parent stops the server within seconds, with sessions open and busy', async () => {
  const home = homes.home();
  const child = homes.startInChild({ home });
  const { pid, connection } = await child.ready;
  const client = new Client(connection);
  client.on('error', () => {});
  await client.connect();
  const busy = client.query('select pg_sleep(600)').catch(() => 'broken off');
  child.process.kill('SIGKILL');
  // A second or two; the sleep of its session would take ten minutes.
  expect(await waitUntil(isGone(pid), 120_000)).toBe(true);
  expect(await busy).toBe('broken off');
  const store = await homes.start(home);
  expect(existsSync(connection.host)).toBe(false);
  expect(await sql(store.connection, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('F7: after a kill -9 of parent, guard and server under writes, every committed row is there', async () => {
  const home = homes.home();
  let acknowledged = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const before = acknowledged;
    const child = homes.startInChild({ home });
    const { connection } = await child.ready;
    await sql(connection, 'create table if not exists acked (n int primary key)');
    const client = new Client(connection);
    client.on('error', () => {});
    await client.connect();
    const writing = (async () => {
      for (;;) {
        await client.query('insert into acked values ($1)', [acknowledged + 1]);
        acknowledged++;
      }
    })().catch(() => {});
    expect(await waitUntil(async () => acknowledged > before + 20, 60_000, 5)).toBe(true);
    killTree(child.process.pid!);
    await writing;
    const store = await homes.start(home);
    const [row] = await sql(store.connection, 'select count(*)::int as count, max(n) as max from acked');
    // One more than was acknowledged may have been committed before its answer was lost.
    expect([acknowledged, acknowledged + 1]).toContain(row?.count);
    expect(row?.max).toBe(row?.count);
    acknowledged = row?.count as number;
    await store.stop();
  }
});

test('a server left over by a killed parent whose guard died too is stopped, not fatal', async () => {
  const home = homes.home();
  const child = homes.startInChild({ home });
  const { pid, connection } = await child.ready;
  // The watcher first: it would stop the server; the parent would start it again if the other shell went before it.
  const { parent, watchers } = guardsOf(pid);
  for (const victim of [...watchers, child.process.pid!, parent]) process.kill(victim, 'SIGKILL');
  await child.exited;
  expect(await sql(connection, 'select 1 as n')).toEqual([{ n: 1 }]);
  const events: string[] = [];
  const store = await homes.start(home, { log: (event) => events.push(event) });
  expect(events).toContain('embedded.leftover');
  expect(await processMark(pid)).toBeUndefined();
  expect(await sql(store.connection, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('F9: kill -9 of everything during the first initialisation, at any moment: the next start works', async () => {
  const home = homes.home();
  const inside = () => (existsSync(join(home, 'postgres')) ? readdirSync(join(home, 'postgres')) : []);
  let unfinished = 0;
  // Counted from the moment its own draft is there, however long this machine takes to get so far; the first has none yet.
  for (const afterMs of [undefined, 0, 50, 100, 200, 300, 400]) {
    const before = inside();
    const child = homes.startInChild({ home });
    const hasBegun = () =>
      afterMs === undefined
        ? existsSync(join(home, 'postgres'))
        : inside().some((name) => name === 'data' || (name.includes('draft') && !before.includes(name)));
    expect(await waitUntil(async () => hasBegun(), 120_000, 5)).toBe(true);
    if (afterMs) await sleep(afterMs);
    killTree(child.process.pid!);
    await child.exited;
    if (inside().some((name) => name.includes('draft'))) unfinished++;
  }
  expect(unfinished).toBeGreaterThan(0);
  const store = await homes.start(home);
  expect(await sql(store.connection, 'select 1 as n')).toEqual([{ n: 1 }]);
  expect(readdirSync(join(home, 'postgres')).filter((name) => name.includes('draft'))).toEqual([]);
});

test('a server that dies is started again on the same socket', async () => {
  const home = homes.home();
  const store = await homes.start(home);
  await sql(store.connection, 'create table kept as select 1 as n');
  const died = store.pid;
  process.kill(died, 'SIGKILL');
  expect(await waitUntil(async () => store.pid !== died, 120_000)).toBe(true);
  await expect.poll(async () => (await readHome(home))?.postgres?.pid).toBe(store.pid);
  expect(await sql(store.connection, 'select n from kept')).toEqual([{ n: 1 }]);
});
