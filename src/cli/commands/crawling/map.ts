// `windrow map`: the URLs of a site, without reading its pages.
import { clientCommand, configuredClient } from '../../client/client.ts';
import { formatOf } from '../../terminal/formats.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { createTerminal } from '../../terminal/terminal.ts';
import { printMap, type SiteUrls } from './crawl-run.ts';
import { type SiteOptions, siteBody, takesSite } from './site-options.ts';

interface Options extends SiteOptions {
  limit?: number;
  search?: string;
}

/** Shorter than the time limit of a request. */
const WAIT_SECONDS = 20;

export const make = () =>
  takesSite(
    clientCommand({
      name: 'map',
      about: 'Lists the URLs of a site, from its first page and its sitemaps. The pages are not read.',
      examples: [
        ['windrow map https://example.com/', 'one URL per line'],
        ['windrow map https://example.com/ --search blog --json', 'those that contain a text, as JSON'],
        ['windrow map https://example.com/ | windrow submit -f - --watch', 'scrape all of them'],
      ],
    }),
  )
    .option('-n, --limit <number>', 'most URLs to list. Default 5000', wholeNumber(1, 100_000))
    .option('--search <text>', 'only URLs that contain this text')
    .option('--ndjson', 'one JSON object per line')
    .action(async (url: string, options: Options) => {
      const format = formatOf(options);
      const terminal = createTerminal({ json: format !== 'text' });
      const client = await configuredClient(options, terminal);
      const body = {
        ...siteBody(url, options),
        wait_seconds: WAIT_SECONDS,
        ...(options.limit === undefined ? {} : { limit: options.limit }),
        ...(options.search === undefined ? {} : { search: options.search }),
      };
      printMap(terminal, await client.submit<SiteUrls>('/map', body, options.idempotencyKey), format);
    });
