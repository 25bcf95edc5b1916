// The engines that read an article out of a page, ours and the peers, in one shape. Peers give HTML or text; HTML becomes text block by
// block with our own reader, so that no peer loses for words that run together.
import { createRequire } from 'node:module';
import { parse, text } from '../../src/extract/html/html.ts';
import type { Engine, Extractor } from './quality.ts';

// Each loads only its own libraries.
export const EXTRACTORS: Record<Engine, () => Promise<Extractor>> = {
  windrow: async () => {
    const { extractArticle } = await import('../../src/extract/article/index.ts');
    return (html, url) => extractArticle(html, url);
  },
  readability: async () => {
    const { extractArticle } = await import('../articles/peer-readability.ts');
    return (html) => extractArticle(html);
  },
  defuddle: async () => {
    const { Defuddle } = await import('defuddle/node');
    const { parseHTML } = await import('linkedom');
    return async (html, url) => {
      const { document } = parseHTML(html);
      const found = await quietly(() =>
        Defuddle(document as unknown as Document, url ?? undefined, { useAsync: false }),
      );
      return {
        content: text(parse(found.content)),
        title: found.title,
        author: found.author,
        date: found.published,
      };
    };
  },
  contextractor: async () => {
    // The library fetches pages itself; what reads them is its native part.
    const native = createRequire(import.meta.resolve('contextractor'))('./native/index.cjs') as NativeExtractor;
    return (html, url) => {
      // Without comments, which no label counts in; all else as the library sets it.
      const { content } = native.extract(html, {
        url: url ?? undefined,
        format: 'txt',
        config: { includeComments: false },
      });
      const facts = native.extractMetadata(html, url ?? undefined);
      return { content: content ?? '', title: facts.title, author: facts.author, date: facts.date };
    };
  },
};

interface NativeExtractor {
  extract(
    html: string,
    options: { url?: string; format: string; config: { includeComments: boolean } },
  ): { content?: string };
  extractMetadata(html: string, url?: string): { title?: string; author?: string; date?: string };
}

/** It prints every broken JSON-LD of a page with its stack, and goes on. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { error } = console;
  console.error = () => {};
  try {
    return await work();
  } finally {
    console.error = error;
  }
}
