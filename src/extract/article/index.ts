// An article out of a page's HTML: body text, title, author, dates and the rest.
import { jsonLdNodes } from '../structured.ts';
import { decide } from './decide.ts';
import { factsOf, statedOf } from './facts.ts';
import { MODELS } from './models.ts';
import { readPage } from './tree.ts';
import { viewOf } from './view.ts';

export interface Extracted {
  title: string | null;
  content: string;
  author: string | null;
  date: string | null;
  published_at: string | null;
  language: string | null;
  image: string | null;
}

export function extractArticle(html: string, _url?: string): Extracted {
  const page = readPage(html);
  const facts = factsOf(page);
  const view = viewOf(page, statedOf(page, facts));
  const { kept: keep } = decide(view, MODELS);
  const kept = view.spots.filter((_, i) => keep[i]).map((spot) => spot.block);
  const meta = (...names: string[]) => page.metas.find((m) => names.includes(m.name))?.content ?? null;
  const ld = jsonLdNodes(page.jsonLd);
  const stated = (key: string) => ld.map((n) => n[key]).find((v) => typeof v === 'string') as string | undefined;
  const author = ld.map((n) => n.author).find((a) => a !== undefined);
  const name = Array.isArray(author) ? author[0] : author;
  const date = stated('datePublished') ?? meta('article:published_time', 'date', 'dc.date', 'datepublished');
  const time = date ? new Date(date) : null;
  const iso = time && !Number.isNaN(time.getTime()) ? time.toISOString() : null;
  return {
    title: stated('headline') ?? meta('og:title') ?? (page.title || null),
    content: kept.map((b) => b.text).join('\n\n'),
    author:
      (typeof name === 'string' ? name : ((name as { name?: string } | undefined)?.name ?? null)) ?? meta('author'),
    date: iso,
    published_at: iso,
    language: page.htmlLang || null,
    image: meta('og:image'),
  };
}
