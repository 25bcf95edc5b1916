// The same work as the Crawlee peer, done with Windrow's web layer and HTML reader: the fields of each card as text, nothing normalised.
import { all, attr, one, parse, text } from '../../src/extract/html/html.ts';
import { createWeb } from '../../src/web/web.ts';
import { measure } from './rounds.ts';
import { PAGES_PER_SEARCH, searches } from './searches.ts';

const webs = createWeb({
  hostMap: `*=${process.env.ORIGIN}`,
  guard: { allow: ['127.0.0.1'] },
  robots: 'off',
  maxPaceWaitMs: 60_000,
});
await measure(async (keep) => {
  await Promise.all(
    searches().map(async ({ search_term, location }) => {
      const web = webs.forAttempt({
        signal: AbortSignal.timeout(120_000),
        source: 'linkedin',
        pace: { concurrency: 100, delayMs: 0 },
      });
      for (let page = 0; page < PAGES_PER_SEARCH; page++) {
        const query = new URLSearchParams({ keywords: search_term, location, pageNum: '0', start: String(page * 10) });
        const answer = await web.get(`https://www.linkedin.com/jobs-guest/jobs/api/seeMoreJobPostings/search?${query}`);
        for (const card of all(parse(answer.text), '.base-search-card')) {
          const title = text(one(card, 'h3.base-search-card__title'));
          if (title === '') continue;
          keep({
            id: attr(card, 'data-entity-urn'),
            url: attr(card, 'href') ?? attr(one(card, 'a.base-card__full-link'), 'href'),
            title,
            company: text(one(card, 'h4.base-search-card__subtitle')),
            companyUrl: attr(one(card, 'h4.base-search-card__subtitle a'), 'href'),
            location: text(one(card, '.job-search-card__location')),
            salary: text(one(card, '.job-search-card__salary-info')),
            date: attr(one(card, 'time'), 'datetime'),
            logo: attr(one(card, 'img.artdeco-entity-image'), 'data-delayed-url'),
          });
        }
      }
    }),
  );
  return { pages: searches().length * PAGES_PER_SEARCH };
});
await webs.close();
