// The article behind any web address. A page without running text is not an article and says so: an empty success would be kept, and reused.
import { z } from 'zod';
import { extractArticle } from '../extract/article/index.ts';
import { AppError } from '../model/errors.ts';
import { canonicalUrl } from '../model/url.ts';
import { defineSource } from './define.ts';

const READABLE = /^(text\/(html|plain|xml)|application\/(xhtml\+xml|xml))\s*(;|$)/i;

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
    const page = await web.get(url);
    const type = page.headers['content-type'];
    if (type !== undefined && !READABLE.test(type.trim()))
      throw new AppError('unsupported_content', `not a page but ${type.slice(0, 80)}`);
    const found = extractArticle(page.text, page.url);
    if (found.not_article !== null) throw new AppError('not_article', INSTEAD[found.not_article]);
    if (found.content.trim() === '') throw new AppError('not_article', INSTEAD.no_text);
    yield {
      // Of the address that was asked for, whatever it redirected to: it is what the caller knows.
      url: canonicalUrl(url),
      title: found.title,
      content: found.content,
      author: found.author,
      published_at: found.published_at,
      language: found.language,
      image: found.image,
    };
  },
});
