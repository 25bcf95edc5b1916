// Phenom's `/widgets`: one address for the list and for postings, told apart by `ddoKey`.
import { z } from 'zod';
import type { Replica } from '../../replica.ts';
import { iso, json, pageOf, positionsFor, refusal, textHtml, withBadRows } from '../replies.ts';
import { companyName, type TruePosition } from '../truth.ts';

const Asked = z.object({
  ddoKey: z.string(),
  jobs: z.boolean().optional(),
  from: z.number().default(0),
  size: z.number().max(500).default(10),
  jobSeqNo: z.string().optional(),
});

export const phenomSeq = (position: TruePosition): string => `SANDUS${position.number}EXTERNALENUS`;

export const phenom: Replica = {
  name: 'phenom',
  title: 'Phenom career sites of made-up companies',
  hosts: ['*.phenom.example'],
  examples: [{ url: 'https://aldermoor.phenom.example/us/en', note: 'POST /widgets lists it' }],
  async handle(request) {
    const company = request.host.split('.')[0]!;
    const refused = refusal(company, 'phenom');
    if (refused) return refused;
    if (request.path !== '/widgets' || request.method !== 'POST')
      return {
        status: 200,
        type: 'text/html; charset=utf-8',
        body: `<!doctype html><title>Careers</title><script src="https://cdn.phenompeople.com/CareerConnectResources/x.js"></script><script>var phApp = phApp || {"widgetApiEndpoint":"https://${request.host}/widgets"}; phApp.ddo = {};</script>`,
      };
    const asked = Asked.safeParse(JSON.parse(await request.readBody()));
    if (!asked.success) return json({ status: 'failure' });
    const positions = positionsFor(request, 'phenom', company);
    const { ddoKey, from, size, jobs, jobSeqNo } = asked.data;
    if (ddoKey === 'jobDetail') {
      const position = positions.find((one) => phenomSeq(one) === jobSeqNo);
      return json({
        jobDetail: {
          status: 200,
          data: position ? { job: { ...row(position, company), description: textHtml(position) } } : {},
        },
      });
    }
    const rows = withBadRows(
      company,
      positions.map((one) => row(one, company)),
      {
        untitled: { jobSeqNo: 'X', title: null },
        nameless: { title: 'No id' },
      },
    );
    const page = pageOf(company, rows, { offset: from, limit: size });
    return json({
      refineSearch: {
        status: 200,
        hits: page.rows.length,
        totalHits: page.total,
        data: { jobs: jobs ? page.rows : [] },
      },
    });
  },
};

const row = (position: TruePosition, company: string) => ({
  jobSeqNo: phenomSeq(position),
  jobId: String(position.number),
  reqId: String(position.number),
  title: position.title,
  city: position.place.city,
  state: position.place.region,
  country: position.place.country,
  cityStateCountry: `${position.place.city}, ${position.place.region}, ${position.place.country}`,
  category: position.department,
  companyName: companyName(company),
  type: { full_time: 'Full time', part_time: 'Part time', contract: 'Contract', internship: 'Internship' }[
    position.type
  ],
  postedDate: iso(position.bornMs).replace('Z', '+0000'),
  descriptionTeaser: 'A short text.',
  applyUrl: `https://${company}.wd5.myworkdayjobs.com/External/job/x/apply`,
  checkRemote: { remote: 'Remote', hybrid: 'Hybrid', onsite: 'On-Site' }[position.remote],
  locale: 'en_US',
});
