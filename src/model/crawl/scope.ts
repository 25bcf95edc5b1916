// Which addresses are pages of a crawl: pure, so that every bound can be read and tested. It also decides when two addresses are one page. What a reader would
// get wrong: traps have no end and look like pages. Those that show in the address are recognised here (long or repeating paths, session ids); those that only
// show in numbers (a calendar) meet the depth, the limit and the number of queries of one path.
import { canonicalUrl } from '../url.ts';
import type { CrawlScope, LeftOut } from './crawl.ts';
import { globOf } from './glob.ts';

/** Queries of one path that are taken. */
export const VARIANTS_MAX = 200;
const URL_CHARS = 2_000;
const SEGMENTS_MAX = 20;
const REPEATS_MAX = 3;

const SESSION_PARAM = /^(?:phpsessid|jsessionid|aspsessionid\w*|session_?id|cfid|cftoken|zenid|oscsid)$/i;
const SESSION_PATH = /;jsessionid=[^/?#;]*/gi;

const FILE =
  /\.(?:7z|apk|atom|avi|bmp|bz2|css|csv|deb|dmg|docx?|eot|epub|exe|flac|gif|gz|ico|ics|iso|jar|jpe?g|js|json|m4[av]|mjs|mov|mp[34]|mpe?g|msi|odt|og[gv]|otf|pdf|png|pptx?|rar|rpm|rss|svg|tar|tgz|tiff?|ttf|wav|web[mp]|woff2?|wmv|xlsx?|xml|zip)$/i;

export interface InScope {
  /** To ask for. */
  url: string;
  /** The same for all addresses of the page. */
  page: string;
  /** Of a page with a query: what all queries of its path have in common. */
  path: string | null;
}

export type Judged = InScope | { leftOut: LeftOut };

export type Judge = (address: string) => Judged | null;

/** Null for what is no address of a page at all: `mailto:`, `javascript:`. */
export function createScope(scope: CrawlScope): Judge {
  const start = new URL(scope.url);
  const site = bareHost(start);
  const include = scope.include.map(globOf);
  const exclude = scope.exclude.map(globOf);
  return (address) => {
    const url = URL.parse(address);
    if (url === null || !/^https?:$/.test(url.protocol)) return null;
    const host = bareHost(url);
    if (host !== site && !(scope.subdomains && host.endsWith(`.${site}`))) return { leftOut: 'outside' };
    if (url.port !== start.port || url.username !== '' || url.password !== '') return { leftOut: 'outside' };
    // The same site by both schemes is one site.
    if (url.protocol !== start.protocol) url.protocol = start.protocol;
    tidy(url, scope.ignoresQuery);
    const leftOut = trapOf(url) ?? boundOf(url);
    if (leftOut !== null) return { leftOut };
    const page = canonicalUrl(url.href);
    return { url: url.href, page, path: url.search === '' ? null : page.slice(0, page.indexOf('?')) };
  };

  function boundOf(url: URL): LeftOut | null {
    if (scope.prefix !== null && !url.pathname.startsWith(scope.prefix)) return 'prefix';
    if (exclude.some((matches) => matches(url))) return 'excluded';
    return include.length > 0 && !include.some((matches) => matches(url)) ? 'not_included' : null;
  }
}

/** The page that a crawl begins with is one whatever the bounds say. */
export function startPage({ url: address, ignoresQuery }: Pick<CrawlScope, 'url' | 'ignoresQuery'>): InScope {
  const url = new URL(address);
  tidy(url, ignoresQuery);
  return { url: url.href, page: canonicalUrl(url.href), path: null };
}

const bareHost = ({ hostname }: URL): string => hostname.replace(/^www\./, '').replace(/\.$/, '');

/** Without a fragment and without what a visit left in it. */
function tidy(url: URL, ignoresQuery: boolean): void {
  url.hash = '';
  if (url.pathname.includes(';')) url.pathname = url.pathname.replace(SESSION_PATH, '');
  if (ignoresQuery) url.search = '';
  else if (url.search !== '') {
    const parts = url.search.slice(1).split('&');
    const kept = parts.filter((part) => !SESSION_PARAM.test(part.split('=', 1)[0]!));
    if (kept.length < parts.length) url.search = kept.join('&');
  }
}

function trapOf(url: URL): LeftOut | null {
  if (url.href.length > URL_CHARS) return 'too_long';
  if (FILE.test(url.pathname)) return 'file';
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  if (segments.length > SEGMENTS_MAX) return 'too_long';
  const times = new Map<string, number>();
  for (const segment of segments) {
    const count = (times.get(segment) ?? 0) + 1;
    if (count > REPEATS_MAX) return 'repeating';
    times.set(segment, count);
  }
  return null;
}
