// What a sitemap says: addresses of pages, or of further sitemaps. One address a line is a sitemap too. Read without a tree: a file may have 50,000 entries.
import { Parser } from 'htmlparser2';
import { bounded } from '../limits.ts';

export interface Sitemap {
  urls: string[];
  /** Further sitemap files. */
  sitemaps: string[];
}

/** As the format says. */
const ENTRIES_MAX = 50_000;

export function readSitemap(text: string, address: string): Sitemap {
  const found: Sitemap = { urls: [], sitemaps: [] };
  const add = (list: string[], href: string): void => {
    const url = URL.parse(bounded(href.trim(), 'url'), address);
    if (url !== null && /^https?:$/.test(url.protocol) && list.length < ENTRIES_MAX) list.push(url.href);
  };
  if (!text.includes('<')) {
    for (const line of text.split(/\r?\n/)) if (/^https?:\/\//.test(line.trim())) add(found.urls, line);
    return found;
  }
  const open: string[] = [];
  let loc: string | null = null;
  const parser = new Parser(
    {
      onopentag(name) {
        // No honest file is deeper than this; the names above decide.
        if (open.length < 16) open.push(localName(name));
        loc = localName(name) === 'loc' ? '' : null;
      },
      ontext(more) {
        if (loc !== null) loc += more;
      },
      onclosetag(name) {
        if (localName(name) === 'loc' && loc !== null) {
          const parent = open.at(-2);
          if (parent === 'url') add(found.urls, loc);
          else if (parent === 'sitemap') add(found.sitemaps, loc);
        }
        loc = null;
        if (open.at(-1) === localName(name)) open.pop();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  return found;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();
