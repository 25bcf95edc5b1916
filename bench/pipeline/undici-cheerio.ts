import { createWriteStream } from 'node:fs';
import { load } from 'cheerio';
import { Agent, request } from 'undici';
import { CONCURRENCY, directUrl, PAGES, report } from './pages.ts';

const out = createWriteStream('/dev/null');
const dispatcher = new Agent({ connections: CONCURRENCY });
const cpu = process.cpuUsage();
const started = performance.now();
let next = 0;
let items = 0;
await Promise.all(
  Array.from({ length: CONCURRENCY }, async () => {
    while (next < PAGES) {
      const url = directUrl(process.env.TARGET!, next++);
      const response = await request(url, { dispatcher });
      const $ = load(await response.body.text());
      out.write(
        `${JSON.stringify({
          url,
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
    }
  }),
);
report(PAGES, items, cpu, started);
await dispatcher.close();
