// Crawlee's CheerioCrawler over the same pages, written as its guides write one: the fields of each card as text, nothing normalised.
import { CheerioCrawler, Configuration, LogLevel, log } from '../node_modules/@crawlee/cheerio/index.mjs';
import { measure } from './rounds.ts';
import { PAGES_PER_SEARCH, searches } from './searches.ts';

log.setLevel(LogLevel.ERROR);
const urls = searches().flatMap(({ search_term, location }) =>
  Array.from({ length: PAGES_PER_SEARCH }, (_, page) => {
    const query = new URLSearchParams({ keywords: search_term, location, pageNum: '0', start: String(page * 10) });
    return `${process.env.ORIGIN}/__sandbox/at/www.linkedin.com/jobs-guest/jobs/api/seeMoreJobPostings/search?${query}`;
  }),
);
let rounds = 0;
await measure(async (keep) => {
  const crawler = new CheerioCrawler(
    {
      minConcurrency: 50,
      maxConcurrency: 100,
      async requestHandler({ $ }) {
        for (const card of $('.base-search-card').toArray()) {
          const $card = $(card);
          const at = (selector: string) => $card.find(selector).text().replace(/\s+/g, ' ').trim();
          const title = at('h3.base-search-card__title');
          if (title === '') continue;
          keep({
            id: $card.attr('data-entity-urn'),
            url: $card.attr('href') ?? $card.find('a.base-card__full-link').attr('href'),
            title,
            company: at('h4.base-search-card__subtitle'),
            companyUrl: $card.find('h4.base-search-card__subtitle a').attr('href'),
            location: at('.job-search-card__location'),
            salary: at('.job-search-card__salary-info'),
            date: $card.find('time').attr('datetime'),
            logo: $card.find('img.artdeco-entity-image').attr('data-delayed-url'),
          });
        }
      },
    },
    new Configuration({ persistStorage: false }),
  );
  rounds += 1;
  // A page is not asked for twice under the same key.
  await crawler.run(urls.map((url) => ({ url, uniqueKey: `${rounds} ${url}` })));
  return { pages: urls.length };
});
process.exit(0);
