// Comeet's careers API and its hosted pages, which embed the token that the API wants.

import { esc, scriptJson } from '../news/markup.ts';
import { hash32 } from '../random.ts';
import type { Replica, SandboxRequest } from '../replica.ts';
import { dutiesHtml, html, iso, json, paragraphsHtml, positionsFor, withBadRows } from './replies.ts';
import { companyName, exists, type TruePosition } from './truth.ts';

/** Company uids are two hexadecimal numbers; every one is a company whose name follows from it. */
const UID = /^[0-9A-F]{2}\.[0-9A-F]{3}$/;

export function comeetUid(token: string): string {
  const hex = (hash32(token, 7) % 0xfffff).toString(16).toUpperCase().padStart(5, '0');
  return `${hex.slice(0, 2)}.${hex.slice(2)}`;
}

export const comeetToken = (uid: string): string =>
  hash32(uid, 11).toString(16).toUpperCase().padStart(8, '0').repeat(2);

export const comeet: Replica = {
  name: 'comeet',
  title: 'Comeet career pages of made-up companies',
  hosts: ['www.comeet.co', 'www.comeet.com'],
  examples: [{ url: 'https://www.comeet.com/jobs/elmstead/30.005', note: 'a hosted page with everything in a script' }],
  handle(request) {
    const hosted = /^\/jobs\/([^/]+)\/([0-9A-F.]+)/.exec(request.path);
    if (hosted) return hostedPage(request, hosted[1] as string, hosted[2] as string);
    const uid = /^\/careers-api\/2\.0\/company\/([^/]+)\/positions$/.exec(request.path)?.[1];
    if (uid === undefined || !UID.test(uid)) return undefined;
    const token = request.query.get('token') ?? '';
    if (token === '') return json({ status: 400, message: 'Token is missing' }, 400);
    if (token !== comeetToken(uid)) return json({ status: 404, message: 'Company not found' }, 404);
    return json(rowsOf(request, uid));
  },
};

function rowsOf(request: SandboxRequest, uid: string): unknown[] {
  const rows = positionsFor(request, 'comeet', uid).map((position) => row(position, uid));
  const internal = rows.slice(0, 1).map((first) => ({ ...first, uid: 'FF.FFF', is_internal: true }));
  return withBadRows(uid, [...rows, ...internal], {
    untitled: { uid: 'EE.EEE' },
    nameless: { name: 'A position without a uid' },
  });
}

function row(position: TruePosition, uid: string) {
  const { place } = position;
  const id = `${(position.number >> 12).toString(16).toUpperCase()}.${(position.number & 0xfff).toString(16).toUpperCase().padStart(3, '0')}`;
  const url = `https://www.comeet.com/jobs/company/${uid}/position/${id}`;
  return {
    uid: id,
    name: position.title,
    department: position.department,
    email: `company.${id}@applynow.io`,
    location: {
      name: place.city,
      country: place.countryCode,
      city: place.city,
      state: place.regionCode,
      is_remote: position.remote === 'remote',
    },
    employment_type: TYPES[position.type],
    experience_level: position.level === 'senior' ? 'Senior' : null,
    workplace_type: WORKPLACES[position.remote],
    time_updated: iso(position.changedMs),
    company_name: companyName('elmstead'),
    is_internal: false,
    company_referrals_reward: '10,000 ILS',
    url_active_page: url,
    url_comeet_hosted_page: url,
    details: [
      { name: 'Requirements', value: `<ul>${dutiesHtml(position)}</ul>`, order: 2 },
      { name: 'Description', value: paragraphsHtml(position), order: 1 },
    ],
  };
}

function hostedPage(request: SandboxRequest, slug: string, uid: string) {
  if (!exists(slug) || !UID.test(uid)) return undefined;
  const company = { name: companyName(slug), company_uid: uid, token: comeetToken(uid), slug };
  const rows = scriptJson(rowsOf(request, uid));
  return html(
    `<!doctype html><title>Jobs at ${esc(company.name)}</title><script>var COMPANY_DATA = ${JSON.stringify(company)};\nvar COMPANY_POSITIONS_DATA = ${rows};\nvar POSITION_DATA;</script>`,
  );
}

const TYPES = { full_time: 'Full-time', part_time: 'Part-time', contract: 'Contract', internship: 'Internship' };
const WORKPLACES = { remote: 'Remote', hybrid: 'Hybrid', onsite: 'On-site' };
