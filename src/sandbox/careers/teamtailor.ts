// Teamtailor's feeds: RSS in pages of 100 with elements of its own, and a JSON Feed. `legal-…` sites have the JSON Feed only.
import { esc } from '../news/markup.ts';
import type { Replica, SandboxRequest } from '../replica.ts';
import { html, iso, json, numberIn, positionsFor, refusal, textHtml, xml } from './replies.ts';
import { companyName, quirksOf, type TruePosition } from './truth.ts';

export const teamtailor: Replica = {
  name: 'teamtailor',
  title: 'Teamtailor career sites of made-up companies',
  hosts: ['*.teamtailor.com'],
  examples: [{ url: 'https://juniper.teamtailor.com/jobs.rss', note: 'feed with places and departments' }],
  handle(request) {
    const company = request.host.split('.')[0] as string;
    const refused = refusal(company, 'teamtailor');
    if (refused) return refused;
    if (request.path === '/')
      return html(
        `<!doctype html><title>${esc(companyName(company))}</title><link rel="stylesheet" href="https://assets.teamtailor-cdn.com/site.css">`,
      );
    if (request.path === '/jobs.rss' && !company.startsWith('legal-')) return rss(request, company);
    return request.path === '/jobs.json' ? jsonFeed(request, company) : undefined;
  },
};

const urlOf = (position: TruePosition, company: string) =>
  `https://${company}.teamtailor.com/jobs/${position.number}-a-job`;

function rss(request: SandboxRequest, company: string) {
  const offset = numberIn(request.query.get('offset'), 0);
  const limit = Math.min(numberIn(request.query.get('per_page'), 100), 100);
  const items = positionsFor(request, 'teamtailor', company).map((position) => item(position, company));
  const quirks = quirksOf(company);
  if (quirks.untitledRow)
    items.push(`<item><title></title><link>https://${company}.teamtailor.com/jobs/1-x</link></item>`);
  if (quirks.namelessRow) items.push('<item><title>An item without an address</title></item>');
  return xml(
    `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:tt="https://teamtailor.com/locations"><channel><title>${esc(companyName(company))}</title>\n${items.slice(offset, offset + limit).join('\n')}\n</channel></rss>\n`,
  );
}

function item(position: TruePosition, company: string): string {
  const { place } = position;
  return `<item><title>${esc(position.title)}</title><description>${esc(textHtml(position))}</description>
<pubDate>${new Date(position.bornMs).toUTCString().replace('GMT', '+0000')}</pubDate><link>${urlOf(position, company)}</link>
<remoteStatus>${{ remote: 'fully', hybrid: 'hybrid', onsite: 'none' }[position.remote]}</remoteStatus><guid>${position.number}-guid</guid>
<tt:locations><tt:location><tt:name>${esc(companyName(company))} ${esc(place.city)}</tt:name><tt:city>${esc(place.city)}</tt:city><tt:country>${esc(place.country)}</tt:country></tt:location></tt:locations>
<tt:department>${esc(position.department)}</tt:department></item>`;
}

function jsonFeed(request: SandboxRequest, company: string) {
  const items = positionsFor(request, 'teamtailor', company).map((position) => ({
    id: `${position.number}-guid`,
    title: position.title,
    url: urlOf(position, company),
    date_published: iso(position.bornMs),
    content_html: textHtml(position),
    _jobposting: {
      '@context': 'http://schema.org/',
      '@type': 'JobPosting',
      title: position.title,
      identifier: { '@type': 'PropertyValue', name: companyName(company), value: position.number },
      datePosted: iso(position.bornMs),
      employmentType: { full_time: 'FULL_TIME', part_time: 'PART_TIME', contract: 'CONTRACTOR', internship: 'INTERN' }[
        position.type
      ],
      hiringOrganization: { '@type': 'Organization', name: companyName(company) },
      jobLocation: [
        {
          '@type': 'Place',
          address: {
            '@type': 'PostalAddress',
            addressLocality: position.place.city,
            addressCountry: position.place.countryCode,
          },
        },
      ],
    },
  }));
  return json({ version: 'https://jsonfeed.org/version/1.1', title: companyName(company), items });
}
