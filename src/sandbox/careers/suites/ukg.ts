// UKG's job boards: a list by POST, and pages whose script has the text. Companies called `locked-…` want the token of the board's page.
import { z } from 'zod';
import { scriptJson } from '../../news/markup.ts';
import type { Replica } from '../../replica.ts';
import { tokenOf } from '../guid.ts';
import { uuid } from '../lever.ts';
import { html, iso, json, pageOf, positionsFor, refusal, textHtml, withBadRows } from '../replies.ts';
import { quirksOf, type TruePosition } from '../truth.ts';

const TOKEN = 'CfDJ8sandboxsandbox';
const Asked = z.object({ opportunitySearch: z.object({ Top: z.number(), Skip: z.number() }) });

export const ukg: Replica = {
  name: 'ukg',
  title: 'UKG Pro job boards of made-up companies',
  hosts: ['recruiting.ultipro.com', 'recruiting2.ultipro.com'],
  examples: [
    {
      url: 'https://recruiting.ultipro.com/ACM1000ACME/JobBoard/00000000-0000-0000-0000-000000000001/',
      note: 'its name is spelled as a GUID',
    },
  ],
  async handle(request) {
    const [, guid, rest] = /^\/\w+\/JobBoard\/([\da-f-]{36})(\/.*)$/i.exec(request.path) ?? [];
    if (guid === undefined) return undefined;
    const company = tokenOf(guid);
    const { locked } = quirksOf(company);
    const refused = locked ? undefined : refusal(company, 'ukg');
    if (refused) return refused;
    const positions = positionsFor(request, 'ukg', company);
    if (rest === '/')
      return html(
        `<!doctype html><script>document.write('<input name="__RequestVerificationToken" type="hidden" value="${TOKEN}" />')</script>`,
      );
    if (rest === '/OpportunityDetail') {
      const position = positions.find((one) => uuid(one, company) === request.query.get('opportunityId'));
      return position && html(detail(position));
    }
    if (rest !== '/JobBoardView/LoadSearchResults' || request.method !== 'POST') return undefined;
    if (locked && request.headers['x-requestverificationtoken'] !== TOKEN) return json({}, 400);
    const asked = Asked.parse(JSON.parse(await request.readBody())).opportunitySearch;
    const rows = withBadRows(
      company,
      positions.map((one) => row(one, company)),
      {
        untitled: { Id: 'x', Title: null },
        nameless: { Title: 'No id' },
      },
    );
    const page = pageOf(company, rows, { offset: asked.Skip, limit: Math.min(50, asked.Top) });
    return json({ opportunities: page.rows, totalCount: page.total });
  },
};

const row = (position: TruePosition, company: string) => ({
  Id: uuid(position, company),
  Title: position.title,
  RequisitionNumber: `R${position.number}`,
  FullTime: position.type !== 'part_time',
  JobCategoryName: position.department,
  PostedDate: iso(position.bornMs),
  BriefDescription: 'A short text.',
  JobLocationType: { remote: 'Remote', hybrid: 'Hybrid', onsite: 'On-site' }[position.remote],
  Locations: [
    {
      LocalizedName: 'Office',
      Address: {
        City: position.place.city,
        State: { Code: position.place.regionCode, Name: position.place.region },
        Country: { Code: position.place.countryCode, Name: position.place.country },
      },
    },
  ],
});

function detail(position: TruePosition): string {
  const { pay } = position;
  const opportunity = {
    Description: textHtml(position),
    PayRangeVisible: pay !== null,
    PayRangeMinimum: pay?.min ?? 1,
    PayRangeMaximum: pay?.max ?? 2,
    PayRangeCurrencyCode: pay?.currency ?? 'USD',
  };
  return `<!doctype html><script>var opportunity = new US.Opportunity.CandidateOpportunityDetail(${scriptJson(opportunity)});</script>`;
}
