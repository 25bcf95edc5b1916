// Lever's posting API, global and EU. Texts come in parts, and as HTML to whoever does not ask for JSON.

import { esc } from '../news/markup.ts';
import { hash32 } from '../random.ts';
import type { Replica } from '../replica.ts';
import {
  dutiesHtml,
  html,
  json,
  numberIn,
  paragraphsHtml,
  placeText,
  positionsFor,
  refusal,
  withBadRows,
} from './replies.ts';
import { companyName, type TruePosition } from './truth.ts';

export const lever: Replica = {
  name: 'lever',
  title: 'Lever job sites of made-up companies',
  hosts: ['api.lever.co', 'api.eu.lever.co', 'jobs.lever.co', 'jobs.eu.lever.co'],
  examples: [{ url: 'https://api.lever.co/v0/postings/brackenfield?mode=json', note: 'one site' }],
  handle(request) {
    const { host, path, query } = request;
    if (host.startsWith('jobs.')) {
      const site = /^\/([\w.-]+)/.exec(path)?.[1];
      return site === undefined
        ? undefined
        : html(`<!doctype html><title>${esc(companyName(site))}</title><div class="postings-wrapper"></div>`);
    }
    const [, site, , id] = /^\/v0\/postings\/([^/]+)(\/([\w-]+))?$/.exec(path) ?? [];
    if (site === undefined) return undefined;
    // The same name on the EU host is another account.
    const vendor = host === 'api.eu.lever.co' ? 'lever-eu' : 'lever';
    const refused = refusal(site, 'lever');
    if (refused) return refused.status === 404 ? json({ ok: false, error: 'Document not found' }, 404) : refused;
    const positions = positionsFor(request, vendor, site);
    if (id !== undefined) {
      const position = positions.find((one) => uuid(one, site) === id);
      return position ? json(row(position, site)) : json({ ok: false, error: 'Document not found' }, 404);
    }
    const rows = withBadRows(
      site,
      positions.map((position) => row(position, site)),
      {
        untitled: { id: '00000000-0000-4000-8000-000000000000', text: null },
        nameless: { text: 'A posting without an id' },
      },
    );
    if (query.get('mode') !== 'json' && !/json/.test(String(request.headers.accept)))
      return html('<!doctype html><title>Lever</title>');
    const skip = numberIn(query.get('skip'), 0);
    return json(rows.slice(skip, skip + numberIn(query.get('limit'), rows.length)));
  },
};

export function uuid(position: TruePosition, site: string): string {
  const part = (n: number) => hash32(`${site} ${position.number} ${n}`).toString(16).padStart(8, '0');
  const [a, b, c] = [part(1), part(2), part(3)];
  return `${a}-${b.slice(0, 4)}-4${b.slice(5, 8)}-8${c.slice(1, 4)}-${c}${a.slice(0, 4)}`;
}

function row(position: TruePosition, site: string) {
  const { place, pay } = position;
  const id = uuid(position, site);
  return {
    id,
    text: position.title,
    hostedUrl: `https://jobs.lever.co/${site}/${id}`,
    applyUrl: `https://jobs.lever.co/${site}/${id}/apply`,
    categories: {
      commitment: COMMITMENTS[position.type],
      department: position.department,
      team: position.department,
      location: placeText(place),
      allLocations: [placeText(place)],
    },
    country: place.countryCode,
    workplaceType: position.remote,
    createdAt: position.bornMs,
    description: `<div>${paragraphsHtml(position)}</div>`,
    descriptionPlain: position.paragraphs.join('\n\n'),
    lists: [{ text: 'What you will do', content: dutiesHtml(position) }],
    additional: '<div>We look forward to hearing from you.</div>',
    ...(pay === null ? {} : { salaryRange: { ...pay, interval: 'per-year-salary' } }),
  };
}

const COMMITMENTS = {
  full_time: 'Regular Full Time (Salary)',
  part_time: 'Part-time',
  contract: 'Contract',
  internship: 'Internship',
};
