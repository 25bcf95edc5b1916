// `windrow run <id>`, which is `windrow runs show <id>`: status and results of a run.

import { type Client, clientCommand, configuredClient, type Job, type Results } from '../../client/client.ts';
import { follow } from '../../client/follow.ts';
import { runWord } from '../../client/run-word.ts';
import { formatOf, streamOut } from '../../terminal/formats.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { progressBar } from '../../terminal/progress.ts';
import { createTerminal, type Terminal } from '../../terminal/terminal.ts';
import { followCrawl, isCrawlRun, isMapRun, showCrawl, showMap } from '../crawling/crawl-run.ts';
import { followCart, isCartRun, showCart } from './cart-run.ts';
import { followSearch, isSearchRun, searchRunPath, showSearch } from './search-run.ts';

interface Options extends Record<string, unknown> {
  limit: number;
  watch?: boolean;
  json?: boolean;
  ndjson?: boolean;
  csv?: boolean;
}

export const make = () => showCommand('run');

/** `line`: as it is typed. */
export const showCommand = (line: string) =>
  clientCommand({
    name: line.split(' ').at(-1)!,
    about: 'Shows the status and the results of a run.',
    examples: [
      [`windrow ${line} job_a1b2c3d4e5f6`, 'status, titles and failures'],
      [`windrow ${line} job_a1b2c3d4e5f6 --watch`, 'wait until it has ended first'],
      [`windrow ${line} job_a1b2c3d4e5f6 --csv > articles.csv`, 'all results as CSV (or --ndjson)'],
      [`windrow ${line} manual_a1b2c3d4e5f60718`, 'a job search: status of each site, and postings'],
      [`windrow ${line} 7b0c8f0e-6a55-4f7e-9b0f-0d3c8f6f2b1a`, 'a cart: the products of each item'],
      [`windrow ${line} crawl_a1b2c3d4e5f60718`, 'a crawl: how far it is, and its pages'],
      [`windrow ${line} job_a1b2c3d4e5f6 --json | jq .results[0].title`, 'status and first results as JSON'],
    ],
  })
    .argument('<id>', 'run id')
    .option('-w, --watch', 'wait until the run has ended first')
    .option(
      '-n, --limit <number>',
      'maximum number of results (--ndjson and --csv return all)',
      wholeNumber(1, 1_000),
      20,
    )
    .option('--ndjson', 'all results, one JSON object per line')
    .option('--csv', 'all results as CSV')
    .action(async (id: string, options: Options) => {
      const format = formatOf(options);
      const terminal = createTerminal({ json: format !== 'text' });
      const client = await configuredClient(options, terminal);
      if (isCartRun(id)) {
        if (options.watch) await followCart(client, id, terminal);
        if (process.exitCode !== 130) await showCart(client, id, terminal, { format, limit: options.limit });
        return;
      }
      if (isCrawlRun(id)) {
        if (options.watch) await followCrawl(client, id, terminal);
        if (process.exitCode !== 130) await showCrawl(client, id, terminal, { format, limit: options.limit });
        return;
      }
      if (isMapRun(id)) return showMap(client, id, terminal, { format, limit: options.limit });
      const isSearch = isSearchRun(id);
      if (options.watch) await (isSearch ? followSearch(client, id, terminal) : follow(client, id, terminal, false));
      if (process.exitCode === 130) return;
      const path = `/jobs/${encodeURIComponent(id)}`;
      if (format === 'ndjson' || format === 'csv')
        return streamOut(client, isSearch ? searchRunPath(id) : `${path}/results`, format);
      if (isSearch) return showSearch(client, id, terminal, options);
      const job = await client.get<Job>(`${path}/status`);
      const results = await client.get<Results>(`${path}/results?limit=${options.limit}`);
      if (options.json) terminal.document({ ...job, ...results });
      else showRun(terminal, client, job, results);
    });

function showRun(terminal: Terminal, client: Client, job: Job, results: Results): void {
  terminal.out(`${job.job_id}  ${runWord(job.status, job.failed)}`);
  terminal.out(progressBar({ completed: job.completed, failed: job.failed, total: job.total_articles }));
  if (job.waiting) terminal.out(`waiting: ${job.waiting.message}`);
  for (const result of results.results) {
    terminal.out(`  ${result.title ?? '(no title)'}${result.cached ? ' (reused)' : ''}`);
    terminal.out(`    ${result.url} · ${result.content?.length ?? 0} characters`);
  }
  for (const failed of results.failed_articles)
    terminal.out(
      `  failed: ${failed.url}: ${failed.error} (${failed.attempts} ${failed.attempts === 1 ? 'attempt' : 'attempts'})`,
    );
  if (results.next_cursor !== null)
    terminal.say(
      `Show more with --limit, or all with --ndjson or --csv. API: ${client.origin}/jobs/${job.job_id}/results`,
    );
}
