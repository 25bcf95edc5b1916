// Holds everything that was acknowledged against what is stored, when all faults are mended and the load has ended. I1–I5 come from the rules of the fault
// tests; here is what only the ledger knows: which runs, which endings, which items, which events.
import { offersOf } from '../../src/sandbox/shopping/catalogue.ts';
import { problems as brokenRules, type Sql } from '../support/invariants.ts';
import { pageTruth } from '../support/web/target.ts';
import type { CartRun, Ending, Expected, Ledger, SearchRun } from './ledger.ts';
import { scheduledTruth, type Truth } from './loads/searches.ts';
import type { Struck } from './soak.ts';
import { NOW_MS, type SoakWorld } from './world.ts';

export interface Verdict {
  runs: number;
  tasks: number;
  itemsExpected: number;
  itemsStored: number;
  lost: string[];
  doubled: string[];
  /** Wrong endings, wrong contents, broken rules. */
  wrong: string[];
  /** Tasks that were given up because two workers died on them, and that succeeded when they were tried again. */
  suspects: number;
}

const CART_SIZE = 20;

/** A request to a board that was lost is given up after so long. */
const BOARD_SLACK_MS = 20_000;

export async function judge(
  world: SoakWorld,
  ledger: Ledger,
  { truth, faults }: { truth: Truth; faults: Struck[] },
): Promise<Verdict> {
  const verdict: Verdict = {
    runs: ledger.runs.size,
    tasks: 0,
    itemsExpected: 0,
    itemsStored: 0,
    lost: [],
    doubled: [...ledger.doubled],
    wrong: [...ledger.wrong],
    suspects: 0,
  };
  await world.sql(async (sql) => {
    verdict.wrong.push(...(await brokenRules(sql, { isQuiet: true })));
    verdict.tasks = (await sql<{ n: number }>('select count(*)::int as n from windrow.tasks'))[0]!.n;
    await judgeSchedules(sql, ledger, truth, verdict);
    await judgeRuns(sql, ledger, verdict);
    await judgeArticles(sql, ledger, verdict);
    await judgeCompanies(sql, ledger, verdict);
  });
  for (const [runId, run] of ledger.runs) {
    if (run.kind === 'search') await judgeSearch(world, { runId, run, faults, verdict });
    if (run.kind === 'cart') await judgeCart(world, runId, run, verdict);
  }
  judgeEvents(world, ledger, verdict);
  return verdict;
}

/** What a set has to be, counted and compared. */
function compare(verdict: Verdict, what: string, expected: string[], stored: string[]): void {
  verdict.itemsExpected += expected.length;
  verdict.itemsStored += stored.length;
  const there = new Set(stored);
  const missing = expected.filter((one) => !there.has(one));
  const known = new Set(expected);
  const invented = [...there].filter((one) => !known.has(one));
  if (missing.length > 0)
    verdict.lost.push(`${what}: ${missing.length} of ${expected.length} items, such as ${missing[0]}`);
  if (there.size < stored.length) verdict.doubled.push(`${what}: ${stored.length - there.size} items twice`);
  if (invented.length > 0)
    verdict.wrong.push(`${what}: ${invented.length} items nobody expected, such as ${invented[0]}`);
}

/** A schedule starts one run for each instant. Its runs become part of what is expected. */
async function judgeSchedules(sql: Sql, ledger: Ledger, truth: Truth, verdict: Verdict): Promise<void> {
  const fires = await sql<{ run_id: string; site_name: string }>(
    `select f.run_id, s.site_name from windrow.fires f join windrow.schedules s on s.id = f.schedule_id where f.state = 'started'`,
  );
  for (const { run_id, site_name } of fires) {
    if (ledger.runs.has(run_id)) verdict.doubled.push(`${run_id} was started for two instants`);
    ledger.runs.set(run_id, { kind: 'search', postings: scheduledTruth(truth, site_name) });
  }
  verdict.runs = ledger.runs.size;
  const waiting = await sql(
    `select schedule_id, instant, state from windrow.fires where state in ('waiting', 'failed')`,
  );
  for (const fire of waiting) verdict.lost.push(`a schedule did not start: ${JSON.stringify(fire)}`);
}

/** I4, both ways, and how each run and each of its entries has ended. */
async function judgeRuns(sql: Sql, ledger: Ledger, verdict: Verdict): Promise<void> {
  const rows = await sql<{
    id: string;
    status: string;
    entries: { ref: { url?: string }; state: string; code: string | null }[];
  }>(
    `select r.id, r.status, coalesce(jsonb_agg(jsonb_build_object('ref', l.ref, 'state', coalesce(o.state, 'cached'), 'code', o.error->>'code'))
            filter (where l.pos is not null), '[]') as entries
     from windrow.runs r left join windrow.run_tasks l on l.run_seq = r.seq left join windrow.outcomes o on o.task_id = l.task_id group by r.seq`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [runId, run] of ledger.runs) {
    const row = byId.get(runId);
    if (row === undefined) verdict.lost.push(`run ${runId} was acknowledged and is not there`);
    else for (const problem of endingProblems(run, row)) verdict.wrong.push(`run ${runId}: ${problem}`);
  }
  for (const id of byId.keys())
    if (!ledger.runs.has(id)) verdict.doubled.push(`run ${id} is there and was never acknowledged`);
}

function endingProblems(
  run: Expected,
  row: { status: string; entries: { ref: { url?: string }; state: string; code: string | null }[] },
): string[] {
  if (run.kind === 'article' && run.cancelled !== 'no') {
    const isRight = row.status === 'cancelled' || (run.cancelled === 'maybe' && row.status !== 'running');
    return isRight ? [] : [`was cancelled and is ${row.status}`];
  }
  return row.entries.flatMap(({ ref, state, code }) => {
    const wanted: Ending = run.kind === 'article' ? run.urls.get(ref.url ?? '')! : 'done';
    const ended = state === 'cached' ? 'done' : state;
    const isRight = ended === wanted || (wanted === 'either' && (ended === 'done' || ended === 'failed'));
    return isRight ? [] : [`${JSON.stringify(ref)} ended as ${state} (${code}), not as ${wanted}`];
  });
}

async function judgeArticles(sql: Sql, ledger: Ledger, verdict: Verdict): Promise<void> {
  const rows = await sql<{ url: string; title: string; content: string }>(
    `select distinct on (l.ref->>'url', a.key) l.ref->>'url' as url, a.title, a.content from windrow.run_tasks l
     join windrow.articles a on a.key = l.item_key where l.ref->>'url' ~ '/page/[0-9]+(\\?|$)'`,
  );
  const expected = new Set<string>();
  const possible = new Set<string>();
  for (const run of ledger.runs.values()) {
    if (run.kind !== 'article') continue;
    for (const [url, ending] of run.urls) {
      if (ending === 'done' && run.cancelled === 'no') expected.add(url);
      if (ending !== 'failed') possible.add(url);
    }
  }
  const stored = rows.map(({ url }) => url).filter((url) => expected.has(url) || !possible.has(url));
  compare(verdict, 'articles', [...expected], stored);
  for (const { url, title, content } of rows) {
    const page = pageTruth(Number(/\/page\/(\d+)/.exec(url)![1]));
    if (title !== page.title || page.paragraphs.some((text) => !content.includes(text)))
      verdict.wrong.push(`article ${url} is not what the page says: ${title}`);
  }
}

async function judgeCompanies(sql: Sql, ledger: Ledger, verdict: Verdict): Promise<void> {
  const sessions = await sql<{ run_id: string; status: string; found: number }>(
    'select run_id, status, found from windrow.sessions',
  );
  const byRun = new Map(sessions.map((row) => [row.run_id, row]));
  const positions = new Map<string, number>();
  for (const [runId, run] of ledger.runs) {
    if (run.kind !== 'company') continue;
    positions.set(run.company, run.positions);
    const session = byRun.get(runId);
    if (session?.status !== 'completed' || session.found !== run.positions)
      verdict.wrong.push(
        `the session of ${runId} is ${JSON.stringify(session)}, with ${run.positions} positions to be found`,
      );
  }
  const rows = await sql<{ name: string; key: string }>(
    'select c.name, p.external_id as key from windrow.positions p join windrow.companies c on c.id = p.company_id where p.active',
  );
  for (const [company, count] of positions) {
    const keys = rows.filter(({ name }) => name === company).map(({ key }) => key);
    verdict.itemsExpected += count;
    verdict.itemsStored += keys.length;
    if (new Set(keys).size < keys.length) verdict.doubled.push(`positions of ${company} are there twice`);
    if (new Set(keys).size !== count) verdict.lost.push(`${company} has ${keys.length} positions and not ${count}`);
  }
}

async function judgeSearch(
  world: SoakWorld,
  { runId, run, faults, verdict }: { runId: string; run: SearchRun; faults: Struck[]; verdict: Verdict },
): Promise<void> {
  const { json } = await world.client.get(`/jobs/scrape/${runId}?limit=1000`);
  const data = json.data as { status: string; started_at: string; finished_at: string; jobs: { job_hash: string }[] };
  const found = data.jobs.map((job) => job.job_hash);
  if (data.status === 'partial' || data.status === 'failed') {
    const [start, end] = [data.started_at, data.finished_at].map((time) => Date.parse(time) - performance.timeOrigin);
    const isExcused = faults.some(
      ({ breaksBoards, beganMs, endedMs }) => breaksBoards && start! < endedMs + BOARD_SLACK_MS && end! > beganMs,
    );
    if (isExcused) return compare(verdict, `search ${runId}`, [...new Set(found)], found);
  }
  if (data.status !== 'succeeded') verdict.wrong.push(`search ${runId} is ${data.status}`);
  compare(verdict, `search ${runId}`, run.postings, found);
}

async function judgeCart(world: SoakWorld, runId: string, run: CartRun, verdict: Verdict): Promise<void> {
  const { json } = await world.client.get(`/results/${runId}`);
  const results = (json.results ?? {}) as Record<string, { title: string }[]>;
  if (json.status !== 'complete' || json.errors)
    verdict.wrong.push(`cart ${runId} is ${JSON.stringify(json).slice(0, 200)}`);
  for (const item of run.items) {
    const known = offersOf(item, { seed: 0, nowMs: NOW_MS, zip: run.zipcode }).map((offer) => offer.title);
    const found = results[item] ?? [];
    const count = Math.min(CART_SIZE, known.length);
    verdict.itemsExpected += count;
    verdict.itemsStored += found.length;
    if (new Set(found.map((product) => JSON.stringify(product))).size < found.length)
      verdict.doubled.push(`cart ${runId}: ${item}`);
    if (found.length < count) verdict.lost.push(`cart ${runId}: ${found.length} of ${count} products for ${item}`);
    if (found.length > count || found.some(({ title }) => !known.includes(title)))
      verdict.wrong.push(`cart ${runId}: products for ${item} that the shop does not have`);
  }
}

/** One event for each run, whatever became of it. */
function judgeEvents(world: SoakWorld, ledger: Ledger, verdict: Verdict): void {
  const byRun = Map.groupBy(world.receiver.accepted.values(), ({ runId }) => runId);
  for (const runId of ledger.runs.keys()) {
    const events = byRun.get(runId)?.length ?? 0;
    if (events === 0) verdict.lost.push(`nobody was told that ${runId} has ended`);
    if (events > 1) verdict.doubled.push(`${runId} has ended ${events} times for the receiver of webhooks`);
  }
}
