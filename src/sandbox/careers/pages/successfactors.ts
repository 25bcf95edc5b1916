// SuccessFactors career sites in three ages: a table, tiles (companies called `dup-…`), JSON in languages (`locked-…`).
import { z } from 'zod';
import { esc } from '../../news/markup.ts';
import type { Replica } from '../../replica.ts';
import { html, json, numberIn, placeText, positionsFor, refusal, textHtml } from '../replies.ts';
import { page } from '../site-pages.ts';
import { companyName, quirksOf, type TruePosition } from '../truth.ts';

const PAGE_ROWS = 25;
const JSON_ROWS = 10;

export const successfactors: Replica = {
  name: 'successfactors',
  title: 'SuccessFactors career sites of made-up companies',
  hosts: ['*.successfactors.example'],
  examples: [{ url: 'https://aldermoor.successfactors.example/search/', note: 'a page of one site' }],
  async handle(request) {
    const company = request.host.split('.')[0]!;
    const { locked, duplicates, untitledRow, namelessRow } = quirksOf(company);
    const refused = locked ? undefined : refusal(company, 'successfactors');
    if (refused) return refused;
    const positions = positionsFor(request, 'successfactors', company);
    const id = /\/(\d+)(?:-en_US)?\/?$/.exec(request.path)?.[1];
    if (request.path.startsWith('/job/')) {
      const position = positions.find((one) => String(one.number) === id);
      return position && html(detail(position, company));
    }
    if (locked && request.path === '/services/recruiting/v1/jobs') {
      const asked = z
        .object({ locale: z.string(), pageNumber: z.number() })
        .parse(JSON.parse(await request.readBody()));
      const listed = asked.locale === 'en_US' ? positions : [];
      const shown = listed.slice(asked.pageNumber * JSON_ROWS, (asked.pageNumber + 1) * JSON_ROWS);
      return json({ jobSearchResult: shown.map((one) => ({ response: record(one) })), totalJobs: listed.length });
    }
    const at = numberIn(request.query.get('startrow'), 0);
    const shown = positions.slice(at, at + PAGE_ROWS);
    if (duplicates && /^\/(?:tile-search-results|search)\/$/.test(request.path))
      return html(`<ul>${shown.map(tile).join('')}</ul>`);
    if (request.path !== '/search/') return undefined;
    if (locked)
      return html(
        '<!doctype html><body class="unify"><a href="/search/?q=&amp;locale=de_DE">Deutsch</a><a href="/search/?q=&amp;locale=en_US">English</a></body>',
      );
    if (positions.length === 0) return page(company, '<p>There are no open positions at the moment.</p>');
    const rows = shown.map((one) => row(`/job/A-Job/${one.number}/`, one.title, one));
    if (untitledRow && at === 0) rows.push(row('/job/A-Job/99999999/', '', null));
    if (namelessRow && at === 0) rows.push(row('/job/A-Job/', 'No id', null));
    return page(company, `<link href="https://rmkcdn.successfactors.com/x.css"><table>${rows.join('')}</table>`);
  },
};

const dayOf = (position: TruePosition) => new Date(position.bornMs).toUTCString().slice(5, 16);

const row = (href: string, title: string, position: TruePosition | null): string =>
  `<tr class="data-row"><td><a href="${href}" class="jobTitle-link">${esc(title)}</a></td><td><span class="jobLocation">${position === null ? '' : esc(placeText(position.place))}</span></td><td><span class="jobDate">${position === null ? '' : dayOf(position)}</span></td></tr>`;

const tile = (position: TruePosition): string =>
  `<li class="job-tile job-id-${position.number}" data-url="/job/A-Job/${position.number}/"><a class="jobTitle-link" href="/job/A-Job/${position.number}/">${esc(position.title)}</a><div id="job-${position.number}-desktop-section-city-value">${esc(placeText(position.place))}</div></li>`;

const record = (position: TruePosition) => ({
  id: position.number,
  unifiedStandardTitle: esc(position.title),
  unifiedUrlTitle: 'A-Job',
  jobLocationShort: [`${placeText(position.place)}<br/>`],
  unifiedStandardStart: `${new Date(position.bornMs).getUTCMonth() + 1}/${new Date(position.bornMs).getUTCDate()}/26`,
});

function detail(position: TruePosition, company: string): string {
  const { place } = position;
  return `<!doctype html><div itemscope itemtype="http://schema.org/JobPosting"><h1 itemprop="title">${esc(position.title)}</h1>
    <meta itemprop="datePosted" content="${new Date(position.bornMs).toISOString()}"><span itemprop="hiringOrganization">${esc(companyName(company))}</span>
    <span itemprop="jobLocation" itemscope itemtype="http://schema.org/Place"><span itemprop="address" itemscope itemtype="http://schema.org/PostalAddress"><meta itemprop="addressLocality" content="${esc(place.city)}"><meta itemprop="addressRegion" content="${esc(place.region)}"><meta itemprop="addressCountry" content="${place.countryCode}"></span></span>
    <span id="jobdescription" itemprop="description"><div>${textHtml(position)}</div></span></div>`;
}
