// Career pages that only a browser fills.
import { z } from 'zod';
import { defineSource } from '../define.ts';
import { PAGE_PARAMS, scrapePages } from './pages.ts';

export const playwright = defineSource({
  name: 'playwright',
  title: 'Any career page that needs a browser, by selectors or schema.org JobPosting',
  kind: 'posting',
  lane: 'browser',
  hosts: [],
  pace: { concurrency: 1, delayMs: 1_000 },
  params: z.object({
    ...PAGE_PARAMS,
    /** A selector that must be there before a page counts as loaded. */
    wait_for: z.string().min(1).max(500).optional(),
    scroll: z.boolean().default(false),
  }),
  scrape(params, web, notes) {
    const options = { scroll: params.scroll, ...(params.wait_for === undefined ? {} : { waitFor: params.wait_for }) };
    return scrapePages({ source: 'playwright', params, web, notes, fetch: (url) => web.page(url, options) });
  },
});
