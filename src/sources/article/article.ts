// The article of any URL. A page without running text is an error: an empty success would be stored and reused.
import { z } from 'zod';
import { type ExtractedArticle, extractArticle } from '../../extract/article/index.ts';
import { type Markup, shifted } from '../../model/article/lines.ts';
import { AppError, asAppError } from '../../model/errors.ts';
import type { Article } from '../../model/item/article.ts';
import { withOrigins } from '../../model/provenance/origins.ts';
import { canonicalUrl } from '../../model/url.ts';
import type { Web, WebResponse } from '../../web/port.ts';
import { defineSource } from '../define.ts';
import { articleOrigins } from './article-origins.ts';

const READABLE = /^(text\/(html|plain|xml)|application\/(xhtml\+xml|xml))\s*(;|$)/i;

const PAGES_MAX = 20;

const INSTEAD = {
  listing: 'not an article but a list of them',
  search: 'not an article but search results',
  error: 'not an article but an error page',
  login: 'not an article but a login page',
  no_text: 'no article text on the page',
} as const;

export const article = defineSource({
  name: 'article',
  title: 'Article of any web page',
  kind: 'article',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 8, delayMs: 0 },
  params: z.object({ url: z.url({ protocol: /^https?$/ }) }),
  async *scrape({ url }, web) {
    const first = await readFirst(url, web);
    if (first.not_article !== null) throw new AppError('not_article', INSTEAD[first.not_article]);
    if (first.content.trim() === '') throw new AppError('not_article', INSTEAD.no_text);
    const { content, markup } = await wholeText(first, web);
    const item: Article = {
      // Of the address that was asked for, whatever it redirected to: it is what the caller knows.
      url: canonicalUrl(url),
      title: first.title,
      content,
      author: first.author,
      published_at: first.published_at,
      language: first.language,
      image: first.image,
      details: { ...detailsOf(first), markup },
    };
    yield withOrigins(item, articleOrigins(first.explain ?? {}));
  },
});

/** Everything the extraction says besides the article's own fields. */
function detailsOf(found: ExtractedArticle): Record<string, unknown> {
  const { kind, modified_at, site_name, canonical_url, excerpt, word_count, tags } = found;
  const { paywalled, teaser, live_blog, truncated, explain = {} } = found;
  const flags = { paywalled, teaser, live_blog, truncated };
  return { kind, modified_at, site_name, canonical_url, excerpt, word_count, tags, ...flags, explain };
}

const hasText = ({ not_article, content }: ExtractedArticle): boolean =>
  not_article !== 'no_text' && content.trim() !== '';

/** A page that is empty until its scripts have run is read as a browser shows it, where there is one. */
async function readFirst(url: string, web: Web): Promise<ExtractedArticle> {
  const page = await web.get(url);
  const found = extract(page);
  if (hasText(found) || !/<script\b/i.test(page.text)) return found;
  try {
    return extract(await web.page(url));
  } catch (thrown) {
    if (web.signal.aborted) throw thrown;
    web.warn(`the page needs JavaScript, and the browser failed: ${asAppError(thrown).message}`);
    return found;
  }
}

async function read(url: string, web: Web): Promise<ExtractedArticle> {
  return extract(await web.get(url));
}

function extract(page: WebResponse): ExtractedArticle {
  const type = page.headers['content-type'];
  if (type !== undefined && !READABLE.test(type.trim()))
    throw new AppError('unsupported_content', `not a page but ${type.slice(0, 80)}`);
  return extractArticle(page.text, page.url, { explain: true, markup: true });
}

interface WholeText {
  content: string;
  markup: Markup;
}

/** Further pages of the article are joined to it. Where the page only begins, its AMP or print version may have the rest. */
async function wholeText(first: ExtractedArticle, web: Web): Promise<WholeText> {
  if (first.teaser && !first.paywalled) {
    for (const address of [first.amp, first.print]) {
      const other = address === null ? null : await readOther(address, web);
      if (other !== null && other.content.length > first.content.length) return textAndMarkup(other);
    }
  }
  const pages = [textAndMarkup(first)];
  let next = first.next_page;
  for (let page = 2; next !== null && page <= PAGES_MAX; page++) {
    const more = await readOther(next, web);
    // A last page that links to itself, or shows the first one again, ends it.
    if (more === null || more.content.trim() === '' || pages.some(({ content }) => content === more.content)) break;
    pages.push(textAndMarkup(more));
    next = more.next_page;
  }
  return pages.reduce((whole, page) => ({
    content: `${whole.content}\n\n${page.content}`,
    markup: [...whole.markup, ...shifted(page.markup, whole.content.length + 2)],
  }));
}

const textAndMarkup = ({ content, markup = [] }: ExtractedArticle): WholeText => ({ content, markup });

/** A further page of the article: without it the article is shorter, and the result has a warning. */
async function readOther(address: string, web: Web): Promise<ExtractedArticle | null> {
  try {
    return await read(address, web);
  } catch (thrown) {
    if (web.signal.aborted) throw thrown;
    web.warn(`${address} could not be read: ${asAppError(thrown).message}`);
    return null;
  }
}
