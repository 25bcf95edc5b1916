// The same work as the Crawlee peer, done with Windrow's web layer and HTML reader: the fields of each card as text, nothing normalised.
import { all, attr, one, parse, text } from '../../src/extract/html.ts';
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
    for (let page = 0; page < PAGES_PER_SEARCH; page++) {
      const query = new URLSearchParams({ keywords: search_term, location, pageNum: '0', start: String(page * 10) });
      const from = performance.now();
      const answer = await web.get(`https://www.linkedin.com/jobs-guest/jobs/api/seeMoreJobPostings/search?${query}`);
      pageMs.push(performance.now() - from);
      const rows = all(parse(answer.text), '.base-search-card').map((card) => ({
        id: attr(card, 'data-entity-urn'),
        url: attr(card, 'href') ?? attr(one(card, 'a.base-card__full-link'), 'href'),
        title: text(one(card, 'h3.base-search-card__title')),
        company: text(one(card, 'h4.base-search-card__subtitle')),
        companyUrl: attr(one(card, 'h4.base-search-card__subtitle a'), 'href'),
        location: text(one(card, '.job-search-card__location')),
        salary: text(one(card, '.job-search-card__salary-info')),
        date: attr(one(card, 'time'), 'datetime'),
        logo: attr(one(card, 'img.artdeco-entity-image'), 'data-delayed-url'),
      }));
      postings += rows.filter((row) => row.title !== '').length;
    }
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
