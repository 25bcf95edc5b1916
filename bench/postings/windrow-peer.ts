// The LinkedIn source over the sandbox, a hundred searches at once in one process: every posting normalised, as a worker hands it on. That all of
// them are postings is checked in the round that is not measured.
import { Posting } from '../../src/model/posting/posting.ts';
import { linkedin } from '../../src/sources/boards/linkedin/linkedin.ts';
import { createWeb } from '../../src/web/web.ts';
import { measure } from './rounds.ts';
import { PAGES_PER_SEARCH, searches } from './searches.ts';

const webs = createWeb({
  hostMap: `*=${process.env.ORIGIN}`,
  guard: { allow: ['127.0.0.1'] },
  robots: 'off',
  maxPaceWaitMs: 60_000,
});
await measure(async (keep, isMeasured) => {
  let pages = 0;
  await Promise.all(
    searches().map(async ({ search_term, location }) => {
      const web = webs.forAttempt({
        signal: AbortSignal.timeout(120_000),
        source: 'linkedin',
        pace: { concurrency: 100, delayMs: 0 },
      });
      const params = linkedin.params.parse({ search_term, location, results_wanted: PAGES_PER_SEARCH * 10 });
      for await (const posting of linkedin.scrape(params, web)) keep(isMeasured ? posting : Posting.parse(posting));
      pages += web.ledger.requests;
    }),
  );
  return { pages };
});
await webs.close();
