// How each applicant-tracking system shows itself in an address: the names of its hosts, where its token stands, and what to scrape it with. Pure.
// What a reader would get wrong: words such as `api`, `embed` or `www` stand where tokens stand and are never tokens.

export interface Settings {
  scraper_type: string;
  [key: string]: string;
}

type Token = Record<string, string> | null;
type Match = (url: URL) => Token;

const RESERVED = new Set(
  'api apply v0 v1 v2 v3 embed js css assets www app apps docs help support status static cdn images job jobs careers company oneclick-ui search login privacy terms sitemap.xml robots.txt favicon.ico'.split(
    ' ',
  ),
);

function token(text: string | undefined | null, pattern = /^[\w.-]{1,100}$/): string | null {
  if (text == null) return null;
  const name = safeDecode(text);
  return pattern.test(name) && !RESERVED.has(name.toLowerCase()) ? name : null;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: the text is its own spelling.
    return text;
  }
}

const segments = (url: URL) => url.pathname.split('/').filter((part) => part !== '');
const label = (url: URL) => url.hostname.split('.')[0] as string;
const one = (name: string, value: string | null): Record<string, string> | null =>
  value === null ? null : { [name]: value };

/** In order; the first host that fits decides. */
const VENDORS: [vendor: string, host: RegExp, match: Match][] = [
  [
    'greenhouse',
    /^(?:boards|job-boards|boards-api)(?:\.eu)?\.greenhouse\.io$/,
    (url): Token => {
      const parts = segments(url);
      const named = url.searchParams.get('for') ?? (parts[0] === 'v1' && parts[1] === 'boards' ? parts[2] : parts[0]);
      return one('board', token(named, /^[\w-]{1,100}$/));
    },
  ],
  [
    'lever',
    /^(?:jobs|api)(?:\.eu)?\.lever\.co$/,
    (url): Token => {
      const parts = segments(url);
      const site = token(parts[0] === 'v0' ? parts[2] : parts[0]);
      if (site === null) return null;
      return url.hostname.includes('.eu.') ? { site, region: 'eu' } : { site };
    },
  ],
  [
    'ashby',
    /^(?:jobs|api)\.ashbyhq\.com$/,
    (url): Token => {
      const parts = segments(url);
      return one('board', token(parts[0] === 'posting-api' ? parts[2] : parts[0], /^[^/?#\\]{1,200}$/));
    },
  ],
  [
    'smartrecruiters',
    /^(?:jobs|careers|api|www)\.smartrecruiters\.com$/,
    (url): Token => {
      const parts = segments(url);
      const at = parts.findIndex((part) => part === 'company' || part === 'companies');
      return one('company', token(at >= 0 ? parts[at + 1] : parts[0]));
    },
  ],
  [
    'comeet',
    /^www\.comeet\.com?$/,
    (url): Token => {
      const uid = segments(url).find((part) => /^[0-9A-F]{2}\.[0-9A-F]{3}$/i.test(part));
      const key = url.searchParams.get('token');
      // Without its token the uid is only half of the name; a hosted page has both.
      return uid === undefined ? null : key === null ? { uid } : { uid, token: key };
    },
  ],
  [
    'workday',
    /^[\w-]+(?:\.wd\d{1,3})?\.myworkdayjobs\.com$/,
    (url): Token => {
      const parts = segments(url).filter((part) => !/^[a-z]{2}(?:-[A-Z]{2})?$/.test(part));
      const site = parts[0] === 'wday' ? parts[3] : parts[0];
      const named = token(site, /^[\w-]{1,100}$/);
      return named === null ? null : { host: url.hostname, site: named };
    },
  ],
  [
    'workable',
    /^(?:apply|www)\.workable\.com$/,
    (url): Token => {
      const parts = segments(url);
      const at = parts.indexOf('accounts');
      // `/j/F8427A442D` is a posting without its account.
      return one('account', parts[0] === 'j' ? null : token(at >= 0 ? parts[at + 1] : parts[0], /^[\w-]{1,100}$/));
    },
  ],
  ['workable', /^[\w-]+\.workable\.com$/, (url) => one('account', token(label(url)))],
  ['recruitee', /^[\w-]+\.recruitee\.com$/, (url) => one('company', token(label(url)))],
  [
    'personio',
    /^[\w-]+\.jobs\.personio\.(?:de|com)$/,
    (url): Token => {
      const company = token(label(url));
      if (company === null) return null;
      return url.hostname.endsWith('.com') ? { company, tld: 'com' } : { company };
    },
  ],
  [
    'teamtailor',
    /^[\w-]+(?:\.na)?\.teamtailor\.com$/,
    (url) => one('company', token(url.hostname.replace(/\.teamtailor\.com$/, ''))),
  ],
  ['bamboohr', /^[\w-]+\.bamboohr\.com$/, (url) => one('company', token(label(url)))],
];

/** The settings an address leads to; null when it is no vendor's, or names no company. */
export function vendorOf(address: string): Settings | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  for (const [vendor, host, match] of VENDORS) {
    if (!host.test(url.hostname)) continue;
    const settings = match(url);
    if (settings !== null) return { scraper_type: vendor, ...settings };
  }
  return null;
}

const HOSTS =
  /(?:greenhouse\.io|lever\.co|ashbyhq\.com|smartrecruiters\.com|comeet\.com?|myworkdayjobs\.com|workable\.com|recruitee\.com|personio\.(?:de|com)|teamtailor\.com|bamboohr\.com)/;
const ADDRESS = new RegExp(`(?:https?:)?//[\\w.-]*${HOSTS.source}[^\\s"'<>\`)\\\\]*`, 'gi');
const MAX_ADDRESSES = 2_000;

/** Every vendor's address in a text of any kind: markup, scripts, JSON with its slashes escaped. */
export function vendorAddresses(text: string): string[] {
  const plain = text.replace(/\\u002f|\\\//gi, '/').replace(/\\u0026|&amp;/gi, '&');
  const found = new Set<string>();
  for (const [address] of plain.matchAll(ADDRESS)) {
    found.add(address.startsWith('//') ? `https:${address}` : address);
    if (found.size >= MAX_ADDRESSES) break;
  }
  return [...found];
}
