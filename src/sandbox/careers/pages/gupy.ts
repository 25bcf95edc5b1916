// Gupy's career pages: the whole list in `__NEXT_DATA__`, and a page per posting.
import { scriptJson } from '../../news/markup.ts';
import type { Replica } from '../../replica.ts';
import { positionsFor, refusal, withBadRows } from '../replies.ts';
import { page, postingPage } from '../site-pages.ts';
import type { TruePosition } from '../truth.ts';

export const gupy: Replica = {
  name: 'gupy',
  title: 'Gupy career pages of made-up companies',
  hosts: ['*.gupy.io'],
  examples: [{ url: 'https://aldermoor.gupy.io/', note: 'one board' }],
  handle(request) {
    const company = request.host.split('.')[0]!;
    const refused = refusal(company, 'gupy');
    if (refused) return refused;
    const positions = positionsFor(request, 'gupy', company);
    const position = positions.find((one) => request.path === `/jobs/${one.number}`);
    if (position !== undefined) return postingPage(position, company, request.origin + request.path);
    if (request.path !== '/') return undefined;
    const jobs = withBadRows(company, positions.map(row), {
      untitled: { id: 1, title: null },
      nameless: { title: 'No id' },
    });
    const data = { props: { pageProps: { subdomain: company, careerPage: {}, jobs } } };
    return page(company, `<script id="__NEXT_DATA__" type="application/json">${scriptJson(data)}</script>`);
  },
};

const row = (position: TruePosition) => ({
  id: position.number,
  title: position.title,
  department: position.department,
  type: 'vacancy_type_effective',
  workplace: {
    workplaceType: position.remote === 'onsite' ? 'on-site' : position.remote,
    address: { city: position.place.city, state: position.place.region, country: position.place.country },
  },
});
