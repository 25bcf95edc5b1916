// `windrow crawl`: a crawl of a site on a running server.
import type { z } from 'zod';
import type { CrawlAccepted } from '../../../api/crawls/schemas.ts';
import { clientCommand, configuredClient } from '../../client/client.ts';
import { formatOf } from '../../terminal/formats.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { createTerminal } from '../../terminal/terminal.ts';
import { followCrawl, showCrawl } from './crawl-run.ts';
import { type SiteOptions, siteBody, takesSite } from './site-options.ts';

interface Options extends SiteOptions {
  limit?: number;
  maxDepth?: number;
  followNofollow?: boolean;
  delay?: number;
  maxDuration?: number;
  maxBytes?: number;
  watch?: boolean;
}

const SHOWN = 20;

export const make = () =>
  takesSite(
    clientCommand({
      name: 'crawl',
      about: 'Crawls a site on a running server: follows its links and sitemaps, and scrapes the articles.',
      examples: [
        ['windrow crawl https://example.com/ --limit 500 --watch', 'with progress'],
        ["windrow crawl https://example.com/ --include '/blog/**' --exclude '/blog/tag/**'", 'a part of it'],
        ['windrow crawl https://example.com/docs/ --prefix /docs/ --ndjson > docs.ndjson', 'every page, as Markdown'],
      ],
      notes: `It stays on the host (--subdomains for more), obeys robots.txt and the pace of the source, and reads at most --limit pages, the nearest first.
In patterns * stands for anything but /, ** for anything. --watch, --ndjson and --csv wait for the end. Ctrl-C stops waiting, not the crawl.`,
    }),
  )
    .option('-n, --limit <number>', 'most pages to read. Default 100', wholeNumber(1, 1_000_000))
    .option('-d, --max-depth <number>', 'links from the first page on. Default 10', wholeNumber(0, 1_000))
    .option('--follow-nofollow', 'follow links and pages that say nofollow')
    .option('--delay <milliseconds>', 'least pause between two requests', wholeNumber(0, 600_000))
    .option('--max-duration <seconds>', 'begin no further page after this time', wholeNumber(1, 31_536_000))
    .option('--max-bytes <number>', 'begin no further page after this much', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('-w, --watch', 'wait until the crawl has ended')
    .option('--ndjson', 'wait, then write every page as a JSON line')
    .option('--csv', 'wait, then write every page as CSV')
    .action(async (url: string, options: Options) => {
      const format = formatOf(options);
      const terminal = createTerminal({ json: format === 'json' });
      const client = await configuredClient(options, terminal);
      const accepted = await client.submit<z.infer<typeof CrawlAccepted>>(
        '/crawl',
        { ...siteBody(url, options), ...bounds(options) },
        options.idempotencyKey,
      );
      const id = accepted.run_id;
      const waits = options.watch || format === 'ndjson' || format === 'csv';
      if (format === 'json' && !waits) return terminal.document(accepted);
      if (format === 'text') terminal.out(id);
      terminal.say(`Crawling ${accepted.url}, at most ${accepted.limit} pages.`);
      if (!waits) return terminal.say(`To see how far it is: windrow run ${id}`);
      await followCrawl(client, id, terminal);
      if (process.exitCode !== 130) await showCrawl(client, id, terminal, { format, limit: SHOWN });
    });

const bounds = (options: Options): Record<string, unknown> => ({
  ...(options.limit === undefined ? {} : { limit: options.limit }),
  ...(options.maxDepth === undefined ? {} : { max_depth: options.maxDepth }),
  ...(options.followNofollow ? { follow_nofollow: true } : {}),
  ...(options.delay === undefined ? {} : { delay_ms: options.delay }),
  ...(options.maxDuration === undefined ? {} : { max_duration_seconds: options.maxDuration }),
  ...(options.maxBytes === undefined ? {} : { max_bytes: options.maxBytes }),
});
