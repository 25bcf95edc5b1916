// BambooHR's list and detail. Who does not exist is sent to the vendor's front page.
import type { Replica } from '../replica.ts';
import { day, html, json, positionsFor, refusal, textHtml, withBadRows } from './replies.ts';
import { exists, quirksOf, type TruePosition } from './truth.ts';

export const bamboohr: Replica = {
  name: 'bamboohr',
  title: 'BambooHR career pages of made-up companies',
  hosts: ['*.bamboohr.com'],
  examples: [{ url: 'https://kestrelford.bamboohr.com/careers/list', note: 'all openings' }],
  handle(request) {
    const company = request.host.split('.')[0] as string;
    if (company === 'www') return html('<!doctype html><title>HR software</title>');
    if (!exists(company) || quirksOf(company).moved)
      return { ...html('', 302), headers: { location: 'https://www.bamboohr.com/' } };
    const refused = refusal(company, 'bamboohr');
    if (refused) return refused;
    const positions = positionsFor(request, 'bamboohr', company);
    if (request.path === '/careers/list') {
      const rows = withBadRows(company, positions.map(row), {
        untitled: { id: '1', jobOpeningName: null },
        nameless: { jobOpeningName: 'No id' },
      });
      return json({ meta: { totalCount: rows.length }, result: rows });
    }
    const id = /^\/careers\/(\d+)\/detail$/.exec(request.path)?.[1];
    if (id === undefined) return undefined;
    const position = positions.find((one) => String(one.number) === id);
    return position
      ? json({ meta: {}, result: { jobOpening: { ...detail(position, company) } } })
      : json({ error: 'Not found' }, 404);
  },
};

function row(position: TruePosition) {
  const { place } = position;
  const isSplit = position.number % 2 === 0;
  return {
    id: String(position.number),
    jobOpeningName: position.title,
    departmentId: '1',
    departmentLabel: position.department,
    employmentStatusLabel: {
      full_time: 'Full-Time',
      part_time: 'Part-Time',
      contract: 'Contractor',
      internship: 'Intern',
    }[position.type],
    location: isSplit ? { city: null, state: null } : { city: place.city, state: place.region },
    atsLocation: isSplit
      ? { country: place.country, state: place.region, province: null, city: place.city }
      : { country: null, state: null, province: null, city: null },
    isRemote: position.remote === 'remote' ? 1 : null,
    locationType: { onsite: '0', remote: '1', hybrid: '2' }[position.remote],
  };
}

function detail(position: TruePosition, company: string) {
  const { pay, place } = position;
  return {
    ...row(position),
    jobOpeningShareUrl: `https://${company}.bamboohr.com/careers/${position.number}`,
    jobOpeningStatus: 'Open',
    description: textHtml(position),
    compensation: pay && `${pay.min.toLocaleString('en')} - ${pay.max.toLocaleString('en')} ${pay.currency} per year`,
    datePosted: day(position.bornMs),
    location: { city: place.city, state: place.region, postalCode: null, addressCountry: place.country },
  };
}
