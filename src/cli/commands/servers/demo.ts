// `windrow demo`: a demo in 30 seconds. Starts Windrow in a temporary folder on the sandbox web, scrapes some pages, some of them with faults, shows the
// results, and cleans up. It does not use the internet and leaves no files.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitOnUncaughtError, live } from '../../../compose/process/lifetime.ts';
import { processMetrics } from '../../../compose/process/metrics.ts';
import { processName } from '../../../compose/process/name.ts';
import { createLog } from '../../../observe/log.ts';
import { NO_MODULES } from '../../../source-modules/load.ts';
import { type Client, createClient, type Job, type Results, type Submitted } from '../../client/client.ts';
import { runWord } from '../../client/run-word.ts';
import { watchRun } from '../../client/watch.ts';
import { command } from '../../command.ts';
import { startEverything } from '../../process/everything.ts';
import { loadConfig } from '../../settings/load.ts';
import { progressBar } from '../../terminal/progress.ts';
import { createTerminal, type Terminal } from '../../terminal/terminal.ts';

const SITES = ['harbour-courier', 'orchard-review', 'fieldnotes-blog', 'metro-shouter', 'plain-divs', 'old-gazette'];
/** Pages with faults: a success after a retry, or a failure with a reason. */
const TROUBLE = ['?fault=404', '?fault=500-then-ok:1', '?fault=captcha', '?fault=slow:800'];

export const make = () =>
  command({
    name: 'demo',
    about: 'A demo in 30 seconds: starts Windrow on a sandbox web, scrapes articles, shows the results, cleans up.',
    examples: [
      ['windrow demo', 'needs no internet and leaves no files'],
      ['windrow demo --json', 'results as JSON'],
    ],
  }).action(async (options: { json?: boolean }) => {
    const terminal = createTerminal({ json: Boolean(options.json) });
    process.exit(await tour(terminal, Boolean(options.json)));
  });

async function tour(terminal: Terminal, isJson: boolean): Promise<number> {
  const home = await mkdtemp(join(tmpdir(), 'windrow-demo-'));
  // Retries come soon here; a CAPTCHA does not go away by waiting.
  const config = {
    ...loadConfig({ flags: { home, port: '0', maxRetryAttempts: '1', retryWaits: 'all=1s' } }),
    databaseUrl: undefined,
    redisUrl: undefined,
    apiKeys: undefined,
  };
  const log = createLog({ level: 'error' });
  exitOnUncaughtError(log);
  let outcome = 1;
  try {
    const code = await live(log, async (life) => {
      const name = processName('demo');
      terminal.say('Starting a database, an API, an orchestrator, a worker and a sandbox web…');
      const started = performance.now();
      const { url } = await startEverything(
        { config, log, life, name, modules: NO_MODULES, metrics: processMetrics() },
        { sandbox: true, worker: true },
      );
      terminal.say(`Ready after ${seconds(started)}. Dashboard while the demo runs: ${url}`);
      outcome = await scrapeSome(createClient(url), terminal, isJson, life.signal);
      life.finish();
    });
    return code || outcome;
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    terminal.say(`Everything was stopped and removed.${outcome === 0 ? ' Your turn: npx windrow up' : ''}`);
  }
}

async function scrapeSome(client: Client, terminal: Terminal, isJson: boolean, signal: AbortSignal): Promise<number> {
  const articles = Array.from({ length: 48 }, (_, i) => ({
    url: `https://${SITES[i % SITES.length]}.example/news/story-${i + 1}${i % 12 === 11 ? TROUBLE[Math.floor(i / 12)] : ''}`,
  }));
  terminal.say(
    `\nSubmitting ${articles.length} articles from ${SITES.length} sites, ${TROUBLE.length} of them with faults:`,
  );
  terminal.say(`  POST ${client.origin}/jobs/submit`);
  const { job_id: id } = await client.submit<Submitted>('/jobs/submit', { articles });
  const started = performance.now();
  const final = await watchRun(
    client,
    id,
    (state) => terminal.progress(`  ${progressBar(state)} · ${seconds(started)}`),
    signal,
  );
  terminal.progress(null);
  if (!final) return 130;
  terminal.say(`  ${progressBar(final)} · ${seconds(started)} · ${runWord(final.status, final.failed)}`);
  const job = await client.get<Job>(`/jobs/${id}/status`);
  const results = await client.get<Results>(`/jobs/${id}/results`);
  if (isJson) terminal.document({ ...job, ...results });
  else show(terminal, client, id, results);
  return final.status === 'COMPLETED' ? 0 : 1;
}

function show(terminal: Terminal, client: Client, id: string, { results, failed_articles: failures }: Results): void {
  terminal.say(`\nResults (GET ${client.origin}/jobs/${id}/results), the first of ${results.length}:`);
  for (const { title, url, content } of results.slice(0, 5)) {
    terminal.out(`  ${title ?? '(no title)'}`);
    terminal.out(`    ${url} · ${content?.length ?? 0} characters: ${excerpt(content)}`);
  }
  if (failures.length > 0) terminal.say('\nFailed articles:');
  for (const { url, error, attempts } of failures)
    terminal.out(`  ${url}: ${error} (${attempts} ${attempts === 1 ? 'attempt' : 'attempts'})`);
  terminal.say('');
}

const excerpt = (text: string | null): string => `${(text ?? '').replace(/\s+/g, ' ').slice(0, 60)}…`;
const seconds = (since: number): string => `${((performance.now() - since) / 1_000).toFixed(1)} s`;
