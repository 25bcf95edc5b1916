// Greenhouse's board API. Texts are HTML written as text; pay is only on a job's own endpoint.
import { esc } from '../news/markup.ts';
import type { Replica } from '../replica.ts';
import { html, iso, json, placeText, positionsFor, refusal, textHtml, withBadRows } from './replies.ts';
import { companyName, type TruePosition } from './truth.ts';

/** Ids beyond 32 bits, as the vendor has them. */
const idOf = (position: TruePosition) => 4_000_000_000 + position.number;

export const greenhouse: Replica = {
  name: 'greenhouse',
  title: 'Greenhouse job boards of made-up companies',
  hosts: ['boards-api.greenhouse.io', 'job-boards.greenhouse.io', 'boards.greenhouse.io'],
  examples: [{ url: 'https://boards-api.greenhouse.io/v1/boards/aldermoor/jobs?content=true', note: 'one board' }],
  handle(request) {
    if (request.host !== 'boards-api.greenhouse.io') return boardPage(request.path);
    const [, token, , id] = /^\/v1\/boards\/([^/]+)\/jobs(\/(\d+))?$/.exec(request.path) ?? [];
    if (token === undefined) return undefined;
    const refused = refusal(token, 'greenhouse');
    if (refused) return refused;
    const positions = positionsFor(request, 'greenhouse', token);
    if (id !== undefined) {
      const position = positions.find((one) => String(idOf(one)) === id);
      return position
        ? json({ ...job(token, position, true), pay_input_ranges: pay(position) })
        : json({ status: 404, error: 'Job not found' }, 404);
    }
    const withContent = request.query.get('content') === 'true';
    const rows = withBadRows(
      token,
      positions.map((position) => job(token, position, withContent)),
      {
        untitled: { id: 4_999_999_999, title: null, location: { name: 'Nowhere' } },
        nameless: { title: 'A job without an id' },
      },
    );
    return json({ jobs: rows, meta: { total: rows.length } });
  },
};

function boardPage(path: string) {
  const token = /^\/([\w-]+)/.exec(path)?.[1];
  return token === undefined
    ? undefined
    : html(`<!doctype html><title>Jobs at ${esc(companyName(token))}</title><h1>Current openings</h1>`);
}

function job(token: string, position: TruePosition, withContent: boolean) {
  const { place } = position;
  const id = idOf(position);
  const base = {
    id,
    internal_job_id: 3_000_000_000 + position.number,
    title: ` ${position.title} `,
    absolute_url: `https://job-boards.greenhouse.io/${token}/jobs/${id}`,
    location: { name: placeText(place) },
    metadata: [
      { id: 1, name: 'Employment Type', value: TYPES[position.type], value_type: 'single_select' },
      { id: 2, name: 'Location Type', value: WORKPLACES[position.remote], value_type: 'single_select' },
    ],
    first_published: iso(position.bornMs).replace('Z', '+00:00'),
    updated_at: iso(position.changedMs).replace('Z', '+00:00'),
    application_deadline: null,
    requisition_id: `R-${position.number}`,
    company_name: companyName(token),
    language: 'en',
  };
  if (!withContent) return base;
  return {
    ...base,
    content: esc(textHtml(position)),
    departments: [{ id: 10, name: position.department, child_ids: [], parent_id: null }],
    offices: [
      {
        id: 20,
        name: place.city,
        location: `${place.city}, ${place.region}, ${place.country}`,
        child_ids: [],
        parent_id: null,
      },
    ],
  };
}

const TYPES = { full_time: 'Full-time', part_time: 'Part-time', contract: 'Contract', internship: 'Internship' };
const WORKPLACES = { remote: 'Remote', hybrid: 'Hybrid', onsite: 'On-site' };

function pay({ pay }: TruePosition) {
  return pay === null
    ? []
    : [
        {
          min_cents: pay.min * 100,
          max_cents: pay.max * 100,
          currency_type: pay.currency,
          title: 'Annual Salary',
          blurb: null,
        },
      ];
}
