// Companies on the whole engine: full and incremental scrapes of the sandbox's boards, what they may close, and what a failed one leaves alone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentOf } from '../../../src/model/company/position.ts';
import type { Posting } from '../../../src/model/posting/posting.ts';
import { positionsAt } from '../../../src/sandbox/careers/truth.ts';
import type { SandboxRequest } from '../../../src/sandbox/replica.ts';
import { REPLICAS } from '../../../src/sandbox/replicas.ts';
import { applyChanges } from '../../../src/store/companies/positions.ts';
import { createPool } from '../../../src/store/postgres/pool.ts';
import { type CompanyWorld, openCompanyWorld } from '../../support/worlds/company-world.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 8, 1, 7);
const clock = { nowMs: START_MS };
let world: CompanyWorld;
/** While this is pending, no site answers. */
let answering = Promise.resolve();

beforeAll(async () => {
  const replicas = REPLICAS.map((replica) => ({
    ...replica,
    handle: (request: SandboxRequest) => answering.then(() => replica.handle(request)),
  }));
  world = await openCompanyWorld({ now: () => clock.nowMs, orchestrators: 2, replicas });
});
afterAll(async () => {
  await world?.close();
  expect(world.warnings).toEqual([]);
});

async function openOf(companyId: string): Promise<string[]> {
  const rows = await world.sql<{ external_id: string }>(
    'select external_id from windrow.positions where company_id = $1 and active order by 1',
    [companyId],
  );
  return rows.map((row) => row.external_id);
}

const trueIds = (vendor: string, token: string): string[] =>
  positionsAt({ vendor, token }, clock.nowMs)
    .map((position) => String(vendor === 'greenhouse' ? 4_000_000_000 + position.number : position.number))
    .sort();

async function sessionOf(runId: string) {
  const { sessions } = await world.store.listSessions({ companyId: null, runId, after: null, limit: 10, owner: null });
  return sessions[0]!;
}

test('a full scrape creates what is there; weeks later it updates, closes and leaves the rest alone', async () => {
  clock.nowMs = START_MS;
  const company = await world.company('Aldermoor', { scraper_type: 'greenhouse', board: 'aldermoor-40' });
  const first = await sessionOf(await world.scrape([company]));
  const before = trueIds('greenhouse', 'aldermoor-40');
  expect(before.length).toBeGreaterThan(20);
  expect(first).toMatchObject({ status: 'completed', found: before.length, created: before.length, deactivated: 0 });
  expect(await openOf(company.id)).toEqual(before);

  clock.nowMs = START_MS + 8 * DAY_MS;
  const after = trueIds('greenhouse', 'aldermoor-40');
  const second = await sessionOf(await world.scrape([company]));
  expect(await openOf(company.id)).toEqual(after);
  expect(second.deactivated).toBe(before.filter((id) => !after.includes(id)).length);
  expect(second.created).toBe(after.filter((id) => !before.includes(id)).length);
  expect(second.deactivated).toBeGreaterThan(0);
  expect(second.updated + second.unchanged).toBe(after.length - second.created);

  const again = await sessionOf(await world.scrape([company]));
  expect(again).toMatchObject({ created: 0, updated: 0, deactivated: 0, unchanged: after.length });
});

test('an incremental scrape brings what is new and closes nothing', async () => {
  clock.nowMs = START_MS;
  const company = await world.company('Brackenhill', { scraper_type: 'greenhouse', board: 'brackenhill-40' });
  await world.scrape([company]);
  const before = trueIds('greenhouse', 'brackenhill-40');
  clock.nowMs = START_MS + 8 * DAY_MS;
  const fresh = trueIds('greenhouse', 'brackenhill-40').filter((id) => !before.includes(id));
  const session = await sessionOf(await world.scrape([company], true));
  expect(fresh.length).toBeGreaterThan(0);
  expect(session).toMatchObject({ created: fresh.length, deactivated: 0, closing_refused: 'incremental' });
  expect(await openOf(company.id)).toEqual([...before, ...fresh].sort());
});

test('a scrape that fails for good closes nothing and says why', async () => {
  clock.nowMs = START_MS;
  const company = await world.company('Calder', { scraper_type: 'recruitee', company: 'calder-20' });
  await world.scrape([company]);
  const open = await openOf(company.id);
  expect(open.length).toBeGreaterThan(5);
  const gone = await world.company('Calder', { scraper_type: 'recruitee', company: 'gone-calder' });
  expect(gone.id).toBe(company.id);
  const session = await sessionOf(await world.scrape([gone]));
  expect(session).toMatchObject({ status: 'failed', deactivated: 0 });
  expect(session.errors[0]).toMatch(/\S/);
  expect(await openOf(company.id)).toEqual(open);
});

test('a scrape that became a dead letter is a scrape of its company when it is tried again', async () => {
  const company = await world.company('Cressing', { scraper_type: 'recruitee', company: 'gone-cressing' });
  const runId = await world.scrape([company]);
  const letters = await world.sql<{ task_id: string }>(
    `select d.task_id from windrow.dead_letters d join windrow.tasks t on t.id = d.task_id join windrow.runs r on r.seq = t.run_seq where r.id = $1`,
    [runId],
  );
  expect(letters).toHaveLength(1);
  const retried = await world.intake.retryDeadLetters([letters[0]!.task_id], { requestId: null, idempotency: null });
  await world.settled(retried!.runId);
  expect(await sessionOf(retried!.runId)).toMatchObject({ company: 'Cressing', status: 'failed', incremental: false });
  const [task] = await world.sql<{ backoff: string }>(
    `select message->>'backoff' as backoff from windrow.tasks t join windrow.runs r on r.seq = t.run_seq where r.id = $1`,
    [retried!.runId],
  );
  expect(task!.backoff).toBe('company');
});

test('a board that is suddenly empty closes nothing', async () => {
  clock.nowMs = START_MS;
  await world.scrape([await world.company('Dunmore', { scraper_type: 'recruitee', company: 'dunmore-20' })]);
  const empty = await world.company('Dunmore', { scraper_type: 'recruitee', company: 'empty-dunmore' });
  const session = await sessionOf(await world.scrape([empty]));
  expect(session).toMatchObject({ status: 'completed', found: 0, deactivated: 0, closing_refused: 'empty' });
  expect((await openOf(empty.id)).length).toBeGreaterThan(5);
});

test('a company scraped by two runs at once is fetched once, and both sessions end', async () => {
  clock.nowMs = START_MS;
  const company = await world.company('Elsworth', { scraper_type: 'greenhouse', board: 'elsworth-20' });
  const context = { requestId: null, idempotency: null };
  const runs = await Promise.all(
    [1, 2].map(() =>
      world.intake.scrapeCompanies({ companies: [company], incremental: false, trigger: 'manual' }, context),
    ),
  );
  for (const run of runs) await world.settled(run.runId);
  const sessions = await Promise.all(runs.map((run) => sessionOf(run.runId)));
  const open = await openOf(company.id);
  expect(sessions.map((session) => session.status)).toEqual(['completed', 'completed']);
  expect(sessions.map((session) => session.created).sort((a, b) => a - b)).toEqual([0, open.length]);
  const tasks = await world.sql(`select 1 from windrow.tasks where message->'params'->>'board' = 'elsworth-20'`);
  expect(tasks).toHaveLength(1);
});

test('a cancelled run leaves no session running', async () => {
  const companies = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      world.company(`Cancelled ${n}`, { scraper_type: 'greenhouse', board: `fenwick-${n + 1}` }),
    ),
  );
  const context = { requestId: null, idempotency: null };
  const gate = Promise.withResolvers<void>();
  answering = gate.promise;
  const accepted = await world.intake.scrapeCompanies({ companies, incremental: false, trigger: 'manual' }, context);
  await world.intake.cancelRun(accepted.runId);
  await world.settled(accepted.runId);
  gate.resolve();
  const { sessions } = await world.store.listSessions({
    companyId: null,
    runId: accepted.runId,
    after: null,
    limit: 100,
    owner: null,
  });
  expect(sessions).toHaveLength(30);
  for (const session of sessions) expect(session).toMatchObject({ status: 'failed', errors: ['cancelled'] });
});

test('positions nobody has seen for long are closed, those seen lately are not', async () => {
  clock.nowMs = START_MS;
  const company = await world.company('Garrick', { scraper_type: 'greenhouse', board: 'garrick-20' });
  await world.scrape([company]);
  const open = await openOf(company.id);
  await world.sql(
    `update windrow.positions set last_seen_at = now() - interval '31 days' where company_id = $1 and external_id = $2`,
    [company.id, open[0]],
  );
  expect(await world.store.closeStale({ days: 30, limit: 1_000 })).toBe(1);
  expect(await openOf(company.id)).toEqual(open.slice(1));
  await world.scrape([company]);
  expect(await openOf(company.id)).toEqual(open);
  const [reopened] = await world.sql<{ key: string }>(
    'select key from windrow.positions where company_id = $1 and external_id = $2',
    [company.id, open[0]],
  );
  const found = await world.store.getPosition(reopened!.key);
  expect(found!.events.map((event) => event.kind)).toEqual(['created', 'closed', 'reopened']);
});

test('names are found in any case, and lists go on where the page ended', async () => {
  expect((await world.store.getCompany('ALDERMOOR'))?.name).toBe('Aldermoor');
  const filter = {
    companyId: null,
    active: true,
    q: null,
    remoteType: null,
    location: null,
    department: null,
    newSince: null,
  };
  const all = await world.store.listPositions({ ...filter, after: null, limit: 1_000 });
  const seen: string[] = [];
  let after: [string, string] | null = null;
  for (;;) {
    const page: Awaited<ReturnType<typeof world.store.listPositions>> = await world.store.listPositions({
      ...filter,
      after,
      limit: 7,
    });
    seen.push(...page.positions.map((position) => position.id));
    const last = page.positions.at(-1);
    if (!last || page.positions.length < 7) break;
    after = [last.place, last.id];
  }
  expect(seen).toEqual(all.positions.map((position) => position.id));
  expect(seen).toHaveLength(all.total);
});

test('a posting read from the list only takes nothing away from what is stored', async () => {
  const company = await world.company('Halden', { scraper_type: 'greenhouse', board: 'halden-4' });
  await world.scrape([company]);
  const [before] = await world.sql<{ key: string; data: Posting }>(
    'select key, data from windrow.positions where company_id = $1 and active limit 1',
    [company.id],
  );
  expect(before!.data.description).toMatch(/\S/);
  const bare = {
    ...before!.data,
    title: 'Another title',
    description: null,
    description_html: null,
    job_types: [],
    department: null,
  };
  const known = contentOf(before!.data);
  const pool = createPool({ connection: world.databaseUrl, max: 1, connectTimeoutMs: 30_000 });
  const client = await pool.connect();
  await applyChanges(client, company.id, [
    { kind: 'updated', key: bare.job_hash, posting: bare, content: { ...known, title: bare.title }, changes: [] },
  ]);
  client.release();
  await pool.end();
  const { position } = (await world.store.getPosition(before!.key))!;
  expect(position.posting).toEqual({ ...before!.data, title: 'Another title' });
});
