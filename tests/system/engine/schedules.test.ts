// Schedulers on a real database, two of them with connections of their own, as on two machines: D4 D5 D7 D8 D9 of the fault catalogue (D6, clock
// changes, is in model/schedule/schedule.test.ts).
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createIntake } from '../../../src/orchestrator/intake/intake.ts';
import { createScheduler, startScheduler } from '../../../src/orchestrator/loops/schedule.ts';
import type { ScheduleInput } from '../../../src/store/schedules/schedules.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { createMemoryWire } from '../../../src/wire/memory.ts';
import { openSql, type Sql } from '../../support/invariants.ts';
import { freshDatabase } from '../../support/own-servers.ts';

const HOUR_MS = 3_600_000;
let database: Awaited<ReturnType<typeof freshDatabase>>;
let stores: [Store, Store];
let sql: Sql;
let closeSql: () => Promise<void>;
const wire = createMemoryWire();

beforeAll(async () => {
  database = await freshDatabase();
  stores = [
    await openStore({ connection: database.url, max: 4, connectTimeoutMs: 30_000 }),
    await openStore({ connection: database.url, max: 4, connectTimeoutMs: 30_000 }),
  ];
  ({ sql, close: closeSql } = await openSql(database.url));
});
afterAll(async () => {
  await Promise.all([...stores.map((store) => store.close()), closeSql(), wire.close()]);
  await database.drop();
});
beforeEach(async () => {
  await sql(`delete from windrow.schedules where id like 'sch_%'`);
  await sql(`update windrow.schedules set enabled = false`);
  await sql(
    'truncate windrow.runs, windrow.tasks, windrow.queue, windrow.live, windrow.run_tasks, windrow.idempotency',
  );
});
afterEach(() => vi.useRealTimers());

const optionsOf = (store: Store) => ({
  store,
  intake: createIntake({ store, wire, maxRetries: 3, taskTimeoutSeconds: 60, laneOf: () => 'http' }),
  catalogue: {
    all: () => [],
    check: (name: string, params: Record<string, unknown>) =>
      name === 'nowhere'
        ? null
        : params.search_term === ''
          ? { errors: [{ pointer: '/search_term', detail: 'is empty' }] }
          : { params },
  },
  staleDays: 14,
  cleanup: { sessionDays: 30, positionDays: 30, batch: 100 },
  log: () => {},
});

const hourly: ScheduleInput = {
  task: 'search',
  siteName: 'indeed',
  enabled: true,
  timing: { intervalMinutes: 60 },
  payload: { search_term: 'welder' },
  minPauseSeconds: null,
  maxPauseSeconds: null,
  maxRetries: null,
  catchUp: 'once',
  overlap: 'skip',
};

/** Each searches for something of its own, as equal searches under way are shared. */
async function makeDue(count: number, ago = '1 second', catchUp = 'once'): Promise<void> {
  await sql(
    `insert into windrow.schedules (id, task, site_name, interval_minutes, payload, catch_up, anchor_at, next_run_at)
     select 'sch_' || n, 'search', 'indeed', 30, jsonb_build_object('search_term', 'job ' || n), $2, now() - interval '10 days', now() - $3::interval
     from generate_series(1, $1::int) n`,
    [count, catchUp, ago],
  );
}

const runs = () =>
  sql<{ id: string; trigger: string; status: string }>('select id, trigger, status from windrow.runs order by seq');
const fires = (id: string) => stores[0].listFires(id, 100);

test('the built-in schedules are there, on, and planned for the times of the contract', async () => {
  await sql('update windrow.schedules set enabled = true, next_run_at = null');
  await stores[0].planSchedules();
  const { schedules } = await stores[0].listSchedules({ after: null, limit: 10 });
  const next = Object.fromEntries(schedules.map((one) => [one.task, one.nextRunAt!]));
  const at = (task: string) => next[task]!.toISOString().slice(11, 16);
  expect([at('companies.scrape'), at('positions.stale'), at('cleanup')]).toEqual(['07:00', '04:00', '03:00']);
  expect(next.cleanup!.getUTCDay()).toBe(0);
  for (const one of Object.values(next)) expect(one.getTime()).toBeGreaterThan(Date.now());
});

test('D4: two schedulers at once make one run per schedule and instant', async () => {
  await makeDue(300);
  const [a, b] = stores.map((store) => createScheduler(optionsOf(store)));
  const ticks = await Promise.all([a!.tick(), b!.tick(), a!.tick(), b!.tick()]);
  expect(ticks.flatMap((tick) => tick.enqueued)).toHaveLength(300);
  expect(await runs()).toHaveLength(300);
  expect(await sql('select 1 from windrow.fires where state <> $1', ['started'])).toEqual([]);
  expect((await runs()).every((run) => run.trigger === 'schedule' && /^sched_[0-9a-f]{8,}$/.test(run.id))).toBe(true);
});

test('D4: a fire whose scheduler died is started by another, once, even when the dead one comes back', async () => {
  await makeDue(1);
  const claimed = await stores[0].claimDue(10);
  expect(claimed.fires).toHaveLength(1);
  const other = createScheduler(optionsOf(stores[1]));
  expect((await other.tick()).enqueued).toEqual([]);
  await sql(`update windrow.fires set held_until = now() - interval '1 second'`);
  const { enqueued } = await other.tick();
  expect(enqueued).toHaveLength(1);
  // The dead one had started it too, and only could not say so.
  await sql(`update windrow.fires set state = 'waiting', held_until = now() - interval '1 second'`);
  expect((await createScheduler(optionsOf(stores[0])).tick()).enqueued).toEqual(enqueued);
  expect(await runs()).toHaveLength(1);
});

test('D5: a node whose clock is wrong by a day neither fires early nor late', async () => {
  const wrong = createScheduler(optionsOf(stores[0]));
  for (const offMs of [24 * HOUR_MS, HOUR_MS, -HOUR_MS]) {
    const saved = await stores[0].saveSchedule(hourly);
    const before = saved.nextRunAt!.getTime();
    const realMs = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: realMs + offMs });
    expect((await wrong.tick()).enqueued).toEqual([]);
    await sql(`update windrow.schedules set next_run_at = now() where id = $1`, [saved.id]);
    expect((await wrong.tick()).enqueued).toHaveLength(1);
    vi.useRealTimers();
    const after = (await stores[0].getSchedule(saved.id))!.nextRunAt!.getTime();
    expect(Math.abs(after - before), String(offMs)).toBe(0);
    await sql('truncate windrow.live, windrow.queue');
    await stores[0].deleteSchedule(saved.id);
  }
});

test('D7: after three hours down each schedule runs once, or not at all where it was told to skip', async () => {
  await makeDue(3, '3 hours');
  const scheduler = createScheduler(optionsOf(stores[0]));
  expect((await scheduler.tick()).enqueued).toHaveLength(3);
  expect((await scheduler.tick()).enqueued).toEqual([]);
  const { schedules } = await stores[0].listSchedules({ after: null, limit: 10 });
  for (const one of schedules.filter(({ id }) => id.startsWith('sch_')))
    expect(one.nextRunAt!.getTime()).toBeGreaterThan(Date.now());

  await sql(`delete from windrow.schedules where id like 'sch_%'`);
  await makeDue(1, '3 hours', 'skip');
  const ticked = await scheduler.tick();
  expect(ticked).toMatchObject({ enqueued: [], skipped: [{ scheduleId: 'sch_1', siteName: 'indeed' }] });
  expect((await fires('sch_1'))[0]).toMatchObject({
    state: 'skipped',
    reason: expect.stringMatching(/^missed by 108\d\d s$/),
  });
});

test('D8: a thousand schedules made in one second are planned over the jitter window', async () => {
  await sql(
    `insert into windrow.schedules (id, task, site_name, interval_minutes) select 'sch_' || n, 'search', 'indeed', 60 from generate_series(1, 1000) n`,
  );
  expect(await stores[0].planSchedules()).toBe(1_000);
  const [spread] = await sql<{ most: number; first: number; last: number }>(
    `select (select max(c)::int from (select count(*) as c from windrow.schedules where id like 'sch_%' group by date_trunc('second', next_run_at)) x) as most,
       extract(epoch from min(next_run_at - created_at))::int as first, extract(epoch from max(next_run_at - created_at))::int as last
     from windrow.schedules where id like 'sch_%'`,
  );
  expect(spread!.most).toBeLessThan(12);
  expect(spread!.first).toBeGreaterThanOrEqual(54 * 60);
  expect(spread!.last).toBeLessThanOrEqual(66 * 60 + 1);
});

test('ten thousand due in the same second are claimed in one batch', async () => {
  await makeDue(10_000);
  const { fires: claimed } = await stores[0].claimDue(10_000);
  expect(claimed).toHaveLength(10_000);
  expect((await stores[1].claimDue(10_000)).fires).toEqual([]);
  await sql(`delete from windrow.schedules where id like 'sch_%'`);
});

test('D9: a schedule whose last run is under way is skipped, by every scheduler, and the reason is kept', async () => {
  await makeDue(1);
  const [a, b] = stores.map((store) => createScheduler(optionsOf(store)));
  const [runId] = (await a!.tick()).enqueued;
  const dueAgain = () => sql(`update windrow.schedules set next_run_at = now() where id = 'sch_1'`);
  for (const scheduler of [a, b]) {
    await dueAgain();
    const ticked = await scheduler!.tick();
    expect(ticked).toMatchObject({ enqueued: [], skipped: [{ reason: `run ${runId} has not ended yet` }] });
  }
  expect((await fires('sch_1')).map((fire) => fire.state)).toEqual(['skipped', 'skipped', 'started']);
  // The run ends, however it does: the schedule is free again.
  await stores[0].cancelRun(runId!);
  await dueAgain();
  expect((await b!.tick()).enqueued).toHaveLength(1);
});

test('D9: with `queue` a schedule waits for its last run and then runs once, however often it came due meanwhile', async () => {
  await makeDue(1, '3 hours', 'skip');
  await sql(
    `update windrow.schedules set overlap = 'queue', next_run_at = now() - interval '1 second' where id = 'sch_1'`,
  );
  const [a, b] = stores.map((store) => createScheduler(optionsOf(store)));
  const [first] = (await a!.tick()).enqueued;
  await sql(`update windrow.schedules set next_run_at = now() - interval '2 hours' where id = 'sch_1'`);
  for (const scheduler of [a!, b!]) expect(await scheduler.tick()).toEqual({ enqueued: [], skipped: [] });
  expect((await stores[0].getSchedule('sch_1'))!.waitingFor).toBe(first);
  await stores[0].cancelRun(first!);
  const ticks = await Promise.all([a!.tick(), b!.tick(), a!.tick()]);
  expect(ticks.flatMap((tick) => tick.enqueued)).toHaveLength(1);
  expect((await fires('sch_1')).map((fire) => fire.state)).toEqual(['started', 'started']);
  expect((await stores[0].getSchedule('sch_1'))!.nextRunAt!.getTime()).toBeGreaterThan(Date.now());
});

test('a schedule that cannot run says why, and comes again', async () => {
  const scheduler = createScheduler(optionsOf(stores[0]));
  const nowhere = await stores[0].saveSchedule({ ...hourly, siteName: 'nowhere' });
  const empty = await stores[0].saveSchedule({ ...hourly, task: 'companies.scrape', siteName: null });
  await sql(`update windrow.schedules set next_run_at = now() where id like 'sch_%'`);
  expect((await scheduler.tick()).enqueued).toEqual([]);
  expect(await fires(nowhere.id)).toMatchObject([{ state: 'failed', reason: 'There is no site "nowhere".' }]);
  expect(await fires(empty.id)).toMatchObject([{ state: 'skipped', reason: 'There are no active companies.' }]);
  expect((await stores[0].getSchedule(nowhere.id))!.nextRunAt!.getTime()).toBeGreaterThan(Date.now());
});

test('a paused schedule does not fire, a changed one fires by its new time, and neither makes up for what was missed', async () => {
  const scheduler = createScheduler(optionsOf(stores[0]));
  const { id, nextRunAt } = await stores[0].saveSchedule(hourly);
  await sql('update windrow.schedules set next_run_at = now() where id = $1', [id]);
  await stores[0].saveSchedule({ ...hourly, enabled: false }, id);
  expect((await scheduler.tick()).enqueued).toEqual([]);
  const woken = await stores[0].saveSchedule(hourly, id);
  expect(woken.nextRunAt).toEqual(nextRunAt);
  const other = await stores[0].saveSchedule({ ...hourly, payload: { search_term: 'baker' } }, id);
  expect(other.nextRunAt).toEqual(nextRunAt);
  const sooner = await stores[0].saveSchedule({ ...hourly, timing: { intervalMinutes: 5 } }, id);
  expect(sooner.nextRunAt!.getTime() - Date.now()).toBeLessThan(6 * 60_000);
});

test('run now makes a manual run, not a second one while it is under way, and leaves the plan alone', async () => {
  const scheduler = createScheduler(optionsOf(stores[0]));
  const payload = { search_term: 'welder', webhook_url: 'https://hooks.example.com/welders' };
  const schedule = await stores[0].saveSchedule({ ...hourly, payload, enabled: false });
  const claim = { scope: 'test', key: 'k1', bodyHash: 'h' };
  const first = await scheduler.runNow(schedule, { requestId: 'r1', idempotency: claim });
  expect(first.runId).toMatch(/^manual_/);
  expect(await scheduler.runNow(schedule, { requestId: 'r1', idempotency: claim })).toMatchObject({
    runId: first.runId,
    isReplay: true,
  });
  await expect(scheduler.runNow(schedule, { requestId: 'r2', idempotency: null })).rejects.toMatchObject({
    code: 'still_running',
  });
  expect(await stores[0].getSchedule(schedule.id)).toMatchObject({ nextRunAt: null, lastRunId: first.runId });
  // Who is told is the run's business; the site is not asked with it.
  const [made] = await sql(
    `select r.options->>'webhook_url' as url, t.message->'params' as params from windrow.runs r join windrow.tasks t on t.run_seq = r.seq`,
  );
  expect(made).toEqual({ url: payload.webhook_url, params: { search_term: 'welder' } });
});

test('run now by several at once makes one run; a fire that nobody ended is not in the way for long, and never started by another', async () => {
  const schedulers = stores.map((store) => createScheduler(optionsOf(store)));
  const schedule = await stores[0].saveSchedule(hourly);
  const firesOf = () =>
    sql('select state, reason, run_id from windrow.fires where schedule_id = $1 order by instant', [schedule.id]);
  const asked = await Promise.allSettled(
    Array.from({ length: 10 }, (_, n) => schedulers[n % 2]!.runNow(schedule, { requestId: null, idempotency: null })),
  );
  expect(asked.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
  for (const one of asked) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'still_running' });
  const [run] = await runs();
  expect(await runs()).toHaveLength(1);
  expect(await firesOf()).toEqual([{ state: 'started', reason: 'run by hand', run_id: run!.id }]);
  await sql(`update windrow.runs set status = 'completed', finished_at = now()`);
  // One that was claimed, and whoever claimed it died: due meanwhile, the schedule says why it does not run.
  expect(await stores[1].claimNow(schedule.id)).toHaveProperty('instant');
  await sql('update windrow.schedules set next_run_at = now() where id = $1', [schedule.id]);
  const reason = 'the previous one has not started yet';
  expect(await schedulers[0]!.tick()).toMatchObject({ enqueued: [], skipped: [{ reason }] });
  await sql(`update windrow.fires set held_until = now() - interval '1 second' where state = 'waiting'`);
  expect(await schedulers[0]!.tick()).toEqual({ enqueued: [], skipped: [] });
  expect((await firesOf()).map((fire) => fire.state).sort()).toEqual(['failed', 'skipped', 'started']);
  expect((await schedulers[1]!.runNow(schedule, { requestId: null, idempotency: null })).runId).toMatch(/^manual_/);
});

test('run now where there is nothing to do is said, and seen afterwards', async () => {
  const scheduler = createScheduler(optionsOf(stores[0]));
  const schedule = await stores[0].saveSchedule({ ...hourly, task: 'companies.scrape', siteName: null, payload: {} });
  for (let n = 0; n < 2; n++)
    await expect(scheduler.runNow(schedule, { requestId: null, idempotency: null })).rejects.toMatchObject({
      code: 'nothing_to_do',
    });
  const skipped = { state: 'skipped', reason: 'There are no active companies.', run_id: null };
  expect(await stores[0].listFires(schedule.id, 10)).toMatchObject([skipped, skipped]);
});

test('a round of all companies tells its own address and is tried as often as its schedule says', async () => {
  const settings = { scraper_type: 'greenhouse', board: 'tells' };
  const company = await stores[0].createCompany({
    name: 'Tells',
    website: null,
    active: true,
    scrapingConfig: settings,
  });
  const payload = { webhook_url: 'https://hooks.example.com/companies' };
  const schedule = await stores[0].saveSchedule({
    ...hourly,
    task: 'companies.scrape',
    siteName: null,
    payload,
    maxRetries: 1,
    enabled: false,
  });
  const scheduler = createScheduler(optionsOf(stores[0]));
  await scheduler.runNow(schedule, { requestId: null, idempotency: null });
  const [made] = await sql(
    `select r.options->>'webhook_url' as url, (t.message->>'max_retries')::int as retries from windrow.runs r join windrow.tasks t on t.run_seq = r.seq`,
  );
  expect(made).toEqual({ url: payload.webhook_url, retries: 1 });
  await stores[0].deleteCompany(company.id);
});

test('two schedulers that run for a while are both seen, and make one run', async () => {
  const running = stores.map((store, n) => startScheduler({ ...optionsOf(store), name: `scheduler-${n}` }));
  await makeDue(20);
  const soon = { timeout: 60_000, interval: 50 };
  await vi.waitFor(async () => expect(await runs()).toHaveLength(20), soon);
  const namesOf = async () => (await stores[0].schedulerStatus(null)).instances.map((one) => one.name);
  await vi.waitFor(async () => expect(await namesOf()).toEqual(['scheduler-0', 'scheduler-1']), soon);
  const status = await stores[0].schedulerStatus(null);
  expect(status.schedules.find((one) => one.id === 'sch_1')).toMatchObject({ started: 1, skipped: 0, failed: 0 });
  await Promise.all(running.map((one) => one.stop()));
  expect(await runs()).toHaveLength(20);
  expect((await stores[0].schedulerStatus(null)).instances).toEqual([]);
});
