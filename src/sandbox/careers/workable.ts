// Workable's widget for one account, and the list that its own site uses.
import type { Replica, SandboxRequest } from '../replica.ts';
import { day, json, numberIn, positionsFor, refusal, textHtml, withBadRows } from './replies.ts';
import { companyName, type TruePosition } from './truth.ts';

const PAGE_ROWS = 10;
const code = (position: TruePosition) => position.number.toString(16).toUpperCase().padStart(10, 'A');

export const workable: Replica = {
  name: 'workable',
  title: 'Workable career pages of made-up companies',
  hosts: ['apply.workable.com'],
  examples: [{ url: 'https://apply.workable.com/api/v1/widget/accounts/garrowby?details=true', note: 'one account' }],
  async handle(request) {
    const widget = /^\/api\/v1\/widget\/accounts\/([^/]+)$/.exec(request.path)?.[1];
    if (widget !== undefined) return refusal(widget, 'workable') ?? json(widgetOf(request, widget));
    const [, account, , shortcode] = /^\/api\/v[23]\/accounts\/([^/]+)\/jobs(\/(\w+))?$/.exec(request.path) ?? [];
    if (account === undefined) return undefined;
    const refused = refusal(account, 'workable');
    if (refused) return refused;
    const positions = positionsFor(request, 'workable', account);
    if (shortcode !== undefined) {
      const position = positions.find((one) => code(one) === shortcode);
      return position
        ? json({ ...listed(position), description: textHtml(position), requirements: '', benefits: '' })
        : json({ error: 'Not Found' }, 404);
    }
    const { token } = JSON.parse(await request.readBody()) as { token?: string };
    const from = numberIn(token, 0);
    const next = from + PAGE_ROWS < positions.length ? { nextPage: String(from + PAGE_ROWS) } : {};
    return json({ total: positions.length, results: positions.slice(from, from + PAGE_ROWS).map(listed), ...next });
  },
};

function widgetOf(request: SandboxRequest, account: string) {
  const withDetails = request.query.get('details') === 'true';
  const rows = positionsFor(request, 'workable', account).map((position) => ({
    title: position.title,
    shortcode: code(position),
    employment_type: TYPES[position.type],
    telecommuting: position.remote === 'remote',
    department: position.department,
    url: `https://apply.workable.com/j/${code(position)}`,
    application_url: `https://apply.workable.com/j/${code(position)}/apply`,
    published_on: day(position.bornMs),
    created_at: day(position.bornMs),
    country: position.place.country,
    city: position.place.city,
    state: position.place.region,
    experience: '',
    function: '',
    industry: '',
    locations: placesOf(position),
    ...(withDetails && { description: textHtml(position) }),
  }));
  const bad = { untitled: { shortcode: 'BAD0000000', title: null }, nameless: { title: 'A job without a code' } };
  return { name: companyName(account), description: null, jobs: withBadRows(account, rows, bad) };
}

function placesOf({ place }: TruePosition) {
  return [
    { country: place.country, countryCode: place.countryCode, city: place.city, region: place.region, hidden: false },
  ];
}

function listed(position: TruePosition) {
  return {
    shortcode: code(position),
    title: position.title,
    remote: position.remote === 'remote',
    workplace: { remote: 'remote', hybrid: 'hybrid', onsite: 'on_site' }[position.remote],
    locations: placesOf(position),
    state: 'published',
    isInternal: false,
    published: new Date(position.bornMs).toISOString(),
    type: { full_time: 'full', part_time: 'part', contract: 'contract', internship: 'internship' }[position.type],
    language: 'en',
    department: [position.department],
  };
}

const TYPES = { full_time: 'Full-time', part_time: 'Part-time', contract: 'Contract', internship: 'Internship' };
