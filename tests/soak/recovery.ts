// How long it takes after the last fault of a round has been mended: until a new article, search and cart went all the way (`moved`), and until all
// plain runs that were accepted before have ended (`caughtUp`). Measured, not judged: a busy machine is slow. Only standing still is a problem.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';
import type { SoakWorld } from './world.ts';

export interface Recovery {
  movedMs: number;
  /** Null: not within the limit, while there was other work that was not plain. */
  caughtUpMs: number | null;
}

/** Past this a lane counts as standing still. */
const MOVED_LIMIT_MS = 180_000;
const CAUGHT_UP_LIMIT_MS = 60_000;

export async function recover(world: SoakWorld, ledger: Ledger, round: number): Promise<Recovery> {
  const healed = performance.now();
  const before = [...ledger.runs].filter(([, run]) => run.isPlain).map(([runId]) => runId);
  const canaries = await Promise.all([
    article(world, ledger),
    search(world, ledger, round),
    cart(world, ledger, round),
  ]);
  const isOver = async (runIds: string[]): Promise<boolean> => (await running(world, runIds)) === 0;
  const until = async (runIds: string[], limitMs: number): Promise<number | null> => {
    while (!(await isOver(runIds))) {
      if (performance.now() - healed > limitMs) return null;
      await sleep(100);
    }
    return performance.now() - healed;
  };
  const movedMs = await until(canaries, MOVED_LIMIT_MS);
  if (movedMs === null) {
    const lanes = ['article', 'search', 'cart'];
    const stuck = await Promise.all(canaries.map(async (id, n) => ((await isOver([id])) ? [] : [`${lanes[n]} ${id}`])));
    world.problems.push(
      `stuck: not moved ${MOVED_LIMIT_MS / 1_000} s after round ${round}: ${stuck.flat().join(', ')}`,
    );
  }
  return { movedMs: movedMs ?? MOVED_LIMIT_MS, caughtUpMs: await until(before, CAUGHT_UP_LIMIT_MS) };
}

const running = (world: SoakWorld, runIds: string[]): Promise<number> =>
  world.sql(async (sql) => {
    // What was let in with a crowd is no row yet.
    const ended = await sql<{ n: number }>(
      `select count(*)::int as n from windrow.runs where id = any($1) and status <> 'running'`,
      [runIds],
    );
    return runIds.length - ended[0]!.n;
  });

async function article(world: SoakWorld, ledger: Ledger): Promise<string> {
  const [url] = world.fleet.urls(1) as [string];
  const { json } = await world.client.post('/jobs/submit', { articles: [{ url, priority: 1 }] }, `canary-${url}`);
  const runId = String(json.job_id);
  ledger.add(runId, { kind: 'article', urls: new Map([[url, 'done']]), cancelled: 'no', isPlain: true });
  return runId;
}

async function search(world: SoakWorld, ledger: Ledger, round: number): Promise<string> {
  const body = { site_name: 'bayt', search_term: `zzcanary${round}`, results_wanted: 10, priority: 1 };
  const { json } = await world.client.post('/jobs/scrape', body, `canary-search-${round}`);
  const { run_id: runId } = json.data as { run_id: string };
  ledger.add(runId, { kind: 'search', postings: [], isPlain: true });
  return runId;
}

async function cart(world: SoakWorld, ledger: Ledger, round: number): Promise<string> {
  const [items, zipcode] = [[`nothing of round ${round}`], '10001'];
  const { json } = await world.client.post('/cart', { items, zipcode }, `canary-cart-${round}`);
  const runId = String(json.job_id);
  ledger.add(runId, { kind: 'cart', items, zipcode, isPlain: true });
  return runId;
}
