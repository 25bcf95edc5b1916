// A fleet is upgraded under load, process by process. Meanwhile processes of both versions work on one database and speak over one Redis.
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../../support/own-servers.ts';
import { type ListeningSocket, openSocket, type RoleProcess } from '../../support/processes.ts';
import { Fleet } from '../../support/worlds/fleet.ts';
import { Load } from '../../support/worlds/load.ts';
import { type NextVersion, nextVersion } from '../../support/worlds/next-version.ts';

let f: Fleet;
let socket: ListeningSocket;
let next: NextVersion;
afterAll(async () => {
  await f?.close();
  socket?.close();
  next?.remove();
});

test('one old and one new process of each role work beside each other: no request fails, no run is lost', async () => {
  next = nextVersion();
  socket = openSocket(await freePort());
  f = await Fleet.start({
    socket,
    orchestrators: 1,
    workers: 1,
    env: { API_DRAIN_SECONDS: '2', WORKER_CONCURRENCY: '5' },
  });
  const load = new Load(f);
  const leaves = async (role: RoleProcess): Promise<void> => {
    f.excuse(role);
    expect(await role.terminate()).toEqual({ code: 0, signal: null });
    await load.goesOn();
  };
  const started = async (role: RoleProcess): Promise<RoleProcess> => {
    await role.waitForLine(/process\.started/);
    await load.goesOn();
    return role;
  };
  const old = { api: f.api, orchestrator: f.orchestrators[0]!, worker: f.workers[0]! };
  try {
    await load.goesOn();
    // Migrates the database under those that run.
    const orchestrator = await started(f.startOrchestrator({}, next.script));
    expect(orchestrator.output).toContain('-next.sql');
    // Besides, an old one that is started again meanwhile, because its machine was.
    const again = f.startOrchestrator();
    await Promise.all([f.startWorker({}, next.script), await f.startApi(next.script), again].map(started));
    expect(again.output).toMatch(/store\.newer/);
    // Only old orchestrators with new workers, which happens when one upgrade is taken back.
    await Promise.all([orchestrator, old.worker].map(leaves));
    await started(f.startOrchestrator({}, next.script));
    await Promise.all([old.orchestrator, again, old.api].map(leaves));
    // What is not compatible is refused at its start, by name.
    await f.withSql((sql) =>
      sql(`insert into windrow.migrations (version, name, compatible_since) values (9999, 'breaks', 9999)`),
    );
    const refused = f.startOrchestrator({});
    f.excuse(refused);
    expect((await refused.waitForExit()).code).toBe(1);
    expect(refused.output).toMatch(/The database is at migration 9999, this Windrow knows only \d+/);
    await load.goesOn();
  } finally {
    await load.stop();
  }
  expect(load.failures).toEqual([]);
  await f.verify();
});
