// Addresses of the personnel suites of large employers. Many of them have a host of the vendor with a site or a folder of the company's own making.
import { type AddressRule, GUID, isLocale, label, named, one, segments } from './address-rule.ts';

export const SUITES: readonly AddressRule[] = [
  {
    vendor: 'workday',
    domains: ['myworkdayjobs.com'],
    host: /^[\w-]+(?:\.wd\d{1,3})?\.myworkdayjobs\.com$/,
    settings(url) {
      const parts = segments(url).filter((part) => !isLocale(part));
      const site = siteName(parts[0] === 'wday' ? parts[3] : parts[0]);
      return site === null || label(url) === 'www' ? null : { host: url.hostname, site };
    },
  },
  {
    // The host is shared, and the tenant stands in the path.
    vendor: 'workday',
    domains: ['myworkdaysite.com'],
    host: /^(?:[\w-]+\.)?wd\d{1,3}\.myworkdaysite\.com$/,
    settings(url) {
      const parts = segments(url).filter((part) => !isLocale(part));
      const [tenant, site] = parts[0] === 'wday' ? parts.slice(2) : parts[0] === 'recruiting' ? parts.slice(1) : [];
      const [owner, own] = [named(tenant), siteName(site)];
      return owner === null || own === null ? null : { host: url.hostname, tenant: owner, site: own };
    },
  },
  {
    vendor: 'paylocity',
    domains: ['paylocity.com'],
    host: /^recruiting\.paylocity\.com$/,
    settings: (url) => one('board', segments(url).find((part) => GUID.test(part)) ?? null),
  },
];

/** Companies call their sites `Careers`, `jobs` or `Search`; only what lies beside the sites is none. */
function siteName(part: string | undefined): string | null {
  const site = named(part);
  return site === null || /^(?:wday|jobs-sitemap)$/i.test(site) ? null : site;
}
