// Articles on stdout: as text, one JSON document, NDJSON or CSV. Lines and rows are written while it runs; the document at the end.

import { escapeHtml } from '../../../model/article/escape.ts';
import { type TextFormat, textAs } from '../../../model/article/text-format.ts';
import { csvLine } from '../../../model/csv.ts';
import type { Article } from '../../../model/item/article.ts';
import type { Format } from '../../terminal/formats.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export interface FailedPage {
  url: string;
  category: string;
  code?: string | undefined;
  message: string;
  attempts: number;
}

export interface ArticleWriter {
  article(article: Article): void;
  failed(page: FailedPage): void;
  end(): void;
}

export const ARTICLE_COLUMNS = ['url', 'title', 'author', 'published_at', 'language', 'image', 'content'] as const;

export function articleWriter(format: Format, terminal: Terminal, text: TextFormat = 'text'): ArticleWriter {
  const nothing = () => {};
  switch (format) {
    case 'ndjson':
      return { article: (article) => terminal.out(JSON.stringify(article)), failed: nothing, end: nothing };
    case 'csv':
      // Without its end, which the terminal sees to.
      terminal.out(csvLine(ARTICLE_COLUMNS).slice(0, -2));
      return {
        article: (article) => terminal.out(csvLine(ARTICLE_COLUMNS.map((name) => article[name])).slice(0, -2)),
        failed: nothing,
        end: nothing,
      };
    case 'json': {
      const results: Article[] = [];
      const failed: FailedPage[] = [];
      return {
        article: (article) => results.push(article),
        failed: ({ url, category, code, message, attempts }) =>
          failed.push({ url, category, ...(code ? { code } : {}), message, attempts }),
        end: () =>
          terminal.document({ successful: results.length, failed: failed.length, results, failed_articles: failed }),
      };
    }
    default:
      return { article: (article) => terminal.out(documentOf(article, text)), failed: nothing, end: nothing };
  }
}

/** The article with its text as asked for; what is only there to print it that way goes. */
export function articleAs(format: TextFormat, article: Article): Article {
  if (!article.details) return article;
  const { markup: _, ...details } = article.details;
  return { ...article, content: textAs(format, article.content, article.details), details };
}

/** A document of its own: Markdown and HTML begin with the title, which is no part of the text. */
function documentOf(article: Article, format: TextFormat): string {
  const { title, content } = article;
  if (format === 'text') return readableArticle(article);
  if (format === 'markdown') return `${title === null ? '' : `# ${title}\n\n`}${content}\n`;
  return `${title === null ? '' : `<h1>${escapeHtml(title)}</h1>\n`}${content}`;
}

export function readableArticle(article: Article): string {
  const about = [article.author, article.published_at?.slice(0, 10), article.language].filter(Boolean).join(' · ');
  return [article.title ?? '(no title)', ...(about ? [about] : []), article.url, '', article.content, ''].join('\n');
}
