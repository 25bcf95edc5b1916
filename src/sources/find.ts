// A source by name, its code loaded when its first task comes: a worker that only ever sees articles does not carry the parsers of job boards.
import type { Source } from './define.ts';

export async function findSource(name: string): Promise<Source | undefined> {
  if (name === 'article') return (await import('./article/article.ts')).article;
  if (name === 'crawl') return (await import('./crawl/crawl.ts')).crawl as Source;
  return (await import('./built-in.ts')).SOURCES.get(name);
}
