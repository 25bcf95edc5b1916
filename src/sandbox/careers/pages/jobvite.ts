// Jobvite's career sites: a table with all postings, and a page for each.
import { esc } from '../../news/markup.ts';
import type { Replica } from '../../replica.ts';
import { html, placeText, positionsFor, refusal } from '../replies.ts';
import { page, postingPage } from '../site-pages.ts';
import { exists, quirksOf, type TruePosition } from '../truth.ts';

export const jobviteId = (position: TruePosition): string => `o${position.number.toString(36)}fw`;

export const jobvite: Replica = {
  name: 'jobvite',
  title: 'Jobvite career sites of made-up companies',
  hosts: ['jobs.jobvite.com'],
  examples: [{ url: 'https://jobs.jobvite.com/aldermoor/jobs/viewall', note: 'one board' }],
  handle(request) {
    const [, company, rest] = /^\/([\w-]+)\/(.*)$/.exec(request.path) ?? [];
    if (company === undefined) return undefined;
    if (!exists(company))
      return { ...html('', 302), headers: { location: 'https://www.jobvite.example/support/?invalid=1' } };
    const refused = refusal(company, 'jobvite');
    if (refused) return refused;
    const positions = positionsFor(request, 'jobvite', company);
    const position = positions.find((one) => rest === `job/${jobviteId(one)}`);
    if (position !== undefined) return postingPage(position, company, request.origin + request.path);
    if (rest !== 'jobs/viewall') return undefined;
    const quirks = quirksOf(company);
    const rows = positions.map((one) => row(`/${company}/job/${jobviteId(one)}`, one.title, placeText(one.place)));
    if (quirks.untitledRow) rows.push(row(`/${company}/job/oXXXXfw`, '', 'Nowhere'));
    if (quirks.namelessRow) rows.push(row('/', 'No id', 'Nowhere'));
    return page(
      company,
      `<div class="jv-page-body"><table class="jv-job-list"><tbody>${rows.join('')}</tbody></table></div>`,
    );
  },
};

const row = (href: string, title: string, place: string): string =>
  `<tr><td class="jv-job-list-name"><a href="${href}">${esc(title)}</a></td><td class="jv-job-list-location">${esc(place)}</td></tr>`;
