// What a crawl of the maze has to have brought, whatever happened to it: every page of the site, once.

import type { SeededFaults } from '../../../src/sandbox/faults/plan.ts';
import { type Maze, mazePaths } from '../../../src/sandbox/maze/graph.ts';
import type { Sql } from '../invariants.ts';

/** A twentieth of the addresses fails once or twice. Not with an empty page: that is an answer, and its links are lost. */
export const MAZE_FAULTS: SeededFaults = { rate: 0.05, kinds: ['500', '503', 'reset', 'drop', 'truncated'], seed: 7 };

export interface CrawlVerdict {
  status: string;
  /** Pages of the site that were not read. */
  missing: string[];
  failed: string[];
  /** Addresses with more than one task, or stored twice. */
  twice: string[];
  /** Stored articles of the site. */
  articles: number;
}

export async function crawlVerdict(sql: Sql, runId: string, site: Maze): Promise<CrawlVerdict> {
  const [run] = await sql<{ seq: string; status: string }>('select seq, status from windrow.runs where id = $1', [
    runId,
  ]);
  const pages = await sql<{ url: string; state: string }>(
    'select url, state from windrow.crawl_pages where run_seq = $1 and not is_sitemap',
    [run!.seq],
  );
  const read = new Set(pages.filter(({ state }) => state === 'done').map(({ url }) => new URL(url).pathname));
  const tasks = await sql<{ url: string }>(
    `select message->'params'->>'url' as url from windrow.tasks where run_seq = $1 group by 1 having count(*) > 1`,
    [run!.seq],
  );
  const stored = await sql<{ url: string; n: number }>(
    'select url, count(*)::int as n from windrow.articles where url = any($1) group by 1',
    [mazePaths(site).map((path) => `https://${site.host}${path}`)],
  );
  return {
    status: run!.status,
    missing: mazePaths(site).filter((path) => !read.has(path)),
    failed: pages.filter(({ state }) => state === 'failed').map(({ url }) => url),
    twice: [...tasks.map(({ url }) => url), ...stored.filter(({ n }) => n > 1).map(({ url }) => url)],
    articles: stored.length,
  };
}
