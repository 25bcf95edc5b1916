// Ashby's posting API. Dirty addresses and an `isRemote` that is true for hybrid work belong to the picture.
import type { Replica } from '../replica.ts';
import { uuid } from './lever.ts';
import { iso, json, placeText, positionsFor, refusal, textHtml, withBadRows } from './replies.ts';
import type { TruePosition } from './truth.ts';

export const ashby: Replica = {
  name: 'ashby',
  title: 'Ashby job boards of made-up companies',
  hosts: ['api.ashbyhq.com'],
  examples: [
    { url: 'https://api.ashbyhq.com/posting-api/job-board/calderwick?includeCompensation=true', note: 'one board' },
  ],
  handle(request) {
    const name = /^\/posting-api\/job-board\/([^/]+)$/.exec(request.path)?.[1];
    if (name === undefined) return undefined;
    const token = decodeURIComponent(name);
    const refused = refusal(token, 'ashby');
    if (refused) return refused;
    const withPay = request.query.get('includeCompensation') === 'true';
    const positions = positionsFor(request, 'ashby', token);
    const rows = withBadRows(
      token,
      positions.map((position) => job(position, token, withPay)),
      {
        untitled: { id: 'f0000000-0000-4000-8000-000000000000', isListed: true },
        nameless: { title: 'A job without an id', isListed: true },
      },
    );
    const unlisted = { ...job({ ...(positions[0] ?? NOBODY), number: 1 }, token, false), isListed: false };
    return json({ jobs: positions.length === 0 ? rows : [...rows, unlisted], apiVersion: '1' });
  },
};

const NOBODY = { place: {}, paragraphs: [], duties: [], bornMs: 0 } as unknown as TruePosition;

function job(position: TruePosition, token: string, withPay: boolean) {
  const { place, pay } = position;
  const id = uuid(position, token);
  const summary = pay && `$${pay.min / 1000}K – $${pay.max / 1000}K`;
  const salary = pay && {
    compensationType: 'Salary',
    interval: '1 YEAR',
    currencyCode: pay.currency,
    minValue: pay.min,
    maxValue: pay.max,
    summary,
  };
  const equity = {
    compensationType: 'EquityPercentage',
    interval: 'NONE',
    currencyCode: null,
    minValue: null,
    maxValue: null,
    summary: 'Offers Equity',
  };
  return {
    id,
    title: ` ${position.title}`,
    department: position.department,
    team: position.department,
    employmentType: TYPES[position.type],
    location: placeText(place),
    secondaryLocations: [],
    publishedAt: iso(position.bornMs ?? 0).replace('Z', '+00:00'),
    isListed: true,
    isRemote: position.remote !== 'onsite',
    workplaceType: WORKPLACES[position.remote],
    address: {
      postalAddress: {
        addressLocality: place.city,
        addressRegion: `${place.region} `,
        addressCountry: place.countryCode === 'US' ? 'USA' : place.country,
      },
    },
    jobUrl: `https://jobs.ashbyhq.com/${encodeURIComponent(token)}/${id}`,
    applyUrl: `https://jobs.ashbyhq.com/${encodeURIComponent(token)}/${id}/application`,
    descriptionHtml: textHtml(position),
    shouldDisplayCompensationOnJobPostings: pay !== null,
    ...(withPay && {
      compensation: {
        compensationTierSummary: summary && `${summary} • Offers Equity`,
        compensationTiers: salary ? [{ title: null, tierSummary: summary, components: [equity, salary] }] : [],
        summaryComponents: salary ? [equity, salary] : [],
      },
    }),
  };
}

const TYPES = { full_time: 'FullTime', part_time: 'PartTime', contract: 'Contract', internship: 'Intern' };
const WORKPLACES = { remote: 'Remote', hybrid: 'Hybrid', onsite: 'OnSite' };
