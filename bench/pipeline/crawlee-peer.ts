import { createWriteStream } from 'node:fs';
import { CheerioCrawler, type CheerioCrawlerOptions, Configuration, LogLevel, log } from '@crawlee/cheerio';
import { lineOf } from './line-peer.ts';
import { CONCURRENCY, directUrl, measure } from './pages.ts';

export async function crawl(options: CheerioCrawlerOptions): Promise<never> {
  log.setLevel(LogLevel.ERROR);
  const out = createWriteStream('/dev/null');
  let items = 0;
  const crawler = new CheerioCrawler(
    {
      minConcurrency: CONCURRENCY,
      maxConcurrency: CONCURRENCY,
      ...options,
      async requestHandler({ $, request }) {
        out.write(lineOf($, request.url));
        items++;
      },
    },
    new Configuration({ persistStorage: false, purgeOnStart: false }),
  );
  await measure(async (first, last) => {
    items = 0;
    await crawler.run(
      Array.from({ length: last - first }, (_, index) => directUrl(process.env.TARGET!, first + index)),
    );
    return items;
  });
  process.exit(0);
}
