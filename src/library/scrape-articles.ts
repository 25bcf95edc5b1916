// scrapeArticles: title, text and facts of web pages.
import { z } from 'zod';
import { TEXT_FORMATS } from '../model/article/text-format.ts';
import type { FieldError } from '../model/errors.ts';
import type { Article as ArticleModel } from '../model/item/article.ts';
import { article } from '../sources/article/article.ts';
import { type Article, toArticle } from './items/article.ts';
import { invalidOptions } from './options/option-errors.ts';
import { optionsSchema, readOptions, type ScrapeOptions } from './options/scrape-options.ts';
import type { Task } from './run/run-task.ts';
import { createScrape, type Scrape } from './run/scrape.ts';

export interface ScrapeArticlesOptions extends ScrapeOptions {
  /** Addresses of the pages. */
  urls: readonly string[];
  /** Pages at a time, over all hosts; 20. Each host has its own pace beside that. */
  concurrency?: number | undefined;
  /** What `content` is written in; `text`. */
  format?: 'text' | 'markdown' | 'html' | undefined;
}

const CONCURRENCY = 20;

const SCHEMA = optionsSchema({
  urls: z.array(z.string()).min(1),
  concurrency: z.number().int().min(1).max(1_000).optional(),
  format: z.enum(TEXT_FORMATS).optional(),
});

/** Scrapes articles; yields them as they come, not in the order of the addresses. A page that fails is in `errors`. */
export function scrapeArticles(given: ScrapeArticlesOptions): Scrape<Article> {
  const { options, scraping } = readOptions('scrapeArticles', SCHEMA, given);
  const tasks = options.urls.map(articleTask);
  const errors = articleErrors(tasks);
  if (errors.length > 0) throw invalidOptions('scrapeArticles', errors);
  return createScrape({
    ...scraping,
    tasks,
    concurrency: options.concurrency ?? CONCURRENCY,
    toItem: (item, { target }) => toArticle(item as ArticleModel, String(target), options.format),
  });
}

/** Of thousands of addresses the first wrong ones say enough. */
const ERRORS_SHOWN = 10;

export function articleErrors(tasks: readonly Task[]): FieldError[] {
  const isValid = ({ source, params }: Task): boolean => source.params.safeParse(params).success;
  return tasks
    .flatMap((task, i) =>
      isValid(task) ? [] : [{ pointer: `/urls/${i}`, detail: 'has to be a URL that starts with http:// or https://' }],
    )
    .slice(0, ERRORS_SHOWN);
}

export const articleTask = (url: string): Task => ({
  source: article,
  params: { url },
  target: url,
  wanted: 1,
  keyOf: () => url,
});
