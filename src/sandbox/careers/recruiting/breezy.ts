// Breezy's list and posting pages. A page that is gone sends its visitors to the board.
import type { Replica } from '../../replica.ts';
import { html, iso, json, positionsFor, refusal, textHtml, withBadRows } from '../replies.ts';
import type { TruePosition } from '../truth.ts';

export const breezyId = (position: TruePosition): string => position.number.toString(16).padStart(12, '0');

export const breezy: Replica = {
  name: 'breezy',
  title: 'Breezy HR career pages of made-up companies',
  hosts: ['*.breezy.hr'],
  examples: [{ url: 'https://aldermoor.breezy.hr/json', note: 'one board, without texts' }],
  handle(request) {
    const company = request.host.split('.')[0]!;
    const refused = refusal(company, 'breezy');
    if (refused) return refused;
    const positions = positionsFor(request, 'breezy', company);
    if (request.path === '/json')
      return json(
        withBadRows(
          company,
          positions.map((position) => row(position, company)),
          { untitled: { id: 'ffffffffffff', name: null }, nameless: { name: 'No id' } },
        ),
      );
    if (request.path === '/') return html('<!doctype html><title>Openings</title>');
    const id = /^\/p\/([\da-f]{12})/.exec(request.path)?.[1];
    const position = positions.find((one) => breezyId(one) === id);
    return position === undefined
      ? { ...html('', 302), headers: { location: '/' } }
      : html(`<!doctype html><h1>${position.title}</h1><div id="description">${textHtml(position)}</div>`);
  },
};

function row(position: TruePosition, company: string) {
  const { place, pay } = position;
  const friendly = `${breezyId(position)}-a-job`;
  return {
    id: breezyId(position),
    friendly_id: friendly,
    name: position.title,
    url: `https://${company}.breezy.hr/p/${friendly}`,
    published_date: iso(position.bornMs),
    type: { id: position.type, name: TYPES[position.type] },
    location: {
      country: { name: place.country, id: place.countryCode },
      state: { id: place.regionCode, name: place.region },
      city: place.city,
      primary: true,
      is_remote: position.remote === 'remote',
      name: `${place.city}, ${place.regionCode}`,
    },
    department: position.department,
    salary: pay && `${pay.currency} ${pay.min.toLocaleString('en')} - ${pay.max.toLocaleString('en')} per year`,
  };
}

const TYPES = { full_time: 'Full-Time', part_time: 'Part-Time', contract: 'Contractor', internship: 'Intern' };
