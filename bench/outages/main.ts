// What an outage costs once it is over. Work keeps coming meanwhile, of every kind; then packets pass again. When does the first run end, and when the last, compared with the same
// work on a fleet that nothing happens to? BENCH_SCENES=redis,postgres picks scenes, BENCH_SECONDS is how long each outage is.
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { startSandbox } from '../../src/sandbox/server.ts';
import { TcpProxy } from '../../tests/support/tcp-proxy.ts';
import { Fleet } from '../../tests/support/worlds/fleet.ts';
import { createCompanies, submitMixed } from '../../tests/support/worlds/mixed-load.ts';
import { found } from '../found.ts';
import { row } from '../peers.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
const EVERY_MS = 1_500;
const PAGE_DELAY_MS = 300;
/** Until the first run ends. */
const PROMISED_MOVES = 15;
/** Seconds beyond what the same work takes without an outage. */
const PROMISED_WASTE = 15;

type Break = (f: Fleet) => { mend(): void | Promise<void> } | Promise<{ mend(): void | Promise<void> }>;

const links = (f: Fleet): { redis: TcpProxy; postgres: TcpProxy } => f.links!;
const cut =
  (names: ('redis' | 'postgres')[], how: 'blackHole' | 'drop'): Break =>
  (f) => {
    for (const name of names) links(f)[name][how]();
    return {
      mend: () => {
        for (const name of names) links(f)[name].pass();
      },
    };
  };

const SCENES: Record<string, { about: string; strike: Break; seconds: number }> = {
  redis: { about: 'no packets to Redis', strike: cut(['redis'], 'blackHole'), seconds: SECONDS },
  'redis-reset': { about: 'connections to Redis reset', strike: cut(['redis'], 'drop'), seconds: SECONDS },
  'redis-frozen': {
    about: 'Redis frozen',
    seconds: SECONDS,
    strike: (f) => {
      f.redis.pause();
      return { mend: () => f.redis.resume() };
    },
  },
  postgres: { about: 'no packets to PostgreSQL', strike: cut(['postgres'], 'blackHole'), seconds: SECONDS },
  'postgres-reset': { about: 'connections to PostgreSQL reset', strike: cut(['postgres'], 'drop'), seconds: SECONDS },
  both: { about: 'no packets to either', strike: cut(['redis', 'postgres'], 'blackHole'), seconds: SECONDS },
  resets: {
    about: 'clients of Redis killed every 3 s',
    seconds: 2 * SECONDS,
    strike(f) {
      const direct = new Redis(f.redis.url);
      const killing = setInterval(() => void direct.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'), 3_000);
      return {
        mend() {
          clearInterval(killing);
          direct.disconnect();
        },
      };
    },
  },
  workers: {
    about: 'all workers killed',
    seconds: 2 * SECONDS,
    async strike(f) {
      for (const worker of f.workers) await f.kill(worker);
      return {
        mend() {
          for (let n = 0; n < 2; n++) f.startWorker();
        },
      };
    },
  },
};

interface Measured {
  runs: number;
  firstSeconds: number;
  lastSeconds: number;
}

const sandbox = await startSandbox();
const web = await TcpProxy.to(sandbox.origin);
web.delay(PAGE_DELAY_MS);
let nth = 0;

/** `submissions` at once if nothing is broken; otherwise as they come while it is. */
async function measure(scene: { strike: Break; seconds: number } | null, submissions: number): Promise<Measured> {
  const f = await Fleet.start({
    isLinked: true,
    env: {
      WEB_HOST_MAP: `*=http://127.0.0.1:${web.port}`,
      SOURCE_PACE: 'article=1/200,indeed=2/200,linkedin=2/200,google-shopping=2/200,greenhouse=2/200',
      DATABASE_ANSWER_MS: '2500',
      DATABASE_LOCK_TIMEOUT_SECONDS: '2',
    },
  });
  const count = async (what: string): Promise<number> =>
    f.withSql(async (sql) => (await sql<{ n: number }>(`select count(*)::int as n from windrow.${what}`))[0]!.n);
  const ended = () => count(`runs where status <> 'running'`);
  const isOver = async () =>
    (await count(`runs where status = 'running'`)) === 0 && (await count('submission_spool')) === 0;
  /** While PostgreSQL is away submissions are refused, and who is refused comes back. */
  const comeBack = async (): Promise<void> => {
    for (;;) {
      await sleep(1_000);
      const isIn = await submitMixed(f.client, nth++).then(
        () => true,
        () => false,
      );
      if (isIn) return;
    }
  };
  try {
    await createCompanies(f.client);
    let back = performance.now();
    let left = submissions;
    const submit = () => submitMixed(f.client, nth++).finally(() => left--);
    await submit();
    await f.until('a first run has ended', async () => (await ended()) > 0);
    const later: Promise<void>[] = [];
    if (scene === null) while (left > 0) await submit();
    else {
      // Some of it is in hand.
      while (left > submissions / 2) await submit();
      const { mend } = await scene.strike(f);
      const until = performance.now() + scene.seconds * 1_000;
      while (performance.now() < until) {
        const next = performance.now() + EVERY_MS;
        if (left > 0) later.push(submit().catch(() => comeBack()));
        await sleep(Math.max(0, Math.min(next, until) - performance.now()));
      }
      back = performance.now();
      await mend();
    }
    const before = await ended();
    await f.until('something has ended', async () => (await ended()) > before || (await isOver()));
    const firstSeconds = (performance.now() - back) / 1_000;
    await Promise.all(later);
    await f.until('all have ended', isOver, 400_000);
    const lastSeconds = (performance.now() - back) / 1_000;
    const bad = await f.withSql((sql) =>
      sql(
        `select t.key, o.state, o.attempts, o.error from windrow.outcomes o join windrow.tasks t on t.id = o.task_id where o.state <> 'done'`,
      ),
    );
    if (bad.length > 0) throw new Error(`${bad.length} tasks did not succeed, such as ${JSON.stringify(bad[0])}`);
    return { runs: await count('runs'), firstSeconds, lastSeconds };
  } finally {
    await f.close();
  }
}

const wanted = process.env.BENCH_SCENES?.split(',') ?? Object.keys(SCENES);
const submissions = Math.floor((SECONDS * 1_000) / EVERY_MS);
const plain = await measure(null, submissions);
row('outage', 'seconds', 'runs', 'first end after (s)', 'last end after (s)', 'beyond the work itself (s)');
row('---', '---', '---', '---', '---', '---');
const tell = (about: string, seconds: number, { runs, firstSeconds, lastSeconds }: Measured) =>
  row(
    about,
    seconds,
    runs,
    firstSeconds.toFixed(1),
    lastSeconds.toFixed(1),
    (lastSeconds - plain.lastSeconds).toFixed(1),
  );
tell('none: all at once', 0, plain);
for (const name of wanted) {
  const scene = SCENES[name];
  if (scene === undefined) throw new Error(`no scene ${name}; there are: ${Object.keys(SCENES).join(', ')}`);
  const measured = await measure(scene, submissions);
  tell(scene.about, scene.seconds, measured);
  found(`first run after ${scene.about}`, measured.firstSeconds, 's', { atMost: PROMISED_MOVES });
  found(`its backlog beyond the work, after ${scene.about}`, measured.lastSeconds - plain.lastSeconds, 's', {
    atMost: PROMISED_WASTE,
  });
}
await web.close();
await sandbox.close();
process.exit();
