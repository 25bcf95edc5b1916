// Rippling's board API: a row for each place of a posting, and a call per posting for the rest.
import type { Replica } from '../../replica.ts';
import { uuid } from '../lever.ts';
import { dutiesHtml, iso, json, paragraphsHtml, placeText, positionsFor, refusal, withBadRows } from '../replies.ts';
import { companyName, type TruePosition } from '../truth.ts';

export const rippling: Replica = {
  name: 'rippling',
  title: 'Rippling job boards of made-up companies',
  hosts: ['api.rippling.com'],
  examples: [
    { url: 'https://api.rippling.com/platform/api/ats/v1/board/aldermoor/jobs', note: 'one board, without texts' },
  ],
  handle(request) {
    const [, board, id] = /^\/platform\/api\/ats\/v1\/board\/([\w-]+)\/jobs(?:\/([\w-]+))?$/.exec(request.path) ?? [];
    if (board === undefined) return undefined;
    const refused = refusal(board, 'rippling');
    if (refused) return refused;
    const positions = positionsFor(request, 'rippling', board);
    if (id === undefined)
      return json(
        withBadRows(
          board,
          positions.flatMap((position) => rows(position, board)),
          { untitled: { uuid: 'x', name: null }, nameless: { name: 'No id' } },
        ),
      );
    const position = positions.find((one) => uuid(one, board) === id);
    return position ? json(detail(position, board)) : json({ detail: 'Not found' }, 404);
  },
};

/** Every third posting is in two places. */
const placesOf = (position: TruePosition): string[] => [
  placeText(position.place),
  ...(position.number % 3 === 0 ? ['Dublin, Ireland'] : []),
];

function rows(position: TruePosition, board: string) {
  return placesOf(position).map((label) => ({
    uuid: uuid(position, board),
    name: position.title,
    department: { id: position.department, label: position.department },
    url: `https://ats.rippling.com/${board}/jobs/${uuid(position, board)}`,
    workLocation: { label: position.remote === 'onsite' ? label : `${label} (${WORK[position.remote]})`, id: label },
  }));
}

function detail(position: TruePosition, board: string) {
  const { pay } = position;
  return {
    uuid: uuid(position, board),
    name: position.title,
    companyName: companyName(board),
    description: { company: paragraphsHtml(position), role: `<ul>${dutiesHtml(position)}</ul>` },
    workLocations: rows(position, board).map(({ workLocation }) => workLocation.label),
    department: { name: position.department },
    employmentType: { label: 'CODE', id: TYPES[position.type] },
    createdOn: iso(position.bornMs),
    payRangeDetails:
      pay === null
        ? []
        : [{ currency: pay.currency, frequency: 'YEAR', rangeStart: pay.min, rangeEnd: pay.max, location: null }],
  };
}

const WORK = { remote: 'Remote', hybrid: 'Hybrid' };
const TYPES = {
  full_time: 'Salaried, full-time',
  part_time: 'Hourly, part-time',
  contract: 'Contractor',
  internship: 'Intern',
};
