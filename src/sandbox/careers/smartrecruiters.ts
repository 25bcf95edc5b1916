// SmartRecruiters' posting API: pages of at most 100, labels in another language, a company nobody knows has no postings.
import type { Replica } from '../replica.ts';
import { uuid } from './lever.ts';
import { iso, json, numberIn, pageOf, positionsFor, refusal, textHtml, withBadRows } from './replies.ts';
import { companyName, exists, type TruePosition } from './truth.ts';

const idOf = (position: TruePosition) => `7440${String(position.number).padStart(11, '0')}`;

export const smartrecruiters: Replica = {
  name: 'smartrecruiters',
  title: 'SmartRecruiters job boards of made-up companies',
  hosts: ['api.smartrecruiters.com'],
  examples: [
    { url: 'https://api.smartrecruiters.com/v1/companies/dunholme/postings?limit=100', note: 'one page of a list' },
  ],
  handle(request) {
    const [, company, , id] = /^\/v1\/companies\/([^/]+)\/postings(\/([\w-]+))?$/.exec(request.path) ?? [];
    if (company === undefined) return undefined;
    const limit = Math.min(numberIn(request.query.get('limit'), 10), 100);
    const offset = numberIn(request.query.get('offset'), 0);
    if (!exists(company)) return json({ offset, limit, totalFound: 0, content: [] });
    const refused = refusal(company, 'smartrecruiters');
    if (refused) return refused;
    const positions = positionsFor(request, 'smartrecruiters', company);
    if (id !== undefined) {
      const position = positions.find((one) => idOf(one) === id);
      return position
        ? json({ ...row(position, company), ...detail(position, company) })
        : json({ message: 'Not found' }, 404);
    }
    const rows = withBadRows(
      company,
      positions.map((position) => row(position, company)),
      {
        untitled: { id: '744099999999999', name: null },
        nameless: { name: 'A posting without an id' },
      },
    );
    const page = pageOf(company, rows, { offset, limit });
    return json({ offset, limit, totalFound: page.total, content: page.rows });
  },
};

function row(position: TruePosition, company: string) {
  const { place } = position;
  return {
    id: idOf(position),
    name: position.title,
    uuid: uuid(position, company),
    refNumber: `REF${position.number}X`,
    company: { identifier: company, name: companyName(company) },
    releasedDate: iso(position.bornMs),
    location: {
      city: place.city,
      region: place.regionCode,
      country: place.countryCode.toLowerCase(),
      remote: position.remote === 'remote',
      hybrid: position.remote === 'hybrid',
      fullLocation: `${place.city}, ${place.regionCode}, ${place.country}`,
    },
    department: position.department === 'People' ? {} : { id: '1', label: position.department },
    function: { id: 'other', label: 'Other' },
    typeOfEmployment: { id: TYPES[position.type], label: 'Pełny etat' },
    experienceLevel: { id: position.level === 'senior' ? 'mid_senior_level' : 'not_applicable', label: 'Poziom' },
    visibility: 'PUBLIC',
    ref: `https://api.smartrecruiters.com/v1/companies/${company}/postings/${idOf(position)}`,
    language: { code: 'en', label: 'English' },
  };
}

function detail(position: TruePosition, company: string) {
  const url = `https://jobs.smartrecruiters.com/${company}/${idOf(position)}-a-posting`;
  return {
    active: true,
    postingUrl: url,
    applyUrl: `${url}?oga=true`,
    jobAd: {
      sections: {
        companyDescription: { title: 'Company Description', text: '<p>A company like no other.</p>' },
        jobDescription: { title: 'Job Description', text: textHtml(position) },
        qualifications: { title: 'Qualifications', text: '' },
        additionalInformation: { title: 'Additional Information', text: '<p>All told.</p>' },
      },
    },
    ...(position.pay && { compensation: { ...position.pay, period: 'YEARLY' } }),
  };
}

const TYPES = { full_time: 'permanent', part_time: 'part-time', contract: 'contract', internship: 'intern' };
