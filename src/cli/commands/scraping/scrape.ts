// `windrow scrape article <url>…` (searches of boards are in scrape-board.ts), without server and store. Data goes to stdout while it runs, everything
// else to stderr. It fails (1) only when every URL failed: of many pages some always do.
import { Command } from 'commander';
import { onInterrupt } from '../../../compose/process/interrupts.ts';
import { scrapingOf } from '../../../library/options/web-options.ts';
import type { Outcome } from '../../../library/run/run-task.ts';
import { createScrape } from '../../../library/run/scrape.ts';
import { articleTask } from '../../../library/scrape-articles.ts';
import { AppError } from '../../../model/errors.ts';
import type { Article } from '../../../model/item/article.ts';
import { toTaskError } from '../../../worker/attempt.ts';
import { command, takesSettings } from '../../command.ts';
import { flagsFrom } from '../../settings/flags.ts';
import { loadConfig } from '../../settings/load.ts';
import { addressLines, checkAddresses, readInput } from '../../terminal/addresses.ts';
import { formatOf } from '../../terminal/formats.ts';
import { createTerminal, progressBar, type Terminal } from '../../terminal/terminal.ts';
import { makeBoards } from './scrape-board.ts';
import { type ArticleWriter, articleWriter } from './scrape-format.ts';

export const make = () => {
  const made = new Command('scrape')
    .description('Scrapes pages or job sites without a server, and prints the result.')
    .addHelpText(
      'after',
      `
Examples:
  windrow scrape article https://example.com/story --json
  windrow scrape indeed "software engineer" --location "San Francisco, CA" --results 50`,
    );
  for (const one of [makeArticle(), ...makeBoards()]) made.addCommand(one);
  return made;
};

const makeArticle = () =>
  takesSettings(
    command({
      name: 'article',
      about: 'Extracts title, text, author and date of articles.',
      examples: [
        ['windrow scrape article https://example.com/story', 'as text'],
        ['windrow scrape article https://example.com/a https://example.com/b --json', 'one JSON document'],
        ['windrow scrape article -f urls.txt --csv > articles.csv', 'many pages, as CSV'],
        ['cat urls.txt | windrow scrape article -f - --ndjson', 'one line per page, while it runs'],
      ],
      notes:
        'Failed pages are reported on stderr (with --json: in "failed_articles"). Exit code 0 when at least one page was scraped, 1 when none was.',
    })
      .argument('[urls...]', 'URLs of pages')
      .option('-f, --file <path>', 'read URLs from a file, one per line. - is standard input')
      .option('--ndjson', 'write one JSON object per line, while it runs')
      .option('--csv', 'write CSV with a header line'),
    ['scrapeTimeoutSeconds', 'workerConcurrency', 'maxRetryAttempts', 'webHostMap', 'webAllowPrivate'],
  ).action(scrapeArticles);

interface Options extends Record<string, unknown> {
  file?: string;
}

async function scrapeArticles(given: string[], options: Options): Promise<void> {
  const format = formatOf(options);
  const terminal = createTerminal({ json: format === 'json' });
  const config = loadConfig({
    flags: flagsFrom(options),
    file: options.config as string | undefined,
    warn: (line) => terminal.say(`warning: ${line}`),
  });
  const urls = [...given, ...(options.file ? addressLines(await readInput(options.file)) : [])];
  if (urls.length === 0)
    throw new AppError('invalid_usage', 'No URL given. Try: windrow scrape article https://example.com/story');
  checkAddresses(urls);

  const stop = new AbortController();
  const release = onInterrupt(() => stop.abort(new AppError('cancelled')));
  const writer = articleWriter(format, terminal);
  const count = { completed: 0, failed: 0, total: urls.length };
  terminal.progress(progressBar(count));
  const scrape = createScrape({
    tasks: urls.map(articleTask),
    concurrency: config.workerConcurrency,
    ...scrapingOf(config),
    toItem: (item) => item as Article,
    signal: stop.signal,
    onOutcome: (outcome) => countOutcome(outcome, { count, writer, terminal, isQuiet: format === 'json' }),
  });
  try {
    for await (const article of scrape) writer.article(article);
  } catch (error) {
    // Interrupted: what was found is shown all the same.
    if (error !== stop.signal.reason) throw error;
  } finally {
    release();
  }
  terminal.progress(null);
  writer.end();
  if (urls.length > 1 && format !== 'json') terminal.say(`${count.completed} scraped, ${count.failed} failed`);
  if (stop.signal.aborted) process.exitCode = 130;
  else if (count.completed === 0) process.exitCode = 1;
}

interface Counting {
  count: { completed: number; failed: number; total: number };
  writer: ArticleWriter;
  terminal: Terminal;
  isQuiet: boolean;
}

function countOutcome({ task, error, attempts }: Outcome, { count, writer, terminal, isQuiet }: Counting): void {
  const url = String(task.target);
  if (error) {
    count.failed++;
    writer.failed({ url, ...toTaskError(error), attempts });
    if (!isQuiet) terminal.say(`${terminal.style('red', 'failed')} ${url}: ${error.message}`);
  } else count.completed++;
  terminal.progress(progressBar(count));
}
