// `windrow submit`, which is `windrow articles submit`: submits articles to a running server.
import { AppError } from '../../../model/errors.ts';
import { clientCommand, configuredClient, type Submitted } from '../../client/client.ts';
import { follow } from '../../client/follow.ts';
import { addressLines, readInput } from '../../terminal/addresses.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { createTerminal } from '../../terminal/terminal.ts';

interface Options extends Record<string, unknown> {
  file?: string;
  watch?: boolean;
  maxAge?: number;
  priority?: number;
  idempotencyKey?: string;
  json?: boolean;
}

export const make = () =>
  clientCommand({
    name: 'submit',
    about: 'Submits articles to a running server.',
    examples: [
      ['windrow articles submit https://example.com/a https://example.com/b --watch', 'with progress'],
      [
        'windrow articles submit -f deploy/sample_articles.json --watch',
        'a request body for the API, or a list of URLs',
      ],
      ['cat urls.txt | windrow articles submit -f - --priority 1 --json', 'one URL per line, response as JSON'],
    ],
    notes: `The file is JSON ({"articles":[{"url":…}]}, or an array of URLs or of such objects), or one URL per line.
With --watch the exit code is 0 when the run is COMPLETED and 1 when it FAILED or was CANCELLED. Ctrl-C stops watching, not the run.`,
  })
    .argument('[urls...]', 'URLs of pages')
    .option('-f, --file <path>', 'read the request from a file. - is standard input')
    .option('-w, --watch', 'wait until the run has ended')
    .option(
      '--max-age <seconds>',
      'reuse stored articles up to this age. 0 scrapes all again',
      wholeNumber(0, 2 ** 31 - 1),
    )
    .option('--priority <1-10>', '1 is the highest priority', wholeNumber(1, 10))
    .option('--idempotency-key <key>', 'requests with the same key create only one run')
    .action(async (urls: string[], options: Options) => {
      const terminal = createTerminal({ json: Boolean(options.json) });
      const client = await configuredClient(options, terminal);
      const body = submission(urls, options.file ? await readInput(options.file) : '', options);
      const accepted = await client.submit<Submitted>('/jobs/submit', body, options.idempotencyKey);
      const id = accepted.job_id;
      if (options.json) terminal.document(accepted);
      else {
        const { total_articles: total, new_articles: fresh, cached_articles: cached } = accepted;
        terminal.out(id);
        terminal.say(
          `${total} ${total === 1 ? 'article' : 'articles'} accepted: ${fresh} to scrape, ${cached} already stored.`,
        );
      }
      if (options.watch) await follow(client, id, terminal, Boolean(options.json));
      if (!options.json) terminal.say(`To see the results: windrow run ${id}`);
    });

type ArticleRequest = { url: string; priority?: number };

/** The request body from URLs, lines or JSON. The server validates it. */
export function submission(urls: string[], text: string, options: Pick<Options, 'maxAge' | 'priority'>): object {
  const parsed = parseFile(text);
  const articles = [...urls.map((url) => ({ url })), ...parsed.articles];
  if (articles.length === 0) throw new AppError('invalid_usage', 'Nothing to submit. Give URLs, or a file with -f.');
  return {
    ...parsed.rest,
    articles: articles.map((article) => ({ ...(options.priority ? { priority: options.priority } : {}), ...article })),
    ...(options.maxAge === undefined ? {} : { max_age_seconds: options.maxAge }),
  };
}

function parseFile(text: string): { articles: ArticleRequest[]; rest: object } {
  if (!/^\s*[[{]/.test(text)) return { articles: addressLines(text).map((url) => ({ url })), rest: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new AppError('invalid_usage', `The file is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
  if (Array.isArray(value)) return { articles: value.map(asArticle), rest: {} };
  const { articles, ...rest } = value as { articles?: unknown };
  if (!Array.isArray(articles)) throw new AppError('invalid_usage', 'The file has no "articles" array.');
  return { articles: articles.map(asArticle), rest };
}

const asArticle = (entry: unknown): ArticleRequest =>
  typeof entry === 'string' ? { url: entry } : (entry as ArticleRequest);
