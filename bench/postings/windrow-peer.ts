// The LinkedIn source over the sandbox, many searches at once in one process: postings per CPU-second, normalised and validated.
import { Posting } from '../../src/model/posting.ts';
import { linkedin } from '../../src/sources/boards/linkedin.ts';
import { createWeb } from '../../src/web/web.ts';
import { cpuSeconds } from '../peers.ts';
import { PAGES_PER_SEARCH, searches } from './searches.ts';

const webs = createWeb({
  hostMap: `*=${process.env.ORIGIN}`,
  guard: { allow: ['127.0.0.1'] },
  robots: 'off',
  maxPaceWaitMs: 60_000,
});
const [cpuBefore, started] = [cpuSeconds(), performance.now()];
const pageMs: number[] = [];
let postings = 0;
await Promise.all(
  searches().map(async ({ search_term, location }) => {
    const web = webs.forAttempt({
      signal: AbortSignal.timeout(120_000),
      source: 'linkedin',
      pace: { concurrency: 100, delayMs: 0 },
    });
    const get = web.get;
    web.get = async (url, request) => {
      const from = performance.now();
      const page = await get(url, request);
      pageMs.push(performance.now() - from);
      return page;
    };
    const params = linkedin.params.parse({ search_term, location, results_wanted: PAGES_PER_SEARCH * 10 });
    for await (const posting of linkedin.scrape(params, web)) if (Posting.safeParse(posting).success) postings += 1;
  }),
);
const cpu = cpuSeconds() - cpuBefore;
const seconds = (performance.now() - started) / 1_000;
await webs.close();
console.log(
  JSON.stringify({
    rate: postings / cpu,
    postings,
    perMinute: (postings / seconds) * 60,
    pages: pageMs.length,
    meanPageMs: pageMs.reduce((sum, ms) => sum + ms, 0) / pageMs.length,
  }),
);
