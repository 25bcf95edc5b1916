// Companies whose sites are down, large or suddenly empty, on the whole engine. A retry is an hour away here, so that nothing moves that nobody has started.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScheduler } from '../../../src/orchestrator/loops/schedule.ts';
import { positionsAt } from '../../../src/sandbox/careers/truth.ts';
import type { SandboxReply, SandboxRequest } from '../../../src/sandbox/replica.ts';
import { REPLICAS } from '../../../src/sandbox/replicas.ts';
import type { Company } from '../../../src/store/companies/companies.ts';
import { type CompanyWorld, openCompanyWorld } from '../../support/worlds/company-world.ts';

const NOW_MS = Date.UTC(2026, 8, 1, 7);
const LIMIT_MS = 120_000;
let world: CompanyWorld;
/** What a site answers instead of its page; by a part of its URL. */
const instead = new Map<string, () => Promise<SandboxReply | null>>();
const reply = (status: number, body: object = {}): SandboxReply => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
});

beforeAll(async () => {
  const replicas = REPLICAS.map((replica) => ({
    ...replica,
    async handle(request: SandboxRequest) {
      const url = `${request.host}${request.path}`;
      for (const [part, answer] of instead) {
        const given = url.includes(part) ? await answer() : null;
        if (given) return given;
      }
      return replica.handle(request);
    },
  }));
  world = await openCompanyWorld({ now: () => NOW_MS, replicas, companyWait: '1h' });
});
afterAll(async () => {
  await world?.close();
  expect(world.warnings).toEqual([]);
});

async function until<T>(read: () => Promise<T | null | undefined | false>): Promise<T> {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const found = await read();
    if (found) return found;
    if (performance.now() > end) throw new Error('it did not come to that');
    await sleep(20);
  }
}

const start = (companies: Company[], trigger: 'manual' | 'schedule') =>
  world.intake
    .scrapeCompanies({ companies, incremental: false, trigger }, { requestId: null, idempotency: null })
    .then(({ runId }) => runId);

async function sessionsOf(runId: string) {
  return (await world.store.listSessions({ companyId: null, runId, after: null, limit: 100, owner: null })).sessions;
}

const sessionOf = async (runId: string) => (await sessionsOf(runId))[0]!;

const waitsForRetry = (runId: string) =>
  until(async () =>
    (await sessionsOf(runId)).find((session) => session.next_try_at !== null && session.cause !== null),
  );

async function openOf(company: Company): Promise<number> {
  const [row] = await world.sql<{ n: number }>(
    'select count(*)::int as n from windrow.positions where company_id = $1 and active',
    [company.id],
  );
  return row!.n;
}

test('a session says why its last attempt failed and when the next is due, and goes on at once if a person asks for it', async () => {
  const company = await world.company('Ashdown', { scraper_type: 'greenhouse', board: 'ashdown-12' });
  instead.set('/ashdown-12/', async () => reply(500));
  const scheduled = await start([company], 'schedule');
  const waiting = await waitsForRetry(scheduled);
  expect(waiting).toMatchObject({ status: 'running', cause: expect.stringContaining('500') });
  expect(waiting.next_try_at!.getTime()).toBeGreaterThan(Date.now() + 60_000);
  // Another scheduled scrape shares the task and waits with it.
  const second = await start([company], 'schedule');
  expect((await sessionOf(second)).next_try_at).toEqual(waiting.next_try_at);

  instead.clear();
  await world.settled(await start([company], 'manual'));
  await Promise.all([world.settled(scheduled), world.settled(second)]);
  for (const run of [scheduled, second])
    expect(await sessionOf(run)).toMatchObject({ status: 'completed', cause: null, next_try_at: null });
});

test('a round of all companies goes on though one of the last round waits to be tried again', async () => {
  await world.sql('delete from windrow.companies');
  await world.sql('update windrow.schedules set enabled = false');
  const [down] = await Promise.all(
    ['Birch', 'Cedar'].map((name) =>
      world.company(name, { scraper_type: 'greenhouse', board: `${name.toLowerCase()}-6` }),
    ),
  );
  instead.set('/birch-6/', async () => reply(500));
  const gate = Promise.withResolvers<null>();
  instead.set('/cedar-6/', () => gate.promise);
  const { id } = await world.store.saveSchedule({
    task: 'companies.scrape',
    siteName: null,
    enabled: true,
    timing: { intervalMinutes: 60 },
    payload: {},
    minPauseSeconds: null,
    maxPauseSeconds: null,
    maxRetries: null,
    catchUp: 'once',
    overlap: 'skip',
  });
  const scheduler = createScheduler(world.schedulerOptions);
  const tick = async () => {
    await scheduler.tick();
    await world.sql('update windrow.schedules set next_run_at = now() where id = $1', [id]);
    return scheduler.tick();
  };
  const first = (await tick()).enqueued[0]!;
  await waitsForRetry(first);
  // The other company is still being read.
  expect((await tick()).skipped).toMatchObject([{ scheduleId: id, reason: expect.stringContaining(first) }]);
  gate.resolve(null);
  await until(async () => (await sessionsOf(first)).some((session) => session.status === 'completed'));
  const [second] = (await tick()).enqueued;
  expect(second).toMatch(/^sched_/);
  await until(async () => (await sessionsOf(second!)).some((session) => session.status === 'completed'));
  const waiting = await world.sql('select 1 from windrow.queue where due_at is not null');
  expect(waiting).toHaveLength(1);
  await world.store.deleteSchedule(id);
  instead.clear();
  await world.settled(await start([down!], 'manual'));
});

test('a large board is stored as it is read, and a second attempt goes on where the first stopped', async () => {
  const token = 'dunholme-160';
  const host = `${token}.wd5.myworkdayjobs.com`;
  const total = positionsAt({ vendor: 'workday', token }, NOW_MS).length;
  expect(total).toBeGreaterThan(120);
  const company = await world.company('Dunholme', { scraper_type: 'workday', host, site: 'External' });
  // The site stops answering after so many postings; then it breaks.
  let details = 0;
  const gate = Promise.withResolvers<void>();
  instead.set(`${host}/wday/cxs/${token}/External/job/`, async () => {
    if (++details <= 105) return null;
    await gate.promise;
    return null;
  });
  const run = await start([company], 'schedule');
  const running = await until(async () => {
    const session = await sessionOf(run);
    return session.created >= 50 && session;
  });
  expect(running).toMatchObject({ status: 'running' });
  expect(running.found).toBeGreaterThanOrEqual(running.created);
  expect(await openOf(company)).toBeGreaterThanOrEqual(50);
  instead.set(`${host}/wday/cxs/${token}/External/jobs`, async () => reply(500));
  gate.resolve();
  await waitsForRetry(run);
  const before = new Set(detailPaths(host));
  expect(before.size).toBeGreaterThan(100);

  instead.clear();
  world.sandbox.reset();
  const other = await start([company], 'manual');
  await Promise.all([world.settled(run), world.settled(other)]);
  // Both sessions share the task: what one of them has created is unchanged for the other.
  const sessions = [await sessionOf(run), await sessionOf(other)];
  for (const session of sessions) {
    expect(session).toMatchObject({ status: 'completed', found: total });
    expect(session.created + session.unchanged).toBe(total);
  }
  expect(sessions[0]!.created + sessions[1]!.created).toBe(total);
  expect(await openOf(company)).toBe(total);
  // Of what the first attempt had read, at most the last two pages are read again.
  expect(detailPaths(host).filter((path) => before.has(path)).length).toBeLessThanOrEqual(40);
});

const detailPaths = (host: string): string[] =>
  world.sandbox.log(host).flatMap(({ path }) => (path.includes('/External/job/') ? [path] : []));

test('a list that is suddenly empty or half as long closes positions when a second scrape confirms it', async () => {
  const company = await world.company('Elmsett', { scraper_type: 'greenhouse', board: 'elmsett-3' });
  await world.scrape([company]);
  const open = await openOf(company);
  expect(open).toBeGreaterThan(0);
  expect(open).toBeLessThan(5);
  instead.set('/elmsett-3/', async () => reply(200, { jobs: [], meta: { total: 0 } }));
  expect(await sessionOf(await world.scrape([company]))).toMatchObject({
    status: 'completed',
    deactivated: 0,
    closing_refused: 'empty',
  });
  expect(await openOf(company)).toBe(open);
  expect(await sessionOf(await world.scrape([company]))).toMatchObject({ deactivated: open, closing_refused: null });
  expect(await openOf(company)).toBe(0);
  instead.clear();
  expect(await sessionOf(await world.scrape([company]))).toMatchObject({ status: 'completed', updated: open });
});
