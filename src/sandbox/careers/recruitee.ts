// Recruitee's offers. `locked-…` companies already want the token that all will want from February 2027.
import { esc } from '../news/markup.ts';
import type { Replica } from '../replica.ts';
import { dutiesHtml, html, json, paragraphsHtml, positionsFor, refusal, withBadRows } from './replies.ts';
import { companyName, type TruePosition } from './truth.ts';

export const RECRUITEE_TOKEN = 'sandbox-token';

export const recruitee: Replica = {
  name: 'recruitee',
  title: 'Recruitee career sites of made-up companies',
  hosts: ['*.recruitee.com'],
  examples: [{ url: 'https://hartsmere.recruitee.com/api/offers', note: 'all offers' }],
  handle(request) {
    const company = request.host.split('.')[0] as string;
    const hasToken = request.headers['x-careers-sites-token'] === RECRUITEE_TOKEN;
    const refused = refusal(company, 'recruitee');
    if (refused && !(refused.status === 401 && hasToken)) return refused;
    if (request.path === '/')
      return html(
        `<!doctype html><title>${esc(companyName(company))}</title><script src="https://careers.recruiteecdn.com/site.js"></script><script>window.recruitee = {}</script>`,
      );
    if (request.path !== '/api/offers') return undefined;
    const rows = positionsFor(request, 'recruitee', company).map((position) => offer(position, company));
    const draft = rows.slice(0, 1).map((first) => ({ ...first, id: 1, status: 'internal' }));
    return json({
      offers: withBadRows(company, [...rows, ...draft], {
        untitled: { id: 2, title: null },
        nameless: { title: 'An offer without an id' },
      }),
    });
  },
};

const when = (ms: number) => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

function offer(position: TruePosition, company: string) {
  const { place, pay } = position;
  const url = `https://${company}.recruitee.com/o/offer-${position.number}`;
  const located = { city: place.city, state: place.region, country: place.country, country_code: place.countryCode };
  return {
    id: position.number,
    slug: `offer-${position.number}`,
    position: 12,
    title: `${position.title} (f/m/d)`,
    company_name: companyName(company),
    status: 'published',
    careers_url: url,
    careers_apply_url: `${url}/c/new`,
    description: paragraphsHtml(position),
    requirements: `<ul>${dutiesHtml(position)}</ul>`,
    location: position.remote === 'remote' ? 'Remote job' : `${place.city}, ${place.region}, ${place.country}`,
    city: place.city,
    state_name: place.region,
    country: place.country,
    country_code: place.countryCode,
    locations: [{ id: 1, name: place.city, ...located }],
    remote: position.remote === 'remote',
    hybrid: position.remote !== 'onsite',
    on_site: position.remote === 'onsite',
    employment_type_code: TYPES[position.type],
    experience_code: position.level === 'senior' ? 'experienced' : 'mid_level',
    salary: {
      min: pay && String(pay.min),
      max: pay && String(pay.max),
      period: pay && 'year',
      currency: pay?.currency ?? null,
    },
    published_at: when(position.bornMs),
    created_at: when(position.bornMs),
    updated_at: when(position.changedMs),
    close_at: null,
    department: position.department,
    tags: [],
    mailbox_email: `job.x@${company}.recruitee.com`,
    translations: { en: { title: position.title } },
  };
}

const TYPES = {
  full_time: 'fulltime_permanent',
  part_time: 'parttime_permanent',
  contract: 'freelance',
  internship: 'internship',
};
