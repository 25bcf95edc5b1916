// Crawlee's CheerioCrawler over the same pages: the fields of each card as text, nothing normalised.
import { CheerioCrawler, Configuration, LogLevel, log } from '../node_modules/@crawlee/cheerio/index.mjs';
import { cpuSeconds } from '../peers.ts';
import { PAGES_PER_SEARCH, searches } from './searches.ts';

log.setLevel(LogLevel.ERROR);
const urls = searches().flatMap(({ search_term, location }) =>
  Array.from({ length: PAGES_PER_SEARCH }, (_, page) => {
    const query = new URLSearchParams({ keywords: search_term, location, pageNum: '0', start: String(page * 10) });
    return `${process.env.ORIGIN}/__sandbox/at/www.linkedin.com/jobs-guest/jobs/api/seeMoreJobPostings/search?${query}`;
  }),
);
const [cpuBefore, started] = [cpuSeconds(), performance.now()];
let postings = 0;
const crawler = new CheerioCrawler(
  {
    minConcurrency: 50,
    maxConcurrency: 100,
    async requestHandler({ $ }) {
      const rows = $('.base-search-card')
        .toArray()
        .map((card) => {
          const $card = $(card);
          const at = (selector: string) => $card.find(selector).text().replace(/\s+/g, ' ').trim();
          return {
            id: $card.attr('data-entity-urn'),
            url: $card.attr('href') ?? $card.find('a.base-card__full-link').attr('href'),
            title: at('h3.base-search-card__title'),
            company: at('h4.base-search-card__subtitle'),
            companyUrl: $card.find('h4.base-search-card__subtitle a').attr('href'),
            location: at('.job-search-card__location'),
            salary: at('.job-search-card__salary-info'),
            date: $card.find('time').attr('datetime'),
            logo: $card.find('img.artdeco-entity-image').attr('data-delayed-url'),
          };
        });
      postings += rows.filter((row) => row.title !== '').length;
    },
  },
  new Configuration({ persistStorage: false }),
);
await crawler.run(urls);
const cpu = cpuSeconds() - cpuBefore;
const seconds = (performance.now() - started) / 1_000;
console.log(
  JSON.stringify({ rate: postings / cpu, postings, perMinute: (postings / seconds) * 60, pages: urls.length }),
);
process.exit(0);
