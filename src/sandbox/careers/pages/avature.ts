// Avature's portals: six postings a page. Those of `locked-…` count by `offset` and ignore `jobOffset`.
import { esc } from '../../news/markup.ts';
import type { Replica } from '../../replica.ts';
import { html, iso, numberIn, placeText, positionsFor, refusal, textHtml } from '../replies.ts';
import { page } from '../site-pages.ts';
import { quirksOf, type TruePosition } from '../truth.ts';

const PAGE_ROWS = 6;

export const avature: Replica = {
  name: 'avature',
  title: 'Avature portals of made-up companies',
  hosts: ['*.avature.net'],
  examples: [{ url: 'https://aldermoor.avature.net/careers/SearchJobs', note: 'a page of one portal' }],
  handle(request) {
    const company = request.host.split('.')[0]!;
    const { locked, untitledRow, namelessRow } = quirksOf(company);
    const refused = locked ? undefined : refusal(company, 'avature');
    if (refused) return refused;
    const positions = positionsFor(request, 'avature', company);
    const id = /^\/careers\/JobDetail\/[^/]+\/(\d+)$/.exec(request.path)?.[1];
    const position = positions.find((one) => String(one.number) === id);
    if (position !== undefined)
      return page(company, `<h2>${esc(position.title)}</h2><div class="article__content">${textHtml(position)}</div>`);
    if (request.path !== '/careers/SearchJobs') return undefined;
    if (positions.length === 0)
      return html('<!doctype html><title>Careers</title><p>There are no open positions at the moment.</p>');
    const offset = numberIn(request.query.get(locked ? 'offset' : 'jobOffset'), 0);
    const cards = positions.map((one) => card(`/careers/JobDetail/A-Job/${one.number}`, one.title, one));
    if (untitledRow) cards.push(card('/careers/JobDetail/A-Job/999', '', null));
    if (namelessRow) cards.push(card('/careers/JobDetail/A-Job', 'No id', null));
    return page(company, cards.slice(offset, offset + PAGE_ROWS).join(''));
  },
};

function card(href: string, title: string, position: TruePosition | null): string {
  const day = position && new Date(position.bornMs).toUTCString().slice(5, 16).replaceAll(' ', '-');
  const more =
    position === null
      ? ''
      : `<span class="list-item-location">${esc(placeText(position.place))}</span><span class="list-item-posted">Posted ${day}</span><!-- ${iso(position.bornMs)} -->`;
  return `<article class="article article--result 1"><h3><a class="link" href="${href}">${esc(title)}</a></h3>${more}</article>`;
}
