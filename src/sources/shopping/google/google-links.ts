// Addresses on Google's pages: what they lead to, without a click. Empty and opaque ones lead nowhere that could be known.
import { linkOf } from '../../../extract/product/product-draft.ts';

const NOISE = ['opi', 'ved', 'usg', 'sa'];

/** Where a link of a results page leads at the shop; null when it stays at Google or nobody can say. */
export function unwrapLink(href: string | null, base: string): string | null {
  if (!href || !URL.canParse(href, base)) return null;
  const url = new URL(href, base);
  if (!isGoogle(url.hostname)) return bare(url.href, base);
  const inner =
    url.pathname === '/url'
      ? (url.searchParams.get('q') ?? url.searchParams.get('url'))
      : url.pathname === '/aclk'
        ? url.searchParams.get('adurl')
        : null;
  if (!inner || !/^https?:/i.test(inner) || !URL.canParse(inner) || isGoogle(new URL(inner).hostname)) return null;
  return bare(inner, base);
}

const isGoogle = (host: string): boolean => /(?:^|\.)google\.[a-z.]{2,6}$/.test(host);

function bare(href: string, base: string): string | null {
  const url = new URL(href, base);
  for (const name of NOISE) url.searchParams.delete(name);
  return linkOf(url.href, base);
}

/** Google's own panel for a product, from the ids of its card. */
export function panelLink(ids: Record<string, string>, query: string): string | null {
  const parts = [
    ['headlineOfferDocid', ids.google_oid],
    ['imageDocid', ids.google_iid],
    ['catalogid', ids.google_cid],
    ['gpcid', ids.google_gid],
    ['rds', ids.google_rds],
  ].filter(([, value]) => value);
  if (parts.length === 0) return null;
  const url = new URL('https://www.google.com/search');
  url.searchParams.set('ibp', 'oshop');
  url.searchParams.set('q', query);
  url.searchParams.set('prds', `${parts.map(([name, value]) => `${name}:${value}`).join(',')},pvt:hg`);
  url.searchParams.set('udm', '28');
  return url.href;
}
