// The article of any URL. A page without running text is an error: an empty success would be stored and reused.
import { z } from 'zod';
import type { ExtractedArticle } from '../../extract/article/index.ts';
import { shifted } from '../../model/article/lines.ts';
import { AppError, asAppError } from '../../model/errors.ts';
import type { Web, WebResponse } from '../../web/port.ts';
import { defineSource } from '../define.ts';
import { articleItem, extractPage, textAndMarkup, type WholeText } from './page.ts';

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
    yield articleItem(url, first, await wholeText(first, web));
  },
});

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
  return extractPage(page.text, page.url);
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
