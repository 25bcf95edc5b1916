// Addresses of the personnel suites of large employers. Many of them have a host of the vendor with a site or a folder of the company's own making.
import { type AddressRule, after, GUID, isLocale, label, named, one, segments } from './address-rule.ts';

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
  {
    vendor: 'oracle',
    domains: ['oraclecloud.com'],
    host: /^[\w-]+\.fa(?:\.[\w-]+){0,2}\.oraclecloud\.com$/,
    settings(url) {
      const site = named(
        after(url, 'sites') ?? /[;,]siteNumber=([\w-]{1,100})/.exec(url.searchParams.get('finder') ?? '')?.[1],
      );
      return site === null ? null : { host: url.hostname, site };
    },
  },
  {
    vendor: 'eightfold',
    domains: ['eightfold.ai'],
    host: /^(?!www\.|app\.|static\.|cdn\.)[\w-]+\.eightfold\.ai$/,
    settings(url) {
      const domain = url.searchParams.get('domain');
      return { host: url.hostname, ...(domain !== null && /^[\w.-]{3,200}$/.test(domain) && { domain }) };
    },
  },
  {
    vendor: 'ukg',
    domains: ['ultipro.com', 'ultipro.ca', 'ukg.net'],
    host: /^(?:recruiting\d?\.ultipro\.(?:com|ca)|[\w-]+\.rec\.pro\.ukg\.net)$/,
    settings(url) {
      const [tenant, folder, board] = segments(url);
      const isBoard = /^jobboard$/i.test(folder ?? '') && GUID.test(board ?? '') && /^\w{3,40}$/.test(tenant ?? '');
      return isBoard ? { host: url.hostname, tenant: tenant!, board: board! } : null;
    },
  },
  {
    vendor: 'adp',
    domains: ['adp.com'],
    host: /^workforcenow\.adp\.com$/,
    settings(url) {
      const [cid, center, locale] = ['cid', 'ccId', 'lang'].map((name) => url.searchParams.get(name));
      if (cid == null || !GUID.test(cid)) return null;
      return {
        cid,
        ...(center != null && /^\d{1,32}_\d{1,12}$/.test(center) && { center }),
        ...(locale != null && /^[a-z]{2}_[A-Z]{2}$/.test(locale) && { locale }),
      };
    },
  },
  {
    vendor: 'taleo',
    domains: ['taleo.net'],
    host: /^(?!www\.)[\w-]+\.taleo\.net$/,
    settings(url) {
      const section = named(after(url, 'careersection'), /^\w{1,60}$/);
      return section === null || section === 'rest' ? null : { host: url.hostname, section };
    },
  },
  {
    vendor: 'icims',
    domains: ['icims.com'],
    host: /^(?!(?:www|api|app|help|support|cdn\d*|images|media|developer|login|c-\d+)\.)[\w-]+\.icims\.com$/,
    settings: (url) => ({ host: url.hostname }),
  },
  {
    vendor: 'avature',
    domains: ['avature.net'],
    host: /^(?!www\.)[\w-]+\.avature\.net$/,
    settings(url) {
      const list = /^\/(?:[\w-]{1,100}\/){1,4}(?=SearchJobs|JobDetail|FolderDetail|Login|Home|$)/i.exec(
        `${url.pathname}`,
      )?.[0];
      return list === undefined
        ? { url: `${url.origin}/careers/SearchJobs` }
        : { url: `${url.origin}${list}SearchJobs` };
    },
  },
];

/** Companies call their sites `Careers`, `jobs` or `Search`; only what lies beside the sites is none. */
function siteName(part: string | undefined): string | null {
  const site = named(part);
  return site === null || /^(?:wday|jobs-sitemap)$/i.test(site) ? null : site;
}
