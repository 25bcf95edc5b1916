// Searches of job boards with several pages, by hand and by schedules. What a search has to bring is what the source reads from the same boards
// while nothing is broken.

import type { Posting } from '../../../src/model/posting/posting.ts';
import { BOARD_SOURCES } from '../../../src/sources/boards/index.ts';
import { createWeb } from '../../../src/web/web.ts';
import type { SoakWorld } from '../world.ts';
import { type Load, repeat, submitOnce } from './load.ts';

interface Search {
  site_name: string[];
  search_term: string;
  results_wanted: number;
}

const SITES = ['linkedin', 'bayt', 'bdjobs'];
const TERMS = ['engineer', 'nurse', 'analyst', 'manager', 'designer', 'developer'];
const SEARCHES: Search[] = TERMS.flatMap((search_term, n) => [
  { site_name: [SITES[n % 3]!], search_term, results_wanted: 25 + 5 * n },
  { site_name: [SITES[(n + 1) % 3]!, SITES[(n + 2) % 3]!], search_term, results_wanted: 30 },
]);
const SCHEDULES: Search[] = [
  { site_name: ['bayt'], search_term: 'accountant', results_wanted: 25 },
  { site_name: ['bdjobs'], search_term: 'teacher', results_wanted: 25 },
  { site_name: ['linkedin'], search_term: 'writer', results_wanted: 15 },
];

/** A search → what it has to bring. */
export type Truth = Map<string, string[]>;
const keyOf = (search: Search): string => JSON.stringify(search);

export async function searchTruth(world: SoakWorld): Promise<Truth> {
  const webs = createWeb({
    hostMap: `*=${world.sandbox.origin}`,
    robots: 'off',
    timeoutMs: 60_000,
    maxPaceWaitMs: 60_000,
  });
  const truth: Truth = new Map();
  try {
    for (const search of [...SEARCHES, ...SCHEDULES]) {
      const found: string[] = [];
      for (const name of search.site_name) {
        const source = BOARD_SOURCES.find((one) => one.name === name)!;
        const web = webs.forAttempt({
          signal: AbortSignal.timeout(120_000),
          source: name,
          pace: { concurrency: 4, delayMs: 0 },
          policy: source.policy ?? {},
        });
        const { site_name: _, ...params } = search;
        for await (const posting of source.scrape(source.params.parse(params), web))
          found.push((posting as Posting).job_hash);
      }
      truth.set(keyOf(search), found);
    }
  } finally {
    await webs.close();
  }
  return truth;
}

export const searches =
  (truth: Truth): Load =>
  (context) =>
    repeat(context, 4_000, async (random) => {
      const search = random.pick(SEARCHES);
      const runId = await submitOnce(context, random, {
        path: '/jobs/scrape',
        body: search,
        idOf: (json) => (json.data as { run_id?: string } | undefined)?.run_id,
      });
      if (runId !== undefined) context.ledger.add(runId, { kind: 'search', postings: truth.get(keyOf(search))! });
    });

/** Schedules that come due when the seed says so, which is more often than every minute. */
export const schedules: Load = async (context) => {
  const ids: string[] = [];
  for (const [n, { site_name, ...payload }] of SCHEDULES.entries()) {
    const body = { site_name: site_name[0], interval_minutes: 60, payload };
    const { json } = await context.world.client.post('/schedules', body, `soak-schedule-${n}`);
    ids.push(String(json.id));
  }
  await repeat(context, 6_000, async (random) => {
    const id = random.pick(ids);
    await context.world.sql((sql) => sql('update windrow.schedules set next_run_at = now() where id = $1', [id]));
  });
};

/** What a run of this schedule has to bring. */
export const scheduledTruth = (truth: Truth, site: string): string[] =>
  truth.get(keyOf(SCHEDULES.find(({ site_name }) => site_name[0] === site)!))!;
