// Which made-up news site a host is. Hosts of sites.json are ours and have listings; every other host is a site too, whose layout
// follows from its name and on which every path is an article, because people submit front pages as articles and expect an answer.
import { z } from 'zod';
import { hash32 } from '../random.ts';
import { LANGUAGES, type Language } from './prose.ts';
import known from './sites.json' with { type: 'json' };

const LayoutName = z.enum([
  'blog',
  'classic',
  'crowded',
  'gazette',
  'microdata',
  'paywall',
  'portal',
  'soup',
  'tagsoup',
]);
type LayoutName = z.infer<typeof LayoutName>;

const SiteRow = z.strictObject({
  host: z.string(),
  name: z.string(),
  layout: LayoutName,
  /** How many articles the listings, feeds and sitemaps know of; any other path is an article as well. */
  articles: z.int().positive(),
  language: z.enum(['en', 'fr', 'ja']).default('en'),
  charset: z.enum(['utf-8', 'windows-1252']).default('utf-8'),
  compress: z.enum(['gzip', 'br']).nullable().default(null),
  /** `slow`: with a crawl delay; `down`: answers 503; `none`: there is none. */
  robots: z.enum(['plain', 'slow', 'down', 'none']).default('plain'),
  /** Shows the beginning of its articles only. */
  isTeaser: z.boolean().default(false),
});

export type Site = Omit<z.infer<typeof SiteRow>, 'language'> & { language: Language; hasListings: boolean };

/** Layouts a host outside sites.json may get: English, whole stories, UTF-8. */
const COMMON_LAYOUTS: readonly LayoutName[] = ['classic', 'microdata', 'blog', 'crowded', 'soup', 'tagsoup'];
const STRANGER_ARTICLES = 200;

export const OWN_SITES: ReadonlyMap<string, Site> = new Map(known.map((row) => [row.host, makeSite(row, true)]));

export function siteOf(host: string): Site {
  return OWN_SITES.get(host) ?? strangerSite(host);
}

function makeSite(row: z.input<typeof SiteRow> | (typeof known)[number], hasListings: boolean): Site {
  const site = SiteRow.parse(row);
  return { ...site, language: LANGUAGES[site.language], hasListings };
}

function strangerSite(host: string): Site {
  const layout = COMMON_LAYOUTS[hash32(host) % COMMON_LAYOUTS.length] as LayoutName;
  return {
    host,
    name: siteName(host),
    layout,
    articles: STRANGER_ARTICLES,
    language: LANGUAGES.en,
    charset: 'utf-8',
    compress: null,
    robots: 'plain',
    isTeaser: false,
    hasListings: false,
  };
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
