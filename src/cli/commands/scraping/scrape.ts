// `windrow scrape article <url>…` (searches of boards are in scrape-board.ts), without server and store. Data goes to stdout while it runs, everything
// else to stderr. It fails (1) only when every URL failed: of many pages some always do.
import { Command, Option } from 'commander';
import { onInterrupt } from '../../../compose/process/interrupts.ts';
import { scrapingOf } from '../../../library/options/web-options.ts';
import type { Outcome, Task } from '../../../library/run/run-task.ts';
import { createScrape } from '../../../library/run/scrape.ts';
import { articleTask } from '../../../library/scrape-articles.ts';
import { AppError } from '../../../model/errors.ts';
import type { Article } from '../../../model/item/article.ts';
import { createRegistry, type SourceRegistry } from '../../../source-modules/registry.ts';
import { toTaskError } from '../../../worker/attempt.ts';
import { command, takesSettings } from '../../command.ts';
import { loadEarlyModules } from '../../settings/early-modules.ts';
import { flagsFrom } from '../../settings/flags.ts';
import { loadConfig } from '../../settings/load.ts';
import { addressLines, checkAddresses, readInput } from '../../terminal/addresses.ts';
import { formatOf } from '../../terminal/formats.ts';
import { progressBar } from '../../terminal/progress.ts';
import { createTerminal, type Terminal } from '../../terminal/terminal.ts';
import { makeBoards } from './scrape-board.ts';
import { type ArticleWriter, articleAs, articleWriter } from './scrape-format.ts';
import { makeSource } from './scrape-source.ts';

export const make = async () => {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const registry = createRegistry(await loadEarlyModules(process.argv, say));
  const made = new Command('scrape')
    .description('Scrapes pages or job sites without a server, and prints the result.')
    .addHelpText(
      'after',
      `
Examples:
  windrow scrape article https://example.com/story --json
  windrow scrape indeed "software engineer" --location "San Francisco, CA" --results 50
  windrow scrape greenhouse board=acme --csv > acme.csv`,
    );
  const others = registry.all.filter((source) => source.name !== 'article' && !registry.boards.includes(source));
  for (const one of [makeArticle(registry), ...makeBoards(registry.boards), ...others.map(makeSource)])
    made.addCommand(one);
  return made;
};

const makeArticle = (registry: SourceRegistry) =>
  takesSettings(
    command({
      name: 'article',
      about: 'Extracts title, text, author and date of articles.',
      examples: [
        ['windrow scrape article https://example.com/story', 'as text'],
        ['windrow scrape article https://example.com/a https://example.com/b --json', 'one JSON document'],
        ['windrow scrape article https://example.com/story --markdown > story.md', 'as Markdown'],
        ['windrow scrape article -f urls.txt --csv > articles.csv', 'many pages, as CSV'],
        ['cat urls.txt | windrow scrape article -f - --ndjson', 'one line per page, while it runs'],
      ],
      notes:
        'Failed pages are reported on stderr (with --json: in "failed_articles"). Exit code 0 when at least one page was scraped, 1 when none was.',
    })
      .argument('[urls...]', 'URLs of pages')
      .option('-f, --file <path>', 'read URLs from a file, one per line. - is standard input')
      .option('--ndjson', 'write one JSON object per line, while it runs')
      .option('--csv', 'write CSV with a header line')
      .addOption(new Option('--markdown', 'write the text as Markdown').conflicts('html'))
      .addOption(new Option('--html', 'write the text as clean HTML')),
    ['scrapeTimeoutSeconds', 'workerConcurrency', 'maxRetryAttempts', 'webHostMap', 'webAllowPrivate'],
  ).action((urls: string[], options: Options) => scrapeArticles(urls, options, registry));

interface Options extends Record<string, unknown> {
  file?: string;
  markdown?: boolean;
  html?: boolean;
}

async function scrapeArticles(given: string[], options: Options, registry: SourceRegistry): Promise<void> {
  const format = formatOf(options);
  const textFormat = options.markdown ? 'markdown' : options.html ? 'html' : 'text';
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
  const writer = articleWriter(format, terminal, textFormat);
  const count = { completed: 0, failed: 0, total: urls.length };
  terminal.progress(progressBar(count));
  const scrape = createScrape({
    tasks: urls.map((url) => taskOf(url, registry)),
    concurrency: config.workerConcurrency,
    ...scrapingOf(config),
    toItem: (item) => articleAs(textFormat, item as Article),
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

/** With the source that reads this host's pages better than the one for any page, where there is one. */
function taskOf(url: string, { articleSourceOf, get }: SourceRegistry): Task {
  const own = get(articleSourceOf?.(new URL(url).hostname) ?? '');
  return own === undefined ? articleTask(url) : { ...articleTask(url), source: own };
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
