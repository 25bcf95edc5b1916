// An article: what comes back from scraping the title and content of a URL.
import { z } from 'zod';
import { keyOf } from '../ids.ts';
import { canonicalUrl } from '../url.ts';

export const Article = z.object({
  /** Canonical address; its hash is the article's identity. */
  url: z.string(),
  title: z.string().nullable(),
  content: z.string(),
  author: z.string().nullable(),
  published_at: z.string().nullable(),
  language: z.string().nullable(),
  image: z.string().nullable(),
  /** What else the page says, and where each field came from. Workers of another make may leave it out. */
  details: z.record(z.string(), z.unknown()).nullable().optional(),
});
export type Article = z.infer<typeof Article>;

export const articleKey = (url: string): string => keyOf(`article:${canonicalUrl(url)}`);
