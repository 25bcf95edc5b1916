// The taken blocks with the structure a reader saw: headings, list items, quotes, code, table rows, the pictures between them, and the links and
// emphasis inside a line; each with its place in the text that is made of them.
import type { Piece, PlacedLine } from '../../../model/article/lines.ts';
import { cleanText } from '../../html/html.ts';
import { absolute } from '../fields/others.ts';
import type { Block } from '../page/blocks.ts';
import type { Page, TreeNode } from '../page/tree.ts';
import { columnsOf } from './columns.ts';

const MAX_UP = 40;

/** The text of an article: an empty line between blocks, none between the lines of one listing. */
export function textOf(blocks: Block[]): string {
  let text = '';
  blocks.forEach((block, i) => {
    text += (i === 0 ? '' : gapBetween(blocks[i - 1]!, block)) + block.text;
  });
  return text;
}

const gapBetween = (before: Block, block: Block): string =>
  block.isCode && before.isCode && preOf(before.node) === preOf(block.node) ? '\n' : '\n\n';

function preOf(node: TreeNode): TreeNode | null {
  let up: TreeNode | null = node;
  for (let i = 0; up && up.tag !== 'pre' && i < MAX_UP; i++) up = up.parent;
  return up;
}

/** The lines of the same blocks, placed in that text. */
export function linesOf(page: Page, blocks: Block[], url: string | null): PlacedLine[] {
  const lines: PlacedLine[] = [];
  const pictures = picturesBetween(page, blocks, url);
  let table: TreeNode | null = null;
  let row: TreeNode | null = null;
  let item: TreeNode | null = null;
  let known: Map<TreeNode, number> | null = null;
  const columns = () => {
    known ??= columnsOf(page);
    return known;
  };
  let at = 0;
  blocks.forEach((block, i) => {
    const before = blocks[i - 1];
    if (before) at += gapBetween(before, block).length;
    for (const picture of pictures[i]!) lines.push({ line: { kind: 'picture', picture }, from: at, to: at });
    const [from, to] = [at, at + block.text.length];
    at = to;
    const around = surroundings(block.node);
    const last = lines.at(-1);
    if (block.isCode) {
      // Several blocks of one listing (its lines) are one.
      if (last?.line.kind === 'code' && before && preOf(before.node) === preOf(block.node)) last.to = to;
      else lines.push({ line: { kind: 'code', text: '', language: languageOf(page.nodes[block.from]!) }, from, to });
      return;
    }
    const pieces = piecesOf(page, block, url);
    if (around.table && around.row && around.cell) {
      lines.push({
        line: {
          kind: 'cell',
          table: table !== around.table,
          row: row !== around.row,
          isHead: around.cell?.tag === 'th',
          column: columns().get(around.cell) ?? 0,
          pieces,
        },
        from,
        to,
      });
      table = around.table;
      row = around.row;
    } else if (around.level > 0) lines.push({ line: { kind: 'heading', level: around.level, pieces }, from, to });
    else if (around.lists > 0)
      lines.push({
        line: { kind: 'item', depth: around.lists, ordered: around.ordered, continues: item === around.item, pieces },
        from,
        to,
      });
    else lines.push({ line: { kind: around.quoted ? 'quote' : 'paragraph', pieces }, from, to });
    item = around.item;
  });
  return lines;
}

const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source|brush)[-:]\s?([\w+#.-]{1,20})/i;
const LEVELS_OF_LISTING = 5;

/** What highlighters say of a listing, on it or just around it: `class="language-python"`, `data-lang="python"`. */
function languageOf(node: TreeNode): string {
  let up: TreeNode | null = node;
  for (let i = 0; up && i < LEVELS_OF_LISTING; up = up.parent, i++) {
    const said: string | undefined =
      up.attrs['data-lang'] ?? up.attrs['data-language'] ?? LANGUAGE.exec(up.attrs.class ?? '')?.[1];
    if (said) return said.slice(0, MAX_LANGUAGE_CHARS).toLowerCase();
  }
  return '';
}

const MAX_LANGUAGE_CHARS = 20;

interface FoundPicture {
  src: string;
  alt: string;
}

const MAX_PICTURES = 200;
const SMALL_PICTURE = /\b(?:avatar|icon|logo|pixel|spacer|emoji|gravatar|tracking|1x1|blank)\b|\.svg(?:[?#]|$)/i;

/** By block, the pictures that stand between it and the one before; none before the first block but those beside it. */
function picturesBetween(page: Page, blocks: Block[], url: string | null): FoundPicture[][] {
  const seen = new Set<string>();
  return blocks.map((block, i) => {
    const found: FoundPicture[] = [];
    const before = blocks[i - 1];
    const from = before ? before.to : block.node.index;
    for (let n = from; n < block.from && seen.size < MAX_PICTURES; n++) {
      const { tag, attrs } = page.nodes[n]!;
      if (tag !== 'img') continue;
      const src = absolute(attrs['data-src'] ?? attrs.src, url);
      if (src === null || SMALL_PICTURE.test(src) || seen.has(src)) continue;
      seen.add(src);
      found.push({ src, alt: cleanText(attrs.alt ?? '') });
    }
    return found;
  });
}

interface Surroundings {
  pre: TreeNode | null;
  table: TreeNode | null;
  row: TreeNode | null;
  cell: TreeNode | null;
  item: TreeNode | null;
  level: number;
  lists: number;
  ordered: boolean;
  quoted: boolean;
}

function surroundings(node: TreeNode): Surroundings {
  const out: Surroundings = {
    pre: null,
    table: null,
    row: null,
    cell: null,
    item: null,
    level: 0,
    lists: 0,
    ordered: false,
    quoted: false,
  };
  let inItem = false;
  for (let up: TreeNode | null = node, i = 0; up && i < MAX_UP; up = up.parent, i++) {
    if (up.tag === 'td' || up.tag === 'th') out.cell ??= up;
    else if (up.tag === 'tr') out.row ??= up;
    else if (up.tag === 'table') out.table ??= up;
    else if (up.tag === 'blockquote') out.quoted = true;
    else if (up.tag === 'li' || up.tag === 'dd' || up.tag === 'dt') {
      inItem = true;
      out.item ??= up;
    } else if (inItem && (up.tag === 'ul' || up.tag === 'ol' || up.tag === 'dl')) {
      if (out.lists === 0) out.ordered = up.tag === 'ol';
      out.lists++;
    } else if (out.level === 0 && /^h[1-6]$/.test(up.tag)) out.level = Number(up.tag[1]);
  }
  if (inItem && out.lists === 0) out.lists = 1;
  return out;
}

/** Runs of text with the same style. Falls back to the plain text when the markup has other text than the block. */
function piecesOf(page: Page, block: Block, url: string | null): Piece[] {
  const pieces: Piece[] = [];
  for (let i = block.from; i < block.to; i++) {
    const node = page.nodes[i]!;
    if (node.tag === 'br') append(pieces, { text: ' ', href: null, strong: false, em: false, code: false });
    if (node.tag !== '#text') continue;
    const piece: Piece = { text: node.text, href: null, strong: false, em: false, code: false };
    for (let up = node.parent; up && up !== block.node; up = up.parent) {
      if (up.tag === 'a') piece.href ??= absolute(up.attrs.href, url);
      else if (up.tag === 'b' || up.tag === 'strong') piece.strong = true;
      else if (up.tag === 'i' || up.tag === 'em' || up.tag === 'cite') piece.em = true;
      else if (up.tag === 'code' || up.tag === 'kbd' || up.tag === 'samp') piece.code = true;
    }
    append(pieces, piece);
  }
  fold(pieces);
  const said = pieces.map((p) => p.text).join('');
  return said === block.text ? pieces : [{ text: block.text, href: null, strong: false, em: false, code: false }];
}

function append(pieces: Piece[], piece: Piece): void {
  const last = pieces[pieces.length - 1];
  if (
    last &&
    last.href === piece.href &&
    last.strong === piece.strong &&
    last.em === piece.em &&
    last.code === piece.code
  )
    last.text += piece.text;
  else pieces.push(piece);
}

/** White space as in the block: one space, none at the ends. */
function fold(pieces: Piece[]): void {
  let before = ' ';
  for (const piece of pieces) {
    let text = piece.text.replace(/[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g, '').replace(/\s+/g, ' ');
    if (before.endsWith(' ') && text.startsWith(' ')) text = text.slice(1);
    piece.text = text;
    if (text !== '') before = text;
  }
  for (let i = pieces.length - 1; i >= 0; i--) {
    pieces[i]!.text = pieces[i]!.text.trimEnd();
    if (pieces[i]!.text !== '') break;
  }
}
