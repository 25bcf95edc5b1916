// Addresses of recruiting systems, which mostly have a host or a folder for each company.
import { type AddressRule, after, isLocale, label, NAME, one, segments, token } from './address-rule.ts';

type Found = ReturnType<AddressRule['settings']>;

/** One host a company, `acme.vendor.example`. */
const subdomain = (vendor: string, domain: string, setting: string): AddressRule => ({
  vendor,
  domains: [domain],
  host: new RegExp(`^[\\w-]+\\.${domain.replaceAll('.', '\\.')}$`),
  settings: (url) => one(setting, token(label(url))),
});

/** In order; the first host that fits decides. */
export const RECRUITING: readonly AddressRule[] = [
  {
    vendor: 'greenhouse',
    domains: ['greenhouse.io'],
    host: /^(?:boards|job-boards|boards-api)(?:\.eu)?\.greenhouse\.io$/,
    settings(url): Found {
      const parts = segments(url);
      const named = url.searchParams.get('for') ?? (parts[0] === 'v1' && parts[1] === 'boards' ? parts[2] : parts[0]);
      return one('board', token(named, NAME));
    },
  },
  {
    vendor: 'lever',
    domains: ['lever.co'],
    host: /^(?:jobs|api)(?:\.eu)?\.lever\.co$/,
    settings(url): Found {
      const parts = segments(url);
      const site = token(parts[0] === 'v0' ? parts[2] : parts[0]);
      if (site === null) return null;
      return url.hostname.includes('.eu.') ? { site, region: 'eu' } : { site };
    },
  },
  {
    vendor: 'ashby',
    domains: ['ashbyhq.com'],
    host: /^(?:jobs|api)\.ashbyhq\.com$/,
    settings(url): Found {
      const parts = segments(url);
      return one('board', token(parts[0] === 'posting-api' ? parts[2] : parts[0], /^[^/?#\\]{1,200}$/));
    },
  },
  {
    vendor: 'smartrecruiters',
    domains: ['smartrecruiters.com'],
    host: /^(?:jobs|careers|api|www)\.smartrecruiters\.com$/,
    settings: (url) => one('company', token(after(url, 'company', 'companies') ?? segments(url)[0])),
  },
  {
    vendor: 'comeet',
    domains: ['comeet.com', 'comeet.co'],
    host: /^www\.comeet\.com?$/,
    settings(url): Found {
      const uid = segments(url).find((part) => /^[0-9A-F]{2}\.[0-9A-F]{3}$/i.test(part));
      const key = url.searchParams.get('token');
      // Without its token the uid is only half of the name; a hosted page has both.
      return uid === undefined ? null : key === null ? { uid } : { uid, token: key };
    },
  },
  {
    vendor: 'workable',
    domains: ['workable.com'],
    host: /^(?:apply|www)\.workable\.com$/,
    settings(url): Found {
      // `/j/F8427A442D` is a posting without its account.
      const [first] = segments(url);
      return one('account', first === 'j' ? null : token(after(url, 'accounts') ?? first, NAME));
    },
  },
  subdomain('workable', 'workable.com', 'account'),
  subdomain('recruitee', 'recruitee.com', 'company'),
  {
    vendor: 'personio',
    domains: ['personio.de', 'personio.com'],
    host: /^[\w-]+\.jobs\.personio\.(?:de|com)$/,
    settings(url): Found {
      const company = token(label(url));
      if (company === null) return null;
      return url.hostname.endsWith('.com') ? { company, tld: 'com' } : { company };
    },
  },
  {
    vendor: 'teamtailor',
    domains: ['teamtailor.com'],
    host: /^[\w-]+(?:\.na)?\.teamtailor\.com$/,
    settings: (url) => one('company', token(url.hostname.replace(/\.teamtailor\.com$/, ''))),
  },
  subdomain('bamboohr', 'bamboohr.com', 'company'),
  subdomain('pinpoint', 'pinpointhq.com', 'company'),
  subdomain('breezy', 'breezy.hr', 'company'),
  {
    vendor: 'gem',
    domains: ['gem.com'],
    host: /^(?:jobs|api)\.gem\.com$/,
    settings: (url) => one('board', token(after(url, 'v0') ?? segments(url)[0], NAME)),
  },
  {
    vendor: 'rippling',
    domains: ['rippling.com'],
    host: /^(?:ats|api)\.rippling\.com$/,
    settings(url): Found {
      const [first, ...rest] = segments(url);
      const board = after(url, 'board') ?? (first !== undefined && isLocale(first) ? rest[0] : first);
      return one('board', token(board, NAME));
    },
  },
  {
    vendor: 'join',
    domains: ['join.com'],
    host: /^(?:www\.)?join\.com$/,
    settings: (url) => one('company', token(after(url, 'companies'), NAME)),
  },
  {
    vendor: 'gupy',
    domains: ['gupy.io'],
    host: /^(?!(?:portal|employability-portal|private|suporte|developers)\.)[\w-]+\.gupy\.io$/,
    settings: (url) => one('company', token(label(url))),
  },
  {
    vendor: 'jobvite',
    domains: ['jobvite.com'],
    host: /^jobs\.jobvite\.com$/,
    settings(url) {
      const [first, second] = segments(url);
      return one('company', token(first === 'careers' ? second : first?.startsWith('__') ? null : first, NAME));
    },
  },
  {
    vendor: 'jobylon',
    domains: ['jobylon.com'],
    host: /^(?:feed|cdn)\.jobylon\.com$/,
    settings(url) {
      const number = (name: string) => /^\d{1,10}$/.exec(after(url, name) ?? '')?.[0] ?? null;
      const feed = /^[\da-f-]{8,40}$/i.exec(after(url, 'feeds') ?? '')?.[0] ?? null;
      return one('feed', feed) ?? one('company', number('companies')) ?? one('group', number('company-groups'));
    },
  },
  subdomain('jazzhr', 'applytojob.com', 'company'),
  {
    vendor: 'jazzhr',
    domains: ['jazz.co'],
    host: /^app\.jazz\.co$/,
    settings: (url) => one('company', url.pathname.startsWith('/feeds/') ? token(segments(url)[3], NAME) : null),
  },
];
