// How each applicant-tracking system shows itself in an address: the names of its hosts, where its token stands, and what to scrape it with. Pure.
import type { AddressRule, Settings } from './address-rule.ts';
import { RECRUITING } from './recruiting.ts';
import { SUITES } from './suites.ts';

const RULES: readonly AddressRule[] = [...RECRUITING, ...SUITES];

/** The settings an address leads to; null when it is no vendor's, or names no company. */
export function vendorOf(address: string): Settings | null {
  const url = URL.parse(address);
  if (url === null) return null;
  for (const { vendor, host, settings } of RULES) {
    const found = host.test(url.hostname) ? settings(url) : null;
    if (found !== null) return { scraper_type: vendor, ...found };
  }
  return null;
}

const HOSTS = [...new Set(RULES.flatMap(({ domains }) => domains))].map((domain) => domain.replaceAll('.', '\\.'));
const ADDRESS = new RegExp(`(?:https?:)?//[\\w.-]*(?:${HOSTS.join('|')})[^\\s"'<>\`)\\\\]*`, 'gi');
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
