import { createWriteStream } from 'node:fs';
import { load } from 'cheerio';
import { Agent, request } from 'undici';
import { CONCURRENCY, directUrl, measure } from './pages.ts';

const out = createWriteStream('/dev/null');
const dispatcher = new Agent({ connections: CONCURRENCY });
await measure(async (first, last) => {
  let next = first;
  let items = 0;
  const visit = async () => {
    while (next < last) {
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
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, visit));
  return items;
});
await dispatcher.close();
