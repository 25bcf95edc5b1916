// A file of a sitemap: the pages of a site with the time of their last change, or the other files of it. XML, or one address a line.
import { AppError } from '../../model/errors.ts';
import { childText, elements, parseXml } from '../postings/xml.ts';

export interface SitemapEntry {
  url: string;
  /** As stated; null where the site does not say. */
  changedMs: number | null;
}

export interface SitemapFile {
  /** The entries are files of the sitemap and no pages. */
  isIndex: boolean;
  entries: SitemapEntry[];
}

const MAX_URL = 2_000;

export function readSitemap(body: string, fileUrl: string): SitemapFile {
  const text = body.replace(/^\ufeff/, '').trimStart();
  if (/^https?:\/\//i.test(text))
    return { isIndex: false, entries: text.split('\n').flatMap((line) => entry(line, null, fileUrl)) };
  if (!/^<(?:\?xml|urlset|sitemapindex|!--)/i.test(text))
    throw new AppError(
      'layout_changed',
      `Not a sitemap: ${fileUrl} answered with ${text.startsWith('<') ? 'HTML' : 'something that is neither XML nor a list of URLs'}`,
    );
  const root = parseXml(text);
  const files = elements(root, 'sitemap');
  const isIndex = files.length > 0;
  return {
    isIndex,
    entries: (isIndex ? files : elements(root, 'url')).flatMap((element) =>
      entry(childText(element, 'loc'), childText(element, 'lastmod'), fileUrl),
    ),
  };
}

function entry(address: string | null, changed: string | null, base: string): SitemapEntry[] {
  const text = address?.trim() ?? '';
  const url = text === '' || text.length > MAX_URL ? null : URL.parse(text, base);
  if (url === null || !url.protocol.startsWith('http')) return [];
  const changedMs = Date.parse(changed ?? '');
  return [{ url: url.href, changedMs: Number.isNaN(changedMs) ? null : changedMs }];
}
