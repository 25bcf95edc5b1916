// Gem's job board API: a board in one answer.
import type { Replica } from '../../replica.ts';
import { uuid } from '../lever.ts';
import { iso, json, placeText, positionsFor, refusal, textHtml, withBadRows } from '../replies.ts';
import type { TruePosition } from '../truth.ts';

export const gem: Replica = {
  name: 'gem',
  title: 'Gem job boards of made-up companies',
  hosts: ['api.gem.com'],
  examples: [{ url: 'https://api.gem.com/job_board/v0/aldermoor/job_posts/', note: 'one board' }],
  handle(request) {
    const board = /^\/job_board\/v0\/([\w-]+)\/job_posts\/$/.exec(request.path)?.[1];
    if (board === undefined) return undefined;
    const refused = refusal(board, 'gem');
    if (refused) return refused;
    const rows = positionsFor(request, 'gem', board).map((position) => row(position, board));
    return json(withBadRows(board, rows, { untitled: { id: 'x', title: null }, nameless: { title: 'No id' } }));
  },
};

function row(position: TruePosition, board: string) {
  const { pay } = position;
  const id = uuid(position, board);
  return {
    id,
    title: position.title,
    absolute_url: `https://jobs.gem.com/${board}/${id}`,
    content: textHtml(position),
    departments: [{ id: '1', name: position.department, parent_id: null, child_ids: [] }],
    location: { name: placeText(position.place) },
    location_type: { remote: 'remote', hybrid: 'hybrid', onsite: 'in_office' }[position.remote],
    employment_type: position.type === 'internship' ? 'intern' : position.type,
    first_published_at: iso(position.bornMs),
    updated_at: iso(position.changedMs),
    pay_input_ranges: pay && [
      { min_cents: pay.min * 100, max_cents: pay.max * 100, currency_type: pay.currency, title: 'Annual Salary' },
    ],
  };
}
