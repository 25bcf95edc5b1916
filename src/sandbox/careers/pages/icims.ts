// iCIMS portals: a list and postings as pages of a frame. Without `in_iframe=1` they are empty wrappers. Those of `locked-…` take everybody for a robot.
import { esc } from '../../news/markup.ts';
import type { Replica } from '../../replica.ts';
import { html, numberIn, placeText, positionsFor, refusal } from '../replies.ts';
import { postingPage } from '../site-pages.ts';
import { quirksOf, type TruePosition } from '../truth.ts';

const PAGE_ROWS = 20;

export const icims: Replica = {
  name: 'icims',
  title: 'iCIMS portals of made-up companies',
  hosts: ['*.icims.com'],
  examples: [{ url: 'https://careers-aldermoor.icims.com/jobs/search?ss=1&in_iframe=1', note: 'a page of one portal' }],
  handle(request) {
    const company = request.host.split('.')[0]!.replace(/^careers-/, '');
    if (quirksOf(company).locked) return html('<title>Human Verification</title>', 405);
    const refused = refusal(company, 'icims');
    if (refused) return refused;
    if (request.query.get('in_iframe') !== '1') return html('<!doctype html><div class="iCIMS_MainWrapper"></div>');
    const positions = positionsFor(request, 'icims', company);
    const id = /^\/jobs\/(\d+)\//.exec(request.path)?.[1];
    if (id !== undefined) {
      const position = positions.find((one) => String(one.number) === id);
      return position && postingPage(position, company, `${request.origin}/jobs/${id}/a-job/job`);
    }
    if (request.path !== '/jobs/search') return undefined;
    const at = numberIn(request.query.get('pr'), 0);
    const shown = positions.slice(at * PAGE_ROWS, (at + 1) * PAGE_ROWS);
    const bad =
      quirksOf(company).untitledRow && at === 0
        ? ['<li class="iCIMS_JobCardItem"><a href="/jobs/99999999/x/job?in_iframe=1" class="iCIMS_Anchor"></a></li>']
        : [];
    const pages = Math.max(1, Math.ceil(positions.length / PAGE_ROWS));
    return html(
      `<!doctype html><div class="iCIMS_MainWrapper iCIMS_ListingsPage"><ul class="iCIMS_JobsTable">${[...shown.map((one) => card(one, request.origin)), ...bad].join('')}</ul><div class="iCIMS_Paginator">Page ${at + 1} of ${pages}</div></div>`,
    );
  },
};

const card = (position: TruePosition, origin: string): string =>
  `<li class="iCIMS_JobCardItem"><div class="row"><div class="header left"><span class="sr-only field-label">Job Locations</span><span> ${esc(placeText(position.place))}</span></div><div class="title"><a href="${origin}/jobs/${position.number}/a-job/job?in_iframe=1" class="iCIMS_Anchor"><span class="sr-only field-label">Title</span><h3>${esc(position.title)}</h3></a></div></div></li>`;
