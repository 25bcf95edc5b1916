// D4 and F5 with two orchestrator processes: frozen in the middle of a batch as a network split would, then awake again; and one killed for good.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signalProcess } from '../../src/store/embedded/process.ts';
import { openSql, type Sql } from '../support/invariants.ts';
import { Fleet } from '../support/worlds/fleet.ts';

const SCHEDULES = 300;
let fleet: Fleet;
let sql: Sql;
let closeSql: () => Promise<void>;

beforeAll(async () => {
  // No workers: a run stays under way, so that a second run of a schedule could only come from a second start of the same instant.
  fleet = await Fleet.start({ orchestrators: 2, workers: 0 });
  ({ sql, close: closeSql } = await openSql(fleet.env.DATABASE_URL!));
}, 120_000);
afterAll(async () => {
  await closeSql?.();
  await fleet?.close();
});

async function makeDue(round: string): Promise<void> {
  await sql(
    `insert into windrow.schedules (id, task, site_name, interval_minutes, payload, next_run_at)
     select 'sch_' || $1 || '_' || n, 'search', 'indeed', 600, jsonb_build_object('search_term', $1 || ' ' || n), now() + interval '1 second'
     from generate_series(1, $2::int) n`,
    [round, SCHEDULES],
  );
}

const count = async (text: string, values: unknown[] = []): Promise<number> =>
  (await sql<{ n: number }>(`select count(*)::int as n from ${text}`, values))[0]!.n;

/** Whoever holds fires that are still to be started is taken for dead now instead of in a minute. */
const takeForDead = () =>
  sql(`update windrow.fires set held_until = now() - interval '1 second' where state = 'waiting'`);

async function expectOneRunEach(round: string): Promise<void> {
  const like = `sch_${round}_%`;
  await fleet.until(
    `all of round ${round} are started`,
    async () => (await count(`windrow.fires where schedule_id like $1 and state = 'started'`, [like])) === SCHEDULES,
    60_000,
  );
  expect(await count(`windrow.runs where options->>'schedule' like $1`, [like])).toBe(SCHEDULES);
  expect(await count(`windrow.fires where schedule_id like $1`, [like])).toBe(SCHEDULES);
}

test.each([300, 900, 1_500])(
  'D4: a scheduler frozen %i ms after schedules came due, and awake again, makes no second run',
  async (pauseMs) => {
    const round = `freeze${pauseMs}`;
    const [frozen] = fleet.orchestrators;
    await makeDue(round);
    await sleep(pauseMs);
    signalProcess(frozen!.pid, 'SIGSTOP');
    try {
      await sleep(1_500);
      await takeForDead();
      await sleep(1_500);
    } finally {
      signalProcess(frozen!.pid, 'SIGCONT');
    }
    await takeForDead();
    await expectOneRunEach(round);
  },
  120_000,
);

test('D4, F5: a scheduler killed while it starts a batch leaves the rest to the other', async () => {
  const [victim] = fleet.orchestrators;
  await makeDue('kill');
  await fleet.until(
    'the batch is claimed',
    async () => (await count(`windrow.fires where schedule_id like 'sch_kill_%'`)) > 0,
  );
  await fleet.kill(victim!);
  await takeForDead();
  await expectOneRunEach('kill');
}, 120_000);
