import { createWriteStream } from 'node:fs';
import { CheerioCrawler, Configuration, LogLevel, log } from '@crawlee/cheerio';
import { CONCURRENCY, directUrl, PAGES, report } from './pages.ts';

log.setLevel(LogLevel.ERROR);
const out = createWriteStream('/dev/null');
let items = 0;
const crawler = new CheerioCrawler(
  {
    minConcurrency: CONCURRENCY,
    maxConcurrency: CONCURRENCY,
    useSessionPool: false,
    persistCookiesPerSession: false,
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
const urls = Array.from({ length: PAGES }, (_, index) => directUrl(process.env.TARGET!, index));
const cpu = process.cpuUsage();
const started = performance.now();
await crawler.run(urls);
report(PAGES, items, cpu, started);
process.exit(0);
