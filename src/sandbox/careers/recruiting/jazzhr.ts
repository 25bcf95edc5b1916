// JazzHR's feed, and the career page that is there without one (companies called `locked-…` do not syndicate).
import { esc } from '../../news/markup.ts';
import type { Replica, SandboxRequest } from '../../replica.ts';
import { html, iso, positionsFor, refusal, textHtml, xml } from '../replies.ts';
import { page, postingPage } from '../site-pages.ts';
import { exists, quirksOf, type TruePosition } from '../truth.ts';

export const jazzId = (position: TruePosition): string =>
  `job_${iso(position.bornMs).replace(/\D/g, '').slice(0, 14)}_${position.number.toString(36).toUpperCase()}`;
const code = (position: TruePosition) => `C${position.number.toString(36)}`;

export const jazzhr: Replica = {
  name: 'jazzhr',
  title: 'JazzHR feeds and career pages of made-up companies',
  hosts: ['app.jazz.co', '*.applytojob.com'],
  examples: [{ url: 'https://app.jazz.co/feeds/export/jobs/aldermoor', note: 'one board' }],
  handle(request) {
    if (request.host !== 'app.jazz.co') return site(request, request.host.split('.')[0]!);
    const company = /^\/feeds\/export\/jobs\/([\w-]+)$/.exec(request.path)?.[1];
    if (company === undefined) return undefined;
    const quirks = quirksOf(company);
    if (quirks.moved) return refusal(company, 'jazzhr');
    const positions = quirks.locked || !exists(company) ? [] : positionsFor(request, 'jazzhr', company);
    const jobs = positions.map((position) => job(position, company));
    if (quirks.untitledRow) jobs.push('<job><id>job_20260101000000_X</id></job>');
    if (quirks.namelessRow) jobs.push('<job><title>No id</title></job>');
    return xml(`<?xml version="1.0" encoding="UTF-8"?><jobs><publisher>JazzHR</publisher>${jobs.join('')}</jobs>`);
  },
};

function job(position: TruePosition, company: string): string {
  const { place } = position;
  const fields = {
    id: jazzId(position),
    status: 'Open',
    title: position.title,
    department: position.department,
    url: `http://${company}.applytojob.com/apply/${code(position)}/A-Job`,
    city: place.city,
    state: place.region,
    country: place.country,
    type: TYPES[position.type],
    experience: 'Experienced',
    description: textHtml(position),
  };
  return `<job>${Object.entries(fields)
    .map(([name, value]) => `<${name}><![CDATA[${value}]]></${name}>`)
    .join('')}</job>`;
}

function site(request: SandboxRequest, company: string) {
  if (!exists(company)) return { ...html('', 302), headers: { location: 'https://www.jazzhr.example/job-seekers' } };
  const positions = positionsFor(request, 'jazzhr', company);
  if (request.path === '/apply')
    return page(
      company,
      positions.length === 0
        ? '<p>There are no open positions at the moment.</p>'
        : `<ul>${positions.map((one) => `<li><a href="/apply/${code(one)}/A-Job">${esc(one.title)}</a></li>`).join('')}</ul>`,
    );
  const position = positions.find(
    (one) => request.path === `/apply/${code(one)}/A-Job` || request.path === `/apply/${code(one)}`,
  );
  return position && postingPage(position, company, request.origin + request.path);
}

const TYPES = { full_time: 'Full Time', part_time: 'Part Time', contract: 'Contract', internship: 'Internship' };
