// `windrow scrape indeed "software engineer"`: searches one board or several, without a server. Progress bars on a terminal, a table or data on
// stdout. Results of some sites are a success (0, with a warning about the others); it fails (1) only when every site failed.

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import type { Command } from 'commander';
import { onInterrupt } from '../../../compose/process/interrupts.ts';
import { scrapingOf } from '../../../library/options/web-options.ts';
import type { Outcome } from '../../../library/run/run-task.ts';
import { createScrape } from '../../../library/run/scrape.ts';
import { csvLine } from '../../../model/csv.ts';
import { AppError } from '../../../model/errors.ts';
import type { Posting } from '../../../model/posting/posting.ts';
import { POSTING_COLUMNS } from '../../../model/posting/posting-columns.ts';
import type { Source } from '../../../sources/define.ts';
import { command, takesSettings } from '../../command.ts';
import { flagsFrom } from '../../settings/flags.ts';
import { loadConfig } from '../../settings/load.ts';
import { formatOf } from '../../terminal/formats.ts';
import { postingRows } from '../../terminal/posting-table.ts';
import { bar, paceText } from '../../terminal/progress.ts';
import { createTerminal, type Terminal } from '../../terminal/terminal.ts';
import { boardTasks, withSearchOptions } from './board-options.ts';
import { type SiteState, siteStates, statusOf } from './board-run.ts';

const REDRAW_MS = 120;

export const makeBoards = (boards: readonly Source[]): Command[] => boards.map((board) => makeBoard(board, boards));

const makeBoard = ({ name, title }: Source, boards: readonly Source[]): Command =>
  takesSettings(
    withSearchOptions(
      command({
        name,
        about: `Searches ${title} for job postings.`,
        examples: [
          [`windrow scrape ${name} "software engineer" --location "San Francisco, CA" --results 50`, 'as a table'],
          [
            `windrow scrape ${name} nurse --sites ${name === 'linkedin' ? 'indeed' : 'linkedin'} --csv out.csv`,
            'two sites, all rows in a file',
          ],
          [
            `windrow scrape ${name} "data engineer" --remote --hours-old 24 --description --ndjson`,
            'one line per posting, while it runs',
          ],
        ],
        notes: `Sites: ${boards.map((source) => source.name).join(', ')}. Sites that need a key take it from SOURCE_SETTINGS.
Exit code 0 when at least one site answered (failed sites are reported on stderr), 1 when every site failed, 2 when the search is not valid.`,
      }),
    )
      .argument('<search>', 'search term')
      .option('--sites <names>', 'more sites to search, separated by commas')
      .option('--ndjson', 'write one JSON object per line, while it runs')
      .option('--csv [file]', 'write CSV to a file, or to stdout'),
    ['scrapeTimeoutSeconds', 'maxRetryAttempts', 'webHostMap', 'webAllowPrivate'],
  ).action((search: string, options: Record<string, unknown>) => scrapeBoards(name, search, options, boards));

async function scrapeBoards(
  site: string,
  term: string,
  options: Record<string, unknown>,
  boards: readonly Source[],
): Promise<void> {
  const format = formatOf(options);
  const terminal = createTerminal({ json: format === 'json' });
  const config = loadConfig({
    flags: flagsFrom(options),
    file: options.config as string | undefined,
    warn: (line) => terminal.say(`warning: ${line}`),
  });
  const tasks = await boardTasks(site, term, options, boards);
  const file = typeof options.csv === 'string' && options.csv !== '-' ? await openFile(options.csv) : null;
  const postings: Posting[] = [];
  const row = (cells: readonly unknown[]): void => {
    const line = csvLine(cells);
    if (file) file.write(line);
    else terminal.out(line.slice(0, -2));
  };
  if (format === 'csv') row(POSTING_COLUMNS);

  const stop = new AbortController();
  const release = onInterrupt(() => stop.abort(new AppError('cancelled')));
  // A full disk ends the search: the remaining rows would be lost.
  file?.on('error', (error) => stop.abort(cannotWrite(String(options.csv), error)));
  const outcomes = new Map<string, Outcome>();
  const scrape = createScrape({
    tasks,
    concurrency: tasks.length,
    ...scrapingOf(config),
    toItem: (item) => item as Posting,
    signal: stop.signal,
    onOutcome: (outcome) => void outcomes.set(outcome.task.source.name, outcome),
  });
  const started = performance.now();
  const draw = () => terminal.progress(siteStates(scrape.progress.sites, outcomes).map((one) => siteBar(one, started)));
  const clock = terminal.isWatched ? setInterval(draw, REDRAW_MS) : undefined;
  draw();
  try {
    for await (const posting of scrape) {
      if (format === 'ndjson') terminal.out(JSON.stringify(posting));
      else if (format === 'csv') row(POSTING_COLUMNS.map((column) => posting[column]));
      // Only what is shown at the end is kept.
      if (format === 'json' || format === 'text' || file) postings.push(posting);
    }
  } catch (error) {
    // Interrupted: what was found is shown all the same.
    if (error !== stop.signal.reason) throw error;
  } finally {
    clearInterval(clock);
    release();
    terminal.progress(null);
    if (file) await closeFile(file);
  }
  if (stop.signal.reason instanceof AppError && stop.signal.reason.code !== 'cancelled') throw stop.signal.reason;
  const sites = siteStates(scrape.progress.sites, outcomes).map(interrupted);
  const status = statusOf(sites);
  if (format === 'json') terminal.document(documentOf(sites, postings, status));
  if ((format === 'text' || file) && postings.length > 0) terminal.table(postingRows(postings));
  if (format !== 'json') {
    report(sites, terminal);
    if (file) terminal.say(`${postings.length} rows in ${String(options.csv)}`);
  }
  if (stop.signal.aborted) process.exitCode = 130;
  else if (status === 'failed') process.exitCode = 1;
}

/** `indeed    [██████      ] 12/50 · 3.1 s` */
function siteBar({ site, found, wanted, state, error }: SiteState, started: number): string {
  const seconds = (performance.now() - started) / 1_000;
  const pace = paceText({ done: found, left: wanted - found, seconds });
  const how =
    state === 'running'
      ? [`${seconds.toFixed(1)} s`, pace].filter((text) => text !== '').join(' · ')
      : state === 'done'
        ? 'done'
        : `failed: ${error?.message ?? 'interrupted'}`;
  return `${site.padEnd(13)} ${state === 'done' ? bar(1, 1) : bar(found, wanted)} ${found}/${wanted} · ${how}`;
}

/** Sites that have not ended by now were interrupted. */
const interrupted = (site: SiteState): SiteState => (site.state === 'running' ? { ...site, state: 'failed' } : site);

function report(sites: readonly SiteState[], terminal: Terminal): void {
  for (const { site, found, error, state, warnings } of sites) {
    for (const warning of warnings) terminal.say(`${terminal.style('yellow', 'warning')} ${site}: ${warning}`);
    if (state === 'failed') {
      const kept = found > 0 ? ` (after ${found} postings)` : '';
      terminal.say(`${terminal.style('red', 'failed')} ${site}: ${error?.message ?? 'interrupted'}${kept}`);
    }
  }
  const total = sites.reduce((sum, site) => sum + site.found, 0);
  const failed = sites.filter((site) => site.state === 'failed').length;
  terminal.say(
    `${total} ${total === 1 ? 'posting' : 'postings'} from ${sites.length - failed} of ${sites.length} ${sites.length === 1 ? 'site' : 'sites'}`,
  );
}

const documentOf = (sites: readonly SiteState[], jobs: Posting[], status: string) => ({
  status,
  jobs_found: jobs.length,
  sites: sites.map(({ site, state, found, error, warnings, metadata }) => ({
    site_name: site,
    status: state,
    jobs_found: found,
    error: error && { category: error.category, code: error.code, message: error.message },
    warnings,
    requests_made: metadata?.requests_made ?? 0,
    proxy_used: metadata?.proxy_used ?? null,
  })),
  jobs,
});

/** Opened before anything is fetched: a file that cannot be written is known at once. */
async function openFile(path: string): Promise<WriteStream> {
  const file = createWriteStream(path);
  try {
    await once(file, 'open');
  } catch (error) {
    throw cannotWrite(path, error);
  }
  return file;
}

const cannotWrite = (path: string, error: unknown): AppError =>
  new AppError('invalid_usage', `Cannot write ${path} (${(error as NodeJS.ErrnoException).code ?? error}).`, {
    cause: error,
  });

async function closeFile(file: WriteStream): Promise<void> {
  if (file.destroyed) return;
  file.end();
  // An error has its own listener.
  await new Promise<void>((resolve) => file.once('close', resolve));
}
