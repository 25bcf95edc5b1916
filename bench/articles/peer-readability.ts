// Readability on linkedom with its text taken block by block, in the shape the evaluation asks for: the peer to compare with.
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { parse, text } from '../../src/extract/html/html.ts';

export function extractArticle(html: string): {
  title: string | null;
  content: string;
  author: string | null;
  date: string | null;
} {
  const found = new Readability(parseHTML(html).document as unknown as Document).parse();
  return {
    title: found?.title ?? null,
    content: text(parse(found?.content ?? '')),
    author: found?.byline ?? null,
    date: found?.publishedTime ?? null,
  };
}
