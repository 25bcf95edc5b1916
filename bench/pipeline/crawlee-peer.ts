import { createWriteStream } from 'node:fs';
import { CheerioCrawler, type CheerioCrawlerOptions, Configuration, LogLevel, log } from '@crawlee/cheerio';
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
        out.write(
          `${JSON.stringify({
            url: request.url,
            title: $('h1').first().text(),
            content: $('p')
              .map((_, p) => $(p).text())
              .get()
              .join('\n\n'),
            author: $('meta[name=author]').attr('content') ?? $('[rel=author]').text(),
            published: $('meta[property="article:published_time"]').attr('content') ?? $('time').attr('datetime'),
          })}\n`,
        );
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
