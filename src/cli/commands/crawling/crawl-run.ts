// Crawls and maps on the command line: how far one is, its pages, the addresses of a map.
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import type { CrawlPages, CrawlStatus, SiteMap } from '../../../api/crawls/schemas.ts';
import { AppError } from '../../../model/errors.ts';
import type { Client } from '../../client/client.ts';
import { watching } from '../../client/watching.ts';
import { type Format, streamOut } from '../../terminal/formats.ts';
import { bar } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';

type Crawl = z.infer<typeof CrawlStatus>;
type Pages = z.infer<typeof CrawlPages>;
export type SiteUrls = z.infer<typeof SiteMap>;

const POLL_MS = 500;

export const isCrawlRun = (id: string): boolean => id.startsWith('crawl_');
export const isMapRun = (id: string): boolean => id.startsWith('map_');

const pathOf = (id: string, after = ''): string => `/crawl/${encodeURIComponent(id)}${after}`;

/** Waits for its end. Ctrl-C stops waiting, never the run. */
export const followCrawl = (client: Client, id: string, terminal: Terminal): Promise<void> =>
  watching(id, terminal, async (signal) => {
    while (!signal.aborted) {
      const crawl = await client.get<Crawl>(pathOf(id));
      terminal.progress([progressOf(crawl), ...(crawl.waiting ? [crawl.waiting.message] : [])]);
      if (crawl.status !== 'running') {
        if (crawl.status === 'failed' || crawl.status === 'cancelled') process.exitCode = 1;
        return true;
      }
      await sleep(POLL_MS, undefined, { signal }).catch(() => {});
    }
    return false;
  });

function progressOf({ pages, depth, estimated_seconds: left }: Crawl): string {
  const ended = pages.done + pages.failed;
  const parts = [`${bar(ended, pages.found)} ${ended} of ${pages.found} pages found`, `depth ${depth}`];
  if (pages.failed > 0) parts.push(`${pages.failed} failed`);
  if (left !== null && left > 0) parts.push(`about ${left} s left`);
  return parts.join(' · ');
}

interface Shown {
  format: Format;
  limit: number;
}

export async function showCrawl(
  client: Client,
  id: string,
  terminal: Terminal,
  { format, limit }: Shown,
): Promise<void> {
  if (format === 'ndjson' || format === 'csv') return streamOut(client, pathOf(id, '/pages'), format);
  const [crawl, { pages, next_cursor }] = await Promise.all([
    client.get<Crawl>(pathOf(id)),
    client.get<Pages>(pathOf(id, `/pages?limit=${limit}`)),
  ]);
  if (format === 'json') return terminal.document({ ...crawl, results: pages, next_cursor });
  for (const page of pages) {
    const name =
      page.error === null ? (page.article?.title ?? page.title ?? `(${page.outcome})`) : `failed: ${page.error}`;
    terminal.out(`  ${'· '.repeat(page.depth)}${name}`);
    terminal.out(`    ${page.url}`);
  }
  for (const line of summaryOf(crawl)) terminal.say(line);
  if (next_cursor !== null)
    terminal.say(`Show more with --limit, or all with --ndjson or --csv. API: ${client.origin}${pathOf(id, '/pages')}`);
}

function summaryOf(crawl: Crawl): string[] {
  const { pages, run_id, status, waiting } = crawl;
  return [
    `${run_id}  ${status}  ${pages.done} of ${pages.found} pages read, ${pages.failed} failed, depth ${crawl.depth}`,
    ...listed('read', crawl.outcomes),
    ...listed(crawl.left_out_complete ? 'left out' : 'left out (at least)', crawl.left_out),
    ...(waiting ? [`waiting: ${waiting.message}`] : []),
  ];
}

function listed(what: string, counts: Readonly<Record<string, number>>): string[] {
  const some = Object.entries(counts).sort(([, a], [, b]) => b - a);
  return some.length === 0
    ? []
    : [`${what}: ${some.map(([name, n]) => `${n} ${name.replaceAll('_', ' ')}`).join(', ')}`];
}

export async function showMap(client: Client, id: string, terminal: Terminal, { format, limit }: Shown): Promise<void> {
  printMap(terminal, await client.get<SiteUrls>(`/map/${encodeURIComponent(id)}?limit=${limit}`), format);
}

/** One URL a line, for a pipe. */
export function printMap(terminal: Terminal, map: SiteUrls, format: Format): void {
  if (format === 'csv') throw new AppError('invalid_usage', 'A map has no CSV. Use --json or --ndjson.');
  if (format === 'json') terminal.document(map);
  else for (const one of map.urls) terminal.out(format === 'ndjson' ? JSON.stringify(one) : one.url);
  if (map.error !== null) {
    terminal.say(`The first page could not be read: ${map.error}`);
    process.exitCode = 1;
  } else if (map.status === 'running') terminal.say(`Not complete yet. To see more: windrow run ${map.run_id}`);
  else if (map.next_cursor !== null) terminal.say(`There are more: windrow run ${map.run_id} --limit 1000`);
}
