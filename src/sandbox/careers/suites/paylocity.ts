// Paylocity's feed, and the career page that states its list in a script (companies called `locked-…` have no feed).
import { scriptJson } from '../../news/markup.ts';
import type { Replica } from '../../replica.ts';
import { tokenOf } from '../guid.ts';
import { html, iso, json, placeText, positionsFor, refusal, textHtml, withBadRows } from '../replies.ts';
import { companyName, quirksOf, type TruePosition } from '../truth.ts';

/** Ids of all companies share one room, so a page names no company. */
const pages = new Map<string, TruePosition>();

export const paylocity: Replica = {
  name: 'paylocity',
  title: 'Paylocity job boards of made-up companies',
  hosts: ['recruiting.paylocity.com'],
  examples: [
    {
      url: 'https://recruiting.paylocity.com/recruiting/v2/api/feed/jobs/00000000-0000-0000-0000-000000000001',
      note: 'one board; its name is spelled as a GUID',
    },
  ],
  handle(request) {
    const [, feed, guid] = /^\/recruiting\/(v2\/api\/feed\/jobs|jobs\/All)\/([\da-f-]{36})$/i.exec(request.path) ?? [];
    if (guid === undefined) {
      const position = pages.get(/^\/Recruiting\/Jobs\/Details\/(\d+)$/.exec(request.path)?.[1] ?? '');
      return position && html(detail(position));
    }
    const company = tokenOf(guid);
    const isFeed = feed!.startsWith('v2');
    const refused = refusal(company, 'paylocity');
    if (refused && (isFeed || !quirksOf(company).locked)) return refused;
    const positions = positionsFor(request, 'paylocity', company);
    if (isFeed) {
      const bad = { untitled: { jobId: 1, title: null }, nameless: { title: 'No id' } };
      return json({
        displayName: companyName(company),
        jobs: withBadRows(
          company,
          positions.map((one) => row(one, company)),
          bad,
        ),
      });
    }
    for (const position of positions) pages.set(String(position.number), position);
    const data = { CompanyName: companyName(company), Jobs: positions.map(pageRow) };
    return html(`<!doctype html><script>window.pageData = ${scriptJson(data)};</script>`);
  },
};

const TYPES = { full_time: 'Full Time', part_time: 'Part Time', contract: 'Contract', internship: 'Intern' };

function row(position: TruePosition, company: string) {
  const { place, pay } = position;
  return {
    jobId: position.number,
    title: position.title,
    companyName: companyName(company),
    displayUrl: `https://recruiting.paylocity.com/Recruiting/Jobs/Details/${position.number}`,
    applyUrl: `https://recruiting.paylocity.com/Recruiting/Jobs/Apply/${position.number}`,
    publishedDate: iso(position.bornMs),
    description: textHtml(position),
    requirements: '',
    hiringDepartment: position.department,
    jobTypes: TYPES[position.type],
    jobTypesArray: [TYPES[position.type]],
    salaryDescription:
      pay && `${pay.currency} ${pay.min.toLocaleString('en')} - ${pay.max.toLocaleString('en')} per year`,
    jobLocation: {
      name: `${place.city} office`,
      city: place.city,
      state: place.regionCode,
      country: place.countryCode,
      isRemote: position.remote === 'remote',
    },
  };
}

const pageRow = (position: TruePosition) => ({
  JobId: position.number,
  JobTitle: position.title,
  LocationName: placeText(position.place),
  HiringDepartment: position.department,
  PublishedDate: iso(position.bornMs),
  IsRemote: position.remote === 'remote',
  Description: 'A short beginning of the text…',
});

const detail = (position: TruePosition) =>
  `<!doctype html><div class="job-preview-title"><span>${position.title}</span></div><h3 class="job-listing-header">Job Type</h3><div>${TYPES[position.type]}</div><h3 class="job-listing-header">Description</h3><div>${textHtml(position)}</div>`;
