// Taleo's career sections: a page that names the portal, a list by POST, and pages whose script has the text spelled as a URL.
import { z } from 'zod';
import type { Replica } from '../../replica.ts';
import { html, json, placeText, positionsFor, refusal, textHtml, withBadRows } from '../replies.ts';
import type { TruePosition } from '../truth.ts';

const PAGE_ROWS = 25;
const PORTAL = '101430233';

export const taleo: Replica = {
  name: 'taleo',
  title: 'Taleo career sections of made-up companies',
  hosts: ['*.taleo.net'],
  examples: [
    {
      url: 'https://aldermoor.taleo.net/careersection/ex/jobsearch.ftl',
      note: 'POST …/rest/jobboard/searchjobs lists it',
    },
  ],
  async handle(request) {
    const company = request.host.split('.')[0]!;
    const refused = refusal(company, 'taleo');
    if (refused) return refused;
    const positions = positionsFor(request, 'taleo', company);
    if (request.path === '/careersection/ex/jobsearch.ftl')
      return html(`<!doctype html><script>var url = '/rest?portal=${PORTAL}&lang=en';</script>`);
    if (request.path === '/careersection/ex/jobdetail.ftl') {
      const position = positions.find((one) => String(one.number) === request.query.get('job'));
      return html(position ? detail(position) : '<!doctype html><p>The job is no longer available.</p>');
    }
    if (request.path !== '/careersection/rest/jobboard/searchjobs') return undefined;
    if (request.headers.tz === undefined || request.query.get('portal') !== PORTAL) return json({}, 500);
    const { pageNo } = z.object({ pageNo: z.number() }).parse(JSON.parse(await request.readBody()));
    const rows = withBadRows(company, positions.map(row), {
      untitled: { jobId: '1', column: [null], linkedColumn: 0 },
      nameless: { column: ['No id'], linkedColumn: 0 },
    });
    return json({
      requisitionList: rows.slice((pageNo - 1) * PAGE_ROWS, pageNo * PAGE_ROWS),
      pagingData: { currentPageNo: pageNo, pageSize: PAGE_ROWS, totalCount: rows.length },
      careerSectionUnAvailable: false,
    });
  },
};

const row = (position: TruePosition) => ({
  jobId: String(position.number),
  contestNo: `R${position.number}`,
  column: [
    position.title,
    JSON.stringify([placeText(position.place)]),
    new Date(position.bornMs).toUTCString().slice(5, 16),
  ],
  linkedColumn: 0,
  locationsColumns: [1],
});

function detail(position: TruePosition): string {
  const text = `!*!${encodeURIComponent(textHtml(position).replaceAll('"', '&quot;'))}`.replaceAll("'", "\\'");
  return `<!doctype html><script>api.fillList('requisitionDescriptionInterface', 'descRequisition', ['${position.number}', 'x', '${text}', '${text}']);</script>`;
}
