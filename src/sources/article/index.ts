// The sources of articles: one for any page, and those that read the pages of one site better. The site's own goes first.
import type { Source } from '../define.ts';
import { article } from './article.ts';

export const ARTICLE_SOURCES: readonly Source[] = [
  // Any page that no other source claims.
  article,
];
