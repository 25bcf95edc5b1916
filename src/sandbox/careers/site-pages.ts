// Pages of made-up career sites: a frame, and a posting's own page with its JobPosting.
import { esc, scriptJson } from '../news/markup.ts';
import type { SandboxReply, SandboxRequest } from '../replica.ts';
import { day, html, textHtml } from './replies.ts';
import { companyName, type TruePosition } from './truth.ts';

export type SiteKind = (
  request: SandboxRequest,
  company: string,
  positions: TruePosition[],
) => SandboxReply | undefined;

export const page = (company: string, body: string, head = ''): SandboxReply =>
  html(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Careers at ${esc(companyName(company))}</title>${head}</head><body><h1>Work with us</h1>${body}</body></html>`,
  );

/** Everything about the posting stands in its JobPosting, as search engines want it. */
export const postingPage = (position: TruePosition, company: string, url: string): SandboxReply =>
  page(
    company,
    `<h2>${esc(position.title)}</h2>`,
    `<script type="application/ld+json">${scriptJson(jobPosting(position, company, url))}</script>`,
  );

function jobPosting(position: TruePosition, company: string, url: string) {
  const { place, pay } = position;
  return {
    '@context': 'https://schema.org/',
    '@type': 'JobPosting',
    title: position.title,
    url,
    identifier: { '@type': 'PropertyValue', name: companyName(company), value: String(position.number) },
    datePosted: day(position.bornMs),
    description: esc(textHtml(position)),
    employmentType: { full_time: 'FULL_TIME', part_time: 'PART_TIME', contract: 'CONTRACTOR', internship: 'INTERN' }[
      position.type
    ],
    hiringOrganization: { '@type': 'Organization', name: companyName(company) },
    jobLocation: {
      '@type': 'Place',
      address: {
        '@type': 'PostalAddress',
        addressLocality: place.city,
        addressRegion: place.region,
        addressCountry: { '@type': 'Country', name: place.countryCode },
      },
    },
    ...(position.remote === 'remote' && {
      jobLocationType: 'TELECOMMUTE',
      applicantLocationRequirements: { '@type': 'Country', name: place.country },
    }),
    ...(pay && {
      baseSalary: {
        '@type': 'MonetaryAmount',
        currency: pay.currency,
        value: { '@type': 'QuantitativeValue', minValue: pay.min, maxValue: pay.max, unitText: 'YEAR' },
      },
    }),
  };
}
