// JOIN's career pages: five postings a page in `__NEXT_DATA__`, amounts in cents.
import { scriptJson } from '../../news/markup.ts';
import type { Replica } from '../../replica.ts';
import { iso, numberIn, pageOf, positionsFor, refusal, textHtml, withBadRows } from '../replies.ts';
import { page } from '../site-pages.ts';
import { companyName, type TruePosition } from '../truth.ts';

const PAGE_ROWS = 5;

export const join: Replica = {
  name: 'join',
  title: 'JOIN career pages of made-up companies',
  hosts: ['join.com'],
  examples: [{ url: 'https://join.com/companies/aldermoor', note: 'a page of one board' }],
  handle(request) {
    const [, company, idParam] = /^\/companies\/([\w-]+)(?:\/jobs\/([\w-]+))?$/.exec(request.path) ?? [];
    if (company === undefined) return undefined;
    const refused = refusal(company, 'join');
    if (refused) return refused;
    const positions = positionsFor(request, 'join', company);
    const state = (initialState: object) =>
      page(
        company,
        `<script id="__NEXT_DATA__" type="application/json">${scriptJson({ props: { pageProps: { initialState } } })}</script>`,
      );
    if (idParam !== undefined) {
      const position = positions.find((one) => `${one.number}-a-job` === idParam);
      return (
        position && state({ job: { ...row(position), schemaDescription: textHtml(position), description: 'Markdown' } })
      );
    }
    const rows = withBadRows(company, positions.map(row), {
      untitled: { id: 1, title: null },
      nameless: { title: 'No id' },
    });
    const at = Math.max(1, numberIn(request.query.get('page'), 1));
    const shown = pageOf(company, rows, { offset: (at - 1) * PAGE_ROWS, limit: PAGE_ROWS });
    const pagination = {
      page: at,
      perPage: PAGE_ROWS,
      pageCount: Math.ceil(rows.length / PAGE_ROWS),
      total: shown.total,
    };
    return state({ company: { name: companyName(company) }, jobs: { items: shown.rows, pagination } });
  },
};

function row(position: TruePosition) {
  const { place, pay } = position;
  const cents = (amount: number) => ({ amount: amount * (pay?.currency === 'JPY' ? 1 : 100), currency: pay?.currency });
  return {
    id: position.number,
    idParam: `${position.number}-a-job`,
    title: position.title,
    city: { cityName: place.city, countryName: place.country },
    country: { iso3166: place.countryCode, name: place.country },
    workplaceType: position.remote.toUpperCase(),
    employmentType: {
      name: { full_time: 'Full-time', part_time: 'Part-time', contract: 'Freelancer', internship: 'Internship' }[
        position.type
      ],
    },
    category: { name: position.department },
    createdAt: iso(position.bornMs),
    ...(pay && { salaryAmountFrom: cents(pay.min), salaryAmountTo: cents(pay.max), salaryFrequency: 'PER_YEAR' }),
  };
}
