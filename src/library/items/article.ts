// An article as the library hands it out. The extraction's further findings come as `details`, which workers of another make may leave out: then they are
// null here, as everything that is not known.
import { type TextFormat, textAs } from '../../model/article/text-format.ts';
import type { Article as ArticleModel } from '../../model/item/article.ts';

/** Title, text and facts of one web page. Unknown values are null. */
export interface Article {
  /** The address that was asked for, as it was given. */
  url: string;
  /** Title of the article. */
  title: string | null;
  /** Plain text, with an empty line between paragraphs; Markdown or clean HTML where `format` asks for it. */
  content: string;
  /** Who wrote it. */
  author: string | null;
  /** When it was published, ISO 8601. */
  publishedAt: string | null;
  /** When it was last changed, ISO 8601. */
  modifiedAt: string | null;
  /** What the page is: `article`, `documentation`, `forum`, `product`, `service`, `listing` or `collection`. */
  kind: string | null;
  /** ISO 639-1 code of the text's language. */
  language: string | null;
  /** Address of its main picture. */
  image: string | null;
  /** Name of the site. */
  siteName: string | null;
  /** The address that the page calls its own. */
  canonicalUrl: string | null;
  /** A sentence or two about it, as the page gives them. */
  excerpt: string | null;
  /** Words in `content`, as the extraction counted them. */
  wordCount: number | null;
  /** Keywords of the page. */
  tags: string[];
  /** The rest is for subscribers. */
  isPaywalled: boolean;
  /** Only the beginning of the text is on the page. */
  isTeaser: boolean;
  /** A page that is added to while something happens. */
  isLiveBlog: boolean;
  /** The page was larger than the limit and was cut. */
  isTruncated: boolean;
}

export function toArticle(article: Omit<ArticleModel, 'url'>, url: string, format: TextFormat = 'text'): Article {
  const details = article.details ?? {};
  const text = (name: string): string | null => (typeof details[name] === 'string' ? details[name] : null);
  return {
    url,
    title: article.title,
    content: textAs(format, article.content, article.details),
    author: article.author,
    publishedAt: article.published_at,
    modifiedAt: text('modified_at'),
    kind: text('kind'),
    language: article.language,
    image: article.image,
    siteName: text('site_name'),
    canonicalUrl: text('canonical_url'),
    excerpt: text('excerpt'),
    wordCount: typeof details.word_count === 'number' ? details.word_count : null,
    tags: Array.isArray(details.tags) ? details.tags.map(String) : [],
    isPaywalled: details.paywalled === true,
    isTeaser: details.teaser === true,
    isLiveBlog: details.live_blog === true,
    isTruncated: details.truncated === true,
  };
}
