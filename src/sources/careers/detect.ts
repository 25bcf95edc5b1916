// Finds out how a company's career page can be scraped: from its address, its redirects, its links, frames and scripts, or else from what it
// states for machines. The core reads pages that were fetched; the shell below fetches them.
// What a reader would get wrong: one link to a vendor proves little (a page may link to a partner's jobs). A finding says how sure it is and why.
import { getDomainWithoutSuffix } from 'tldts';
import { all, attr, one, parse } from '../../extract/html/html.ts';
import { asAppError } from '../../model/errors.ts';
import type { Web, WebResponse } from '../../web/port.ts';
import type { Settings } from '../ats/addresses/address-rule.ts';
import { signsOn } from '../ats/addresses/own-domain.ts';
import { type Hint, unsupportedIn } from '../ats/addresses/unsupported.ts';
import { vendorAddresses, vendorOf } from '../ats/addresses/vendors.ts';
import { comeetPage } from '../ats/comeet.ts';
import type { Source } from '../define.ts';
import { jobPostingsIn, postingLinks } from '../postings/job-posting.ts';
import { CAREER_SOURCES } from './index.ts';
import { postingsOfSitemap, sitemapsOf } from './sitemap.ts';

export interface Finding {
  settings: Settings;
  /** From 0 to 1. */
  confidence: number;
  /** What it was found by, in words. */
  evidence: string;
}

export interface Detection {
  /** The best first. */
  findings: Finding[];
  /** Addresses that were looked at, with what became of those that failed. */
  looked: { url: string; failed?: string }[];
  /** Systems that were recognised and have no source, with what to do instead; none where a finding is sure. */
  hints: Hint[];
}

export interface FetchedPage {
  /** As it was asked for. */
  asked: string;
  /** After redirects. */
  url: string;
  text: string;
}

/** Sources that know their own addresses, besides the vendors. */
type Rules = readonly Pick<Source, 'name' | 'detect'>[];

/** Findings of one page, the best first; one per board. */
export function findingsOn(page: FetchedPage, rules: Rules = []): Finding[] {
  const found: Finding[] = [];
  const add = (settings: Settings | null, confidence: number, evidence: string) => {
    if (settings !== null && isWhole(settings)) found.push({ settings, confidence, evidence });
  };
  add(boardAt(page.asked, rules), 0.98, `the URL ${page.asked}`);
  if (page.url !== page.asked) add(boardAt(page.url, rules), 0.97, `a redirect to ${page.url}`);
  const hosted = comeetPage(page.text);
  if (hosted !== null)
    add({ scraper_type: 'comeet', uid: hosted.uid, token: hosted.token }, 0.97, 'the company data of a Comeet page');
  for (const { settings, confidence, evidence } of embedded(page.text)) add(settings, confidence, evidence);
  for (const { settings, confidence, evidence } of ruled(page, rules)) add(settings, confidence, evidence);
  for (const finding of ownDomain(page)) add(finding.settings, finding.confidence, finding.evidence);
  return best([...found, ...guessed(page), ...generic(page)]);
}

/** Ids of a vendor in URLs show which one it is, but not the name of the board; that is guessed from the domain. */
function guessed(page: FetchedPage): Finding[] {
  const name = getDomainWithoutSuffix(page.url);
  const vendor = /[?&;]gh_jid=\d/.test(page.text)
    ? 'greenhouse'
    : /[?&;]ashby_jid=[\da-f]/.test(page.text)
      ? 'ashby'
      : null;
  if (vendor === null || name === null) return [];
  return [
    {
      settings: { scraper_type: vendor, board: name },
      confidence: 0.45,
      evidence: `ids of ${vendor} in URLs (the name of the board is a guess)`,
    },
  ];
}

/** The board that an address leads to, by the vendors' rules or by a source's own. */
function boardAt(address: string, rules: Rules): Settings | null {
  return vendorOf(address) ?? ruledAt(address, rules);
}

function ruledAt(address: string, rules: Rules): Settings | null {
  if (!URL.canParse(address)) return null;
  for (const { name, detect } of rules) {
    const settings = detect?.(new URL(address)) ?? null;
    if (settings !== null) return { scraper_type: name, ...settings };
  }
  return null;
}

/** Addresses in the page that a source's own rule knows, by where they stand. */
function ruled(page: FetchedPage, rules: Rules): Finding[] {
  const own = rules.filter(({ detect }) => detect !== undefined);
  if (own.length === 0) return [];
  const doc = parse(page.text);
  const find = (selector: string, attribute: string, confidence: number, where: string): Finding[] =>
    all(doc, selector)
      .slice(0, MAX_RULED)
      .flatMap((element) => {
        const address = attr(element, attribute) ?? '';
        const url = URL.canParse(address, page.url) ? new URL(address, page.url).href : '';
        const settings = ruledAt(url, own);
        return settings === null ? [] : [{ settings, confidence, evidence: `${where}: ${url.slice(0, 200)}` }];
      });
  return [
    ...find('script[src], iframe[src], embed[src]', 'src', 0.93, 'a script or frame'),
    ...find('a[href]', 'href', 0.8, 'a link'),
  ];
}

/** Links of one page that rules are tried on. */
const MAX_RULED = 2_000;

/** Half a name is no finding: it cannot be scraped. */
function isWhole(settings: Settings): boolean {
  return settings.scraper_type !== 'comeet' || settings.token !== undefined;
}

/** Addresses of vendors, weighed by where they stand and how often. */
function embedded(html: string): Finding[] {
  const doc = parse(html);
  const inScripts = all(doc, 'script[src], iframe[src], embed[src]').flatMap((element) =>
    vendorAddresses(attr(element, 'src') ?? ''),
  );
  const inLinks = all(doc, 'a[href]').flatMap((element) => vendorAddresses(attr(element, 'href') ?? ''));
  const count = new Map<string, number>();
  const everywhere = vendorAddresses(html);
  for (const address of everywhere) {
    const settings = vendorOf(address);
    if (settings !== null) count.set(keyOf(settings), (count.get(keyOf(settings)) ?? 0) + 1);
  }
  const weigh = (addresses: string[], confidence: number, where: string) =>
    addresses.flatMap((address) => {
      const settings = vendorOf(address);
      if (settings === null) return [];
      const more = Math.min(0.04, ((count.get(keyOf(settings)) ?? 1) - 1) * 0.01);
      return [{ settings, confidence: confidence + more, evidence: `${where}: ${address.slice(0, 200)}` }];
    });
  const token = /["']?(?:boardToken|urlToken|board_token)["']?\s*[:=]\s*["']([\w-]{1,100})["']/.exec(html)?.[1];
  return [
    ...weigh(inScripts, 0.93, 'a script or frame'),
    ...weigh(everywhere, 0.85, 'a URL in the page'),
    ...weigh(inLinks, 0.8, 'a link'),
    ...(token === undefined
      ? []
      : [
          {
            settings: { scraper_type: 'greenhouse', board: token },
            confidence: 0.85,
            evidence: 'a board token in a script',
          },
        ]),
  ];
}

/** Vendors that serve a company's own domain and show only in what the page loads. On the vendor's own host the address says it better. */
function ownDomain(page: FetchedPage): Finding[] {
  if (vendorOf(page.url) !== null) return [];
  return signsOn(page.text, page.url).map(({ settings, title }) => ({
    settings,
    confidence: 0.88,
    evidence: `scripts of a ${title} site`,
  }));
}

/** Without a vendor: what the page states, its feed, or the page itself. */
function generic(page: FetchedPage): Finding[] {
  const doc = parse(page.text);
  const found: Finding[] = [];
  const stated = jobPostingsIn(doc).length;
  const links = postingLinks(doc, page.url);
  if (stated > 0)
    found.push({
      settings: { scraper_type: 'static', url: page.url },
      confidence: 0.75,
      evidence: `${stated} JobPosting on the page`,
    });
  for (const feed of feedsOf(page))
    found.push({ settings: { scraper_type: 'rss', url: feed }, confidence: 0.5, evidence: `a feed: ${feed}` });
  if (stated === 0 && links.length > 0)
    found.push({
      settings: { scraper_type: 'static', url: page.url },
      confidence: 0.3,
      evidence: `${links.length} links that look like postings`,
    });
  return found;
}

const FEED_TYPES = /^application\/(?:rss\+xml|atom\+xml|feed\+json|json)$/i;

function feedsOf(page: FetchedPage): string[] {
  const doc = parse(page.text);
  return all(doc, 'link[rel~="alternate"][href]').flatMap((link) => {
    const href = attr(link, 'href') as string;
    const isFeed = FEED_TYPES.test(attr(link, 'type') ?? '');
    // The feed of a blog is a feed too: only one with job words counts.
    const speaks = /job|career|position|vacanc|stelle|karriere|emploi|vacature/i.test(
      `${attr(link, 'title') ?? ''} ${href}`,
    );
    return isFeed && speaks && URL.canParse(href, page.url) ? [new URL(href, page.url).href] : [];
  });
}

function best(findings: readonly Finding[]): Finding[] {
  const byKey = new Map<string, Finding>();
  for (const finding of findings) {
    const key = keyOf(finding.settings);
    if ((byKey.get(key)?.confidence ?? 0) < finding.confidence) byKey.set(key, finding);
  }
  return [...byKey.values()].sort((a, b) => b.confidence - a.confidence);
}

function keyOf(settings: Settings): string {
  return JSON.stringify(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1))).toLowerCase();
}

/** The page's link to the company's postings, for front pages. */
export function careerLink(page: FetchedPage): string | null {
  const doc = parse(page.text);
  const base = attr(one(doc, 'base[href]'), 'href') ?? page.url;
  const postings = new Set(postingLinks(doc, page.url));
  for (const link of all(doc, 'a[href]')) {
    const href = attr(link, 'href') as string;
    if (!CAREER_PATH.test(href) || !URL.canParse(href, base)) continue;
    const url = new URL(href, base);
    url.hash = '';
    if (url.protocol.startsWith('http') && url.href !== page.url && !postings.has(url.href)) return url.href;
  }
  return null;
}

const CAREER_PATH =
  /(?:^|[/.-])(?:careers?|jobs?|join-us|join|work-with-us|open-positions|openings|vacancies|karriere|stellenangebote|carriere|emploi|empleo|lavora-con-noi|werken-bij)(?:[/?#.-]|$)/i;
const SURE = 0.8;
const LIKELY = 0.5;
/** Addresses of postings that a sitemap has to name. */
const MIN_NAMED = 3;

/** Looks at the address and, where that does not settle it, at the career page it links to, and tries a found feed or page no further. */
export async function detect(address: string, web: Web, rules: Rules = CAREER_SOURCES): Promise<Detection> {
  const looked: Detection['looked'] = [];
  const found: Finding[] = [];
  const hints = new Map<string, Hint>();
  const look = async (url: string): Promise<FetchedPage | null> => {
    try {
      const page: WebResponse = await web.get(url);
      looked.push({ url });
      const fetched = { asked: url, url: page.url, text: page.text };
      return fetched;
    } catch (thrown) {
      const error = asAppError(thrown);
      if (error.code === 'cancelled' || error.code === 'invalid_params') throw error;
      looked.push({ url, failed: `${error.code}: ${error.message}` });
      // An address that is a vendor's own names its board even when it does not answer.
      const named = boardAt(url, rules);
      if (named !== null && isWhole(named))
        found.push({ settings: named, confidence: 0.6, evidence: `the URL ${url}, which did not answer` });
      return null;
    }
  };
  const read = async (url: string): Promise<FetchedPage | null> => {
    const page = await look(url);
    if (page === null) return null;
    found.push(...findingsOn(page, rules));
    for (const hint of unsupportedIn(`${page.asked}\n${page.url}\n${page.text}`)) hints.set(hint.vendor, hint);
    return page;
  };
  const first = await read(address);
  const isSure = () => found.some((finding) => finding.confidence >= SURE);
  const next = first === null || isSure() ? null : careerLink(first);
  const second = next === null ? null : await read(next);
  if (!isSure()) await lookAtOnePosting(second ?? first);
  const last = second ?? first;
  if (last !== null && found.every(({ confidence }) => confidence < LIKELY)) await lookAtSitemap(last);
  return { findings: best(found), looked, hints: isSure() ? [] : [...hints.values()] };

  /** Where no link leads to postings, a sitemap may name them. */
  async function lookAtSitemap(page: FetchedPage): Promise<void> {
    const [file] = await sitemapsOf(page.url, web);
    const map = file === undefined ? null : await look(file);
    if (map === null) return;
    const named = postingsOfSitemap(map);
    if (named < MIN_NAMED) return;
    const evidence = `${named === Number.POSITIVE_INFINITY ? 'files' : named} of postings in the sitemap ${map.url}`;
    found.push({ settings: { scraper_type: 'sitemap', url: map.url }, confidence: 0.55, evidence });
  }

  /** A list of links is worth more when what it links to states a posting. */
  async function lookAtOnePosting(page: FetchedPage | null): Promise<void> {
    const link = page === null ? undefined : postingLinks(parse(page.text), page.url)[0];
    const posting = page === null || link === undefined ? null : await look(link);
    if (page === null || posting === null || jobPostingsIn(posting.text).length === 0) return;
    found.push({
      settings: { scraper_type: 'static', url: page.url },
      confidence: 0.7,
      evidence: `links to pages with a JobPosting: ${posting.url}`,
    });
  }
}
