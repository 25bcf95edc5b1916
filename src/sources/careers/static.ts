// Career pages that say everything in their HTML.
import { z } from 'zod';
import { defineSource } from '../define.ts';
import { PAGE_PARAMS, scrapePages } from './pages.ts';

export const staticPages = defineSource({
  name: 'static',
  title: 'Any career page, by selectors or schema.org JobPosting',
  kind: 'posting',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 2, delayMs: 500 },
  params: z.object(PAGE_PARAMS),
  scrape: (params, web, notes) => scrapePages({ source: 'static', params, web, notes, fetch: (url) => web.get(url) }),
});
