// A description as clean HTML, Markdown and plain text. Only tags a text needs survive; scripts, forms and trackers do not.
// What a reader would get wrong: HTML that a source escaped once more (`&lt;p&gt;`) is text here; a source that does so has to unescape it before.
import { isTag, isText } from 'domhandler';
import type { Cell, Line, Piece } from '../../model/article/lines.ts';
import { toMarkdown } from '../../model/article/markdown.ts';
import { type AnyNode, cleanText, type Element, parse, text } from '../html/html.ts';

export interface Description {
  html: string;
  markdown: string;
  plain: string;
}

const KEPT = new Set(
  'p br ul ol li h1 h2 h3 h4 h5 h6 strong em b i a table thead tbody tr td th code pre blockquote'.split(' '),
);
const DROPPED = new Set(
  'script style iframe form input button select textarea noscript template svg img object embed video audio head title'.split(
    ' ',
  ),
);
const BLOCKS = new Set(
  'p div section article ul ol li h1 h2 h3 h4 h5 h6 table tr pre blockquote header footer main dl dt dd'.split(' '),
);
const STARTS_WITH_BLOCK = /^\s*<(?:p|ul|ol|h[1-6]|table|pre|blockquote)[\s>]/;
const MAX_DEPTH = 200;
const LINK = /^(?:https?:|mailto:)/i;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (raw: string) => raw.replace(/[&<>"]/g, (mark) => ENTITIES[mark]!);

/** Null for a description that has no words. */
export function describe(html: string): Description | null {
  const doc = parse(html);
  // No honest text is nested this deep, and every walk below goes as deep as the markup.
  if (isTooDeep(doc.children)) return describeText(text(doc));
  const nodes = doc.children;
  const lines = linesOf(nodes);
  const plain = lines.map(plainLine).join('\n').trim();
  if (plain === '') return null;
  return { html: clean(nodes).trim(), markdown: toMarkdown(lines), plain };
}

function isTooDeep(nodes: AnyNode[]): boolean {
  const stack = nodes.map((node) => ({ node, depth: 1 }));
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (top.depth > MAX_DEPTH) return true;
    if (isTag(top.node)) for (const node of top.node.children) stack.push({ node, depth: top.depth + 1 });
  }
  return false;
}

/** Text without markup, such as Google's, in the same three forms. */
export function describeText(raw: string): Description | null {
  return describe(
    escapeHtml(raw.trim())
      .split(/\n{2,}/)
      .map((part) => `<p>${part.replace(/\n/g, '<br>')}</p>`)
      .join(''),
  );
}

function clean(nodes: AnyNode[]): string {
  let out = '';
  for (const node of nodes) {
    if (isText(node)) out += escapeHtml(node.data);
    else if (isTag(node) && !DROPPED.has(node.name)) out += cleanElement(node);
  }
  return out;
}

function cleanElement(element: Element): string {
  const inner = clean(element.children);
  const { name } = element;
  if (name === 'br') return '<br>';
  if (!KEPT.has(name))
    return BLOCKS.has(name) && inner.trim() !== '' && !STARTS_WITH_BLOCK.test(inner) ? `<p>${inner}</p>` : inner;
  if (inner.trim() === '' && name !== 'td' && name !== 'th') return '';
  const href = name === 'a' ? element.attribs.href?.trim() : undefined;
  if (name === 'a' && !(href && LINK.test(href))) return inner;
  return `<${name}${href ? ` href="${escapeHtml(href)}"` : ''}>${inner}</${name}>`;
}

interface BlockContext {
  depth: number;
  ordered: boolean;
  quoted: boolean;
}

function linesOf(nodes: AnyNode[]): Line[] {
  const lines: Line[] = [];
  walk(nodes, { depth: 0, ordered: false, quoted: false }, lines);
  return lines;
}

/** Blocks become lines; the words between blocks become paragraphs. */
function walk(nodes: AnyNode[], context: BlockContext, lines: Line[]): void {
  let loose: AnyNode[] = [];
  const flush = () => {
    for (const pieces of splitAtBreaks(loose))
      if (pieces.length > 0) lines.push({ kind: context.quoted ? 'quote' : 'paragraph', pieces });
    loose = [];
  };
  for (const node of nodes) {
    if (!isTag(node) || !holdsBlock(node)) {
      loose.push(node);
      continue;
    }
    flush();
    block(node, context, lines);
  }
  flush();
}

const holdsBlock = (element: Element): boolean =>
  BLOCKS.has(element.name) || element.children.some((child) => isTag(child) && holdsBlock(child));

function block(element: Element, context: BlockContext, lines: Line[]): void {
  const { name } = element;
  if (DROPPED.has(name)) return;
  if (/^h[1-6]$/.test(name)) {
    const pieces = piecesOf(element.children);
    if (pieces.length > 0) lines.push({ kind: 'heading', level: Number(name[1]), pieces });
  } else if (name === 'ul' || name === 'ol')
    walk(element.children, { ...context, depth: context.depth + 1, ordered: name === 'ol' }, lines);
  else if (name === 'li') item(element, context, lines);
  else if (name === 'pre') lines.push({ kind: 'code', text: text(element), language: '' });
  else if (name === 'table') table(element, lines);
  else walk(element.children, name === 'blockquote' ? { ...context, quoted: true } : context, lines);
}

function item(element: Element, context: BlockContext, lines: Line[]): void {
  const isList = (node: AnyNode) => isTag(node) && (node.name === 'ul' || node.name === 'ol');
  const pieces = piecesOf(element.children.filter((node) => !isList(node)));
  if (pieces.length > 0)
    lines.push({ kind: 'item', depth: Math.max(1, context.depth), ordered: context.ordered, continues: false, pieces });
  walk(element.children.filter(isList), context, lines);
}

function table(element: Element, lines: Line[]): void {
  const rows: Cell[][] = [];
  const visit = (node: AnyNode): void => {
    if (!isTag(node)) return;
    if (node.name === 'tr')
      rows.push(
        node.children
          .filter((cell) => isTag(cell))
          .map((cell) => ({ isHead: cell.name === 'th', pieces: piecesOf([cell]) })),
      );
    else for (const child of node.children) visit(child);
  };
  visit(element);
  if (rows.length > 0) lines.push({ kind: 'table', rows });
}

function splitAtBreaks(nodes: AnyNode[]): Piece[][] {
  const groups: AnyNode[][] = [[]];
  for (const node of nodes) {
    if (isTag(node) && node.name === 'br') groups.push([]);
    else groups.at(-1)!.push(node);
  }
  return groups.map(piecesOf);
}

/** Runs of words with the same style, white space folded, no white space at the ends. */
function piecesOf(nodes: AnyNode[]): Piece[] {
  const pieces: GrowingPiece[] = [];
  const visit = (node: AnyNode, dress: Omit<Piece, 'text'>): void => {
    if (isText(node))
      push(pieces, { ...dress, text: node.data.replace(/[\u00ad\u200b\u2060\ufeff]/g, '').replace(/\s+/g, ' ') });
    else if (isTag(node) && !DROPPED.has(node.name)) {
      if (node.name === 'br') push(pieces, { ...dress, text: ' ' });
      const href = node.name === 'a' ? node.attribs.href?.trim() : undefined;
      const worn = {
        href: href && LINK.test(href) ? href : dress.href,
        strong: dress.strong || node.name === 'strong' || node.name === 'b',
        em: dress.em || node.name === 'em' || node.name === 'i',
        code: dress.code || node.name === 'code',
      };
      if (BLOCKS.has(node.name) && pieces.length > 0) push(pieces, { ...dress, text: ' ' });
      for (const child of node.children) visit(child, worn);
    }
  };
  for (const node of nodes) visit(node, { href: null, strong: false, em: false, code: false });
  const whole: Piece[] = pieces.map(({ texts, ...style }) => ({ ...style, text: texts.join('') }));
  const [first, last] = [whole[0], whole.at(-1)];
  if (first) first.text = first.text.trimStart();
  if (last) last.text = last.text.trimEnd();
  const kept = whole.filter((piece) => piece.text !== '');
  return kept.some((piece) => piece.text.trim() !== '') ? kept : [];
}

/** Its texts are joined at the end: looking at a text that grows copies all of it each time. */
type GrowingPiece = Omit<Piece, 'text'> & { texts: string[] };

function push(pieces: GrowingPiece[], { text, ...piece }: Piece): void {
  const last = pieces.at(-1);
  const words = last?.texts.at(-1)?.endsWith(' ') ? text.replace(/^ /, '') : text;
  if (words === '') return;
  const isSame =
    last &&
    last.href === piece.href &&
    last.strong === piece.strong &&
    last.em === piece.em &&
    last.code === piece.code;
  if (isSame) last.texts.push(words);
  else pieces.push({ ...piece, texts: [words] });
}

function plainLine(line: Line): string {
  if (line.kind === 'code') return line.text;
  if (line.kind === 'picture') return line.picture.alt;
  const said = (pieces: Piece[]) => cleanText(pieces.map((piece) => piece.text).join(''));
  if (line.kind === 'table') return line.rows.map((row) => row.map((cell) => said(cell.pieces)).join(' | ')).join('\n');
  return line.kind === 'item' ? `${'  '.repeat(line.depth - 1)}- ${said(line.pieces)}` : said(line.pieces);
}
