// An article as an item, from what the extraction found on a page: the same for a page that was asked for, and for one that a crawl came by.
import { type ExtractedArticle, extractArticle } from '../../extract/article/index.ts';
import type { Markup } from '../../model/article/lines.ts';
import type { Article } from '../../model/item/article.ts';
import { withOrigins } from '../../model/provenance/origins.ts';
import { canonicalUrl } from '../../model/url.ts';
import { articleOrigins } from './article-origins.ts';

export interface WholeText {
  content: string;
  markup: Markup;
}

export const extractPage = (text: string, url: string): ExtractedArticle =>
  extractArticle(text, url, { explain: true, markup: true });

export const textAndMarkup = ({ content, markup = [] }: ExtractedArticle): WholeText => ({ content, markup });

/** Null where the page is none. */
export function articleOf(url: string, found: ExtractedArticle): Article | null {
  return found.not_article !== null || found.content.trim() === ''
    ? null
    : articleItem(url, found, textAndMarkup(found));
}

export function articleItem(url: string, found: ExtractedArticle, { content, markup }: WholeText): Article {
  const { title, author, published_at, language, image, explain = {} } = found;
  const item: Article = {
    // Of the address that was asked for, whatever it redirected to: it is what the caller knows.
    url: canonicalUrl(url),
    title,
    content,
    author,
    published_at,
    language,
    image,
    details: { ...detailsOf(found), markup },
  };
  return withOrigins(item, articleOrigins(explain));
}

/** Everything the extraction says besides the article's own fields. */
function detailsOf(found: ExtractedArticle): Record<string, unknown> {
  const { kind, modified_at, site_name, canonical_url, excerpt, word_count, tags } = found;
  const { paywalled, teaser, live_blog, truncated, explain = {} } = found;
  const flags = { paywalled, teaser, live_blog, truncated };
  return { kind, modified_at, site_name, canonical_url, excerpt, word_count, tags, ...flags, explain };
}
