// Articles on stdout: as text, one JSON document, NDJSON or CSV. Lines and rows are written while it runs; the document at the end.

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

export function articleWriter(format: Format, terminal: Terminal): ArticleWriter {
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
      return { article: (article) => terminal.out(readableArticle(article)), failed: nothing, end: nothing };
  }
}

export function readableArticle(article: Article): string {
  const about = [article.author, article.published_at?.slice(0, 10), article.language].filter(Boolean).join(' · ');
  return [article.title ?? '(no title)', ...(about ? [about] : []), article.url, '', article.content, ''].join('\n');
}
