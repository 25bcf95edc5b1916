// An article out of a page's HTML: body text, title, author, dates and the rest.
import { jsonLdNodes } from '../structured.ts';
import { type Block, blocksOf } from './blocks.ts';
import { bitOf, classReader } from './lexicon.ts';
import { pickContainer } from './pick.ts';
import { type Page, readPage, type TreeNode } from './tree.ts';

export interface Extracted {
  title: string | null;
  content: string;
  author: string | null;
  date: string | null;
  published_at: string | null;
  language: string | null;
  image: string | null;
}

const BAD_TAGS = new Set(['nav', 'aside', 'footer', 'figcaption', 'form', 'button', 'label', 'dialog', 'menu']);
const BAD_BITS =
  bitOf('comment') |
  bitOf('related') |
  bitOf('share') |
  bitOf('promo') |
  bitOf('ad') |
  bitOf('nav') |
  bitOf('aside') |
  bitOf('caption') |
  bitOf('hidden') |
  bitOf('byline');

function badAncestor(page: Page): (node: TreeNode) => boolean {
  const sense = classReader();
  const bad = new Uint8Array(page.nodes.length);
  for (const node of page.nodes) {
    if (node.tag === '#text' || !node.parent) continue;
    const own =
      node.tag !== 'body' &&
      node.tag !== 'html' &&
      node.tag !== 'article' &&
      node.tag !== 'main' &&
      (BAD_TAGS.has(node.tag) ||
        'hidden' in node.attrs ||
        /display\s*:\s*none/.test(node.attrs.style ?? '') ||
        ((sense(node.attrs).strong & BAD_BITS) !== 0 && (sense(node.attrs).strong & bitOf('content')) === 0));
    bad[node.index] = own || bad[node.parent.index] ? 1 : 0;
  }
  return (node) => bad[node.index] === 1;
}

export function extractArticle(html: string, _url?: string): Extracted {
  const page = readPage(html);
  const blocks = blocksOf(page);
  const isBad = badAncestor(page);
  const isProse = (b: Block) => b.text.length >= 40 && b.linkChars < 0.5 * b.text.length && !isBad(b.node);
  const gains = blocks.map((b) => (isProse(b) ? b.text.length : -20));
  const top = pickContainer(page, blocks, gains);
  const kept = blocks.filter(
    (b) =>
      b.from >= top.index &&
      b.to <= top.end &&
      !isBad(b.node) &&
      b.linkChars < 0.8 * b.text.length &&
      b.node.tag !== 'h1',
  );
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
