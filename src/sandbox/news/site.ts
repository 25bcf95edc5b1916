// Which made-up news site a host is. Hosts of sites.json are ours and have listings; every other host is a site too, whose layout
// follows from its name and on which every path is an article, because people submit front pages as articles and expect an answer.
import { hash32 } from '../random.ts';
import { ENGLISH, type Language } from './prose.ts';
import known from './sites.json' with { type: 'json' };

export const LAYOUTS = ['classic', 'microdata', 'blog', 'crowded', 'soup', 'tagsoup'] as const;
export type LayoutName = (typeof LAYOUTS)[number];

export interface Site {
  host: string;
  name: string;
  layout: LayoutName;
  language: Language;
  /** How many articles the listings, feeds and sitemaps know of; any other path is an article as well. */
  articles: number;
  hasListings: boolean;
  compress: 'gzip' | 'br' | null;
  robots: 'plain' | 'slow' | 'down' | 'none';
}

/** Layouts a host outside sites.json may get: English, complete, readable in UTF-8. */
const COMMON_LAYOUTS: readonly LayoutName[] = ['classic', 'microdata', 'blog', 'crowded', 'soup', 'tagsoup'];
const STRANGER_ARTICLES = 200;

interface SiteRow {
  host: string;
  name: string;
  layout: string;
  articles: number;
  compress?: string;
  robots?: string;
}

export const OWN_SITES: ReadonlyMap<string, Site> = new Map(
  (known as SiteRow[]).map((row) => [
    row.host,
    {
      host: row.host,
      name: row.name,
      layout: row.layout as LayoutName,
      language: ENGLISH,
      articles: row.articles,
      hasListings: true,
      compress: (row.compress ?? null) as Site['compress'],
      robots: (row.robots ?? 'plain') as Site['robots'],
    },
  ]),
);

export function siteOf(host: string): Site {
  return OWN_SITES.get(host) ?? strangerSite(host);
}

function strangerSite(host: string): Site {
  const layout = COMMON_LAYOUTS[hash32(host) % COMMON_LAYOUTS.length] as LayoutName;
  const rest = { articles: STRANGER_ARTICLES, hasListings: false, compress: null, robots: 'plain' } as const;
  return { host, name: siteName(host), layout, language: ENGLISH, ...rest };
}

/** `www.bbc.com` → `BBC`, `arstechnica.com` → `Arstechnica`, `the-verge.co.uk` → `The Verge`. */
function siteName(host: string): string {
  const label = host.split('.').find((part) => part !== 'www' && part !== 'm') ?? host;
  if (label.length <= 3) return label.toUpperCase();
  return label
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
