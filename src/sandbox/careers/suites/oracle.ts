// Oracle's Candidate Experience: a list whose paging stands in `finder`, and details by id.
import type { Replica } from '../../replica.ts';
import {
  day,
  dutiesHtml,
  json,
  numberIn,
  pageOf,
  paragraphsHtml,
  positionsFor,
  refusal,
  withBadRows,
} from '../replies.ts';
import type { TruePosition } from '../truth.ts';

export const oracle: Replica = {
  name: 'oracle',
  title: 'Oracle Recruiting Cloud sites of made-up companies',
  hosts: ['*.oraclecloud.com'],
  examples: [
    {
      url: 'https://aldermoor.fa.us2.oraclecloud.com/hcmRestApi/resources/latest/recruitingCEJobRequisitions?expand=requisitionList&finder=findReqs;siteNumber=CX_1,limit=25,offset=0',
      note: 'a page of one board',
    },
  ],
  handle(request) {
    const company = request.host.split('.')[0]!;
    const resource = /^\/hcmRestApi\/resources\/latest\/(\w+)$/.exec(request.path)?.[1];
    if (resource === undefined) return undefined;
    const refused = refusal(company, 'oracle');
    if (refused) return refused;
    const finder = request.query.get('finder') ?? '';
    const at = (name: string) => new RegExp(`[;,]${name}="?([^,;"]+)`).exec(finder)?.[1];
    const positions = positionsFor(request, 'oracle', company);
    if (resource === 'recruitingCEJobRequisitionDetails')
      return json({ items: positions.filter((one) => String(one.number) === at('Id')).map(detail) });
    const rows = withBadRows(company, positions.map(row), {
      untitled: { Id: '1', Title: null },
      nameless: { Title: 'No id' },
    });
    const slice = { offset: numberIn(at('offset'), 0), limit: Math.min(200, numberIn(at('limit'), 25)) };
    const page = pageOf(company, rows, slice);
    const isExpanded = request.query.get('expand')?.startsWith('requisitionList');
    return json({
      items: [{ TotalJobsCount: page.total, ...(isExpanded && { requisitionList: page.rows }) }],
      totalResults: 1,
    });
  },
};

const row = (position: TruePosition) => ({
  Id: String(position.number),
  Title: position.title,
  PostedDate: day(position.bornMs),
  PrimaryLocation: `${position.place.city}, ${position.place.region}, ${position.place.country}`,
  PrimaryLocationCountry: position.place.countryCode,
  secondaryLocations: [],
  WorkplaceTypeCode: { remote: 'ORA_REMOTE', hybrid: 'ORA_HYBRID', onsite: 'ORA_ON_SITE' }[position.remote],
  JobSchedule: { full_time: 'Full time', part_time: 'Part time', contract: null, internship: null }[position.type],
  ContractType: { full_time: null, part_time: null, contract: 'Contract', internship: 'Internship' }[position.type],
  Department: position.department,
  ShortDescriptionStr: 'A short text.',
});

const detail = (position: TruePosition) => ({
  Id: String(position.number),
  Title: position.title,
  ExternalDescriptionStr: paragraphsHtml(position),
  ExternalResponsibilitiesStr: `<ul>${dutiesHtml(position)}</ul>`,
  ExternalQualificationsStr: null,
});
