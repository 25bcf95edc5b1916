import { createWriteStream } from 'node:fs';
import { load } from 'cheerio';
import { Agent, request } from 'undici';
import { lineOf } from './line-peer.ts';
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
      out.write(lineOf($, url));
      items++;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, visit));
  return items;
});
await dispatcher.close();
