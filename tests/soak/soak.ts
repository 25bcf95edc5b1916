// A soak: mixed load and random faults for a while, then everything is mended, everything ends, and the oracle looks. The same seed gives the same loads
// and faults in the same order; how long each takes is up to the machine.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../support/random.ts';
import { faultPlan, type Planned } from './faults/plan.ts';
import { Ledger } from './ledger.ts';
import { loads } from './loads/index.ts';
import { searchTruth } from './loads/searches.ts';
import { growth, larger, type Sizes, sizes } from './memory.ts';
import { judge, type Verdict } from './oracle.ts';
import { overPace } from './pace.ts';
import { type Recovery, recover } from './recovery.ts';
import { SoakWorld } from './world.ts';

export interface SoakOptions {
  seconds: number;
  seed: number;
  /** For logs; they stay there. */
  folder: string;
  say(line: string): void;
  /** Ends it early, without a verdict. */
  signal?: AbortSignal;
}

export interface Struck {
  name: string;
  beganMs: number;
  endedMs: number;
  losesPace: boolean;
  breaksBoards: boolean;
}

export interface SoakReport extends Verdict {
  faults: Struck[];
  worst: Recovery & { after: string };
  sameKeyCalls: number;
  retriedDeadLetters: number;
  refusals: Map<string, number>;
  begin: Sizes;
  end: Sizes;
  stuck: string[];
  /** I6, I7, I8. */
  problems: string[];
}

/** Of load alone, before the first fault: what the sizes of processes are compared with. */
const WARM_UP_MS = 10_000;
/** Nothing has ended for so long although runs go on: they stand still. */
const STANDSTILL_MS = 180_000;

export async function soak({ folder, signal, ...options }: SoakOptions): Promise<SoakReport | undefined> {
  const world = await SoakWorld.open(folder);
  const stopped = signal ? once(signal, 'abort').then(() => undefined) : new Promise<undefined>(() => {});
  try {
    return await Promise.race([stopped, breakAndJudge(world, options)]);
  } finally {
    await world.close();
  }
}

async function breakAndJudge(
  world: SoakWorld,
  { seconds, seed, say }: Omit<SoakOptions, 'folder' | 'signal'>,
): Promise<SoakReport> {
  const random = seeded(seed);
  const ledger = new Ledger();
  const truth = await searchTruth(world);
  world.sandbox.reset();
  await register(world);
  const began = performance.now();
  const isOver = () => performance.now() - began > seconds * 1_000;
  const working = loads(truth).map((load) => load({ world, ledger, random: random.fork(), isOver }));
  // Heard below, when all have ended.
  for (const load of working) load.catch(() => {});
  await sleep(Math.min(WARM_UP_MS, seconds * 250));
  let begin = sizes(world);
  const nextRound = faultPlan(random.fork());
  const faults: Struck[] = [];
  let worst: SoakReport['worst'] = { movedMs: 0, caughtUpMs: 0, after: 'nothing' };
  for (let round = 1; !isOver(); round++) {
    const struck = await strike(world, nextRound(), (line) => say(`${clock(began)}  ${line}`));
    faults.push(...struck);
    const recovery = await recover(world, ledger, round);
    const caughtUp = recovery.caughtUpMs === null ? 'not within 60 s' : `after ${inSeconds(recovery.caughtUpMs)}`;
    say(`${clock(began)}  mended; moved after ${inSeconds(recovery.movedMs)}, caught up ${caughtUp}`);
    // On a busy machine the first work may come after the warm-up; a round later every role has had some.
    if (round === 1) begin = larger(begin, sizes(world));
    const after = struck.map(({ name }) => name).join(' + ');
    if (recovery.movedMs > worst.movedMs) worst = { ...recovery, after };
  }
  await Promise.all(working);
  say(`${clock(began)}  load ends: ${ledger.runs.size} runs acknowledged`);
  const stuck = await quiet(world);
  say(`${clock(began)}  everything has ended`);
  const verdict = await judge(world, ledger, { truth, faults });
  const end = sizes(world);
  const problems = [
    ...world.problems,
    ...world.client.serverErrors,
    ...overPace(world, faults),
    ...growth(begin, end),
    ...uncaught(world),
  ];
  const { sameKeyCalls, retriedDeadLetters } = ledger;
  const { refusals } = world.client;
  return { ...verdict, faults, worst, sameKeyCalls, retriedDeadLetters, refusals, begin, end, stuck, problems };
}

const inSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const clock = (began: number): string => `${Math.round((performance.now() - began) / 1_000)} s`.padStart(7);

async function register(world: SoakWorld): Promise<void> {
  const events = ['run.completed', 'run.failed', 'run.cancelled'];
  const { status, json } = await world.client.post('/webhooks', { url: world.receiver.url, events }, 'soak-webhook');
  if (status !== 201) throw new Error(`the webhook was refused: ${JSON.stringify(json)}`);
}

/** All faults of a round; returns when each is mended. */
function strike(world: SoakWorld, round: Planned[], say: (line: string) => void): Promise<Struck[]> {
  return Promise.all(
    round.map(async ({ fault, afterMs, random }) => {
      await sleep(afterMs);
      const beganMs = performance.now();
      say(fault.name);
      await fault.strike(world, random);
      return {
        name: fault.name,
        beganMs,
        endedMs: performance.now(),
        losesPace: fault.losesPace ?? false,
        breaksBoards: fault.breaksBoards ?? false,
      };
    }),
  );
}

/** Waits until every run has ended and every event was sent, for as long as something moves. Returns what stands still. */
async function quiet(world: SoakWorld): Promise<string[]> {
  let last = '';
  let movedAt = performance.now();
  for (;;) {
    const state = await world.sql(async (sql) => {
      // Nobody waits for hours here until a webhook is tried again.
      await sql(
        `update windrow.deliveries set next_at = now() where state = 'waiting' and next_at > now() + interval '20 seconds'`,
      );
      await sql('update windrow.receivers set open_at = null where open_at is not null');
      const rows = await sql(
        `select (select count(*)::int from windrow.runs where status = 'running') as runs, (select count(*)::int from windrow.outcomes) as outcomes,
                (select count(*)::int from windrow.queue) as queued, (select count(*)::int from windrow.leases) as leased,
                (select count(*)::int from windrow.submission_spool) as spooled, (select count(*)::int from windrow.fires where state = 'waiting') as fires,
                (select count(*)::int from windrow.sessions where status = 'running') as sessions,
                (select count(*)::int from windrow.deliveries where state = 'waiting') as deliveries`,
      );
      return rows[0]!;
    });
    const { outcomes: _, ...left } = state;
    if (Object.values(left).every((count) => count === 0)) return [];
    const text = JSON.stringify(state);
    if (text !== last) [last, movedAt] = [text, performance.now()];
    if (performance.now() - movedAt > STANDSTILL_MS) return standing(world);
    await sleep(500);
  }
}

const standing = (world: SoakWorld): Promise<string[]> =>
  world.sql(async (sql) => {
    const rows = await sql(
      `select r.id, r.kind, r.created_at, l.ref, q.due_at, q.failures, s.worker, s.attempt from windrow.runs r join windrow.run_tasks l on l.run_seq = r.seq
       left join windrow.queue q on q.task_id = l.task_id left join windrow.leases s on s.task_id = l.task_id
       where r.status = 'running' and (q.task_id is not null or s.task_id is not null) limit 20`,
    );
    const deliveries = await sql(
      `select event_id, attempts, last_error, next_at from windrow.deliveries where state = 'waiting' limit 5`,
    );
    const runs = await sql(`select id from windrow.runs where status = 'running' limit 20`);
    return [...rows, ...deliveries, ...runs].map((row) => JSON.stringify(row));
  });

function uncaught(world: SoakWorld): string[] {
  const roles = [world.fleet.api, ...world.fleet.orchestrators, ...world.fleet.workers];
  return roles
    .filter((role) => /uncaught_exception|unhandled_rejection/.test(role.output))
    .map((role) => `I8 ${role.name} (${role.pid}) had an uncaught error`);
}
