// Sources whose readers a page can stop: outside sources for a server (windrow.config), and what a reading thread runs in unit tests. What they do is in the
// text of the page: `loop`, `backtrack`, `fill`, `later` (a loop after a timer), `exit`; anything else is an article.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { toPosting } from '../../../src/model/posting/posting.ts';
import { defineSource } from '../../../src/sources/define.ts';

const ACTS: Record<string, () => unknown> = {
  loop() {
    for (let turns = 0; ; turns++) if (turns < 0) return;
  },
  backtrack: () => /^(?:a+)+$/.test(`${'a'.repeat(60)}b`),
  fill() {
    const kept: unknown[] = [];
    for (;;) kept.push(Array.from({ length: 1_000 }, (_, n) => ({ n })));
  },
  async later() {
    await sleep(5);
    ACTS.loop!();
  },
  exit: () => process.exit(7),
  throws: () => setTimeout(() => ACTS.unknown!(), 1),
};

const base = { kind: 'article' as const, lane: 'http', hosts: [], pace: { concurrency: 20, delayMs: 0 } };

export const hostile = defineSource({
  ...base,
  name: 'hostile',
  hosts: ['hostile.example'],
  title: 'Pages that say what to do',
  params: z.object({ url: z.string(), pages: z.number().default(1) }),
  async *scrape({ url, pages }, web) {
    for (let page = 1; page <= pages; page++) {
      const { text } = await web.get(`${url}?page=${page}`);
      web.countPage(true);
      await ACTS[text.trim()]?.();
      if (text.trim() === 'throws') await new Promise(() => {});
      yield {
        url: `${url}?page=${page}`,
        title: text,
        content: text,
        author: null,
        published_at: null,
        language: null,
        image: null,
      };
    }
  },
});

/** Asks for its pages all at once, and says in which order the answers came. */
export const eager = defineSource({
  ...base,
  name: 'eager',
  title: 'All pages at once',
  params: z.object({ url: z.string(), pages: z.number() }),
  async *scrape({ url, pages }, web, notes) {
    const all = Array.from({ length: pages }, async (_, page) => {
      await web.text(`${url}?page=${page}`);
      notes?.incomplete(`page ${page}`);
    });
    await Promise.all(all);
    await web.text(`${url}?page=last`);
    yield { url, title: null, content: 'all', author: null, published_at: null, language: null, image: null };
  },
});

export const wide = defineSource({
  ...base,
  name: 'wide',
  title: 'Very many rows',
  kind: 'posting' as const,
  params: z.object({ rows: z.number(), bad: z.number().default(0) }),
  detect({ hostname, pathname }) {
    if (hostname === 'hostile.example') ACTS[pathname.slice(1)]?.();
    return null;
  },
  async *scrape({ rows, bad }, _web, notes) {
    for (let row = 0; row < bad; row++) notes?.skipped({ id: String(row), reason: 'not a row' });
    for (let row = 0; row < rows; row++)
      yield toPosting({
        source: 'wide',
        external_id: String(row),
        title: `Row ${row}`,
        job_url: `https://a.test/${row}`,
      });
  },
});
