// iCIMS sites of the newer kind: a JSON list of at most 100 a page.
import type { Replica } from '../../replica.ts';
import { html, iso, json, numberIn, pageOf, positionsFor, refusal, textHtml, withBadRows } from '../replies.ts';
import { companyName, type TruePosition } from '../truth.ts';

const MOST = 100;

export const jibe: Replica = {
  name: 'jibe',
  title: 'iCIMS career sites under names of made-up companies',
  hosts: ['*.jibe.example'],
  examples: [{ url: 'https://aldermoor.jibe.example/api/jobs?page=1&limit=100', note: 'a page of one board' }],
  handle(request) {
    const company = request.host.split('.')[0]!;
    const refused = refusal(company, 'jibe');
    if (refused) return refused;
    if (request.path !== '/api/jobs')
      return html('<!doctype html><script src="https://app.jibecdn.com/prod/search/main.js"></script>');
    const limit = numberIn(request.query.get('limit'), 10);
    const rows = withBadRows(
      company,
      positionsFor(request, 'jibe', company).map((one) => row(one, company)),
      {
        untitled: { data: { slug: '1', title: null } },
        nameless: { data: { title: 'No id' } },
      },
    );
    const offset = (Math.max(1, numberIn(request.query.get('page'), 1)) - 1) * limit;
    const page = pageOf(company, rows, { offset, limit });
    return json({ jobs: limit > MOST ? [] : page.rows, totalCount: page.total });
  },
};

function row(position: TruePosition, company: string) {
  const { place } = position;
  return {
    data: {
      slug: String(position.number),
      req_id: String(position.number),
      language: 'en-us',
      title: position.title,
      description: textHtml(position),
      location_name: `${place.city}-HQ`,
      city: place.city,
      state: place.region,
      country: place.country,
      country_code: place.countryCode,
      full_location: `${place.city}, ${place.country}`,
      categories: [{ name: position.department }],
      employment_type: { full_time: 'FULL_TIME', part_time: 'PART_TIME', contract: 'CONTRACTOR', internship: 'INTERN' }[
        position.type
      ],
      hiring_organization: companyName(company),
      posted_date: iso(position.bornMs).replace('Z', '+0000'),
      apply_url: `https://careers-${company}.icims.com/jobs/${position.number}/login`,
    },
  };
}
