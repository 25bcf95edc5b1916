// The taken blocks with the structure a reader saw: headings, list items, quotes, code, table rows, and the links and emphasis
// inside a line. Markdown and HTML are both printed from this, so they can never disagree about what the article says.

import { absolute } from '../fields/others.ts';
import type { Block } from '../page/blocks.ts';
import type { Page, TreeNode } from '../page/tree.ts';

export interface Piece {
  text: string;
  href: string | null;
  strong: boolean;
  em: boolean;
  code: boolean;
}

export type Line =
  | { kind: 'paragraph' | 'quote'; pieces: Piece[] }
  | { kind: 'heading'; level: number; pieces: Piece[] }
  | { kind: 'item'; depth: number; ordered: boolean; pieces: Piece[] }
  | { kind: 'code'; text: string }
  | { kind: 'table'; rows: Piece[][][] };

const MAX_UP = 40;

export function linesOf(page: Page, blocks: Block[], url: string | null): Line[] {
  const lines: Line[] = [];
  let table = null as { node: TreeNode; row: TreeNode | null; line: Extract<Line, { kind: 'table' }> } | null;
  let code = null as { node: TreeNode } | null;
  for (const block of blocks) {
    const around = surroundings(block.node);
    if (around.pre) {
      // Several blocks of one listing (its lines) are printed once, with their line breaks.
      if (code?.node !== around.pre) {
        code = { node: around.pre };
        lines.push({ kind: 'code', text: rawText(page, around.pre) });
      }
      continue;
    }
    const pieces = piecesOf(page, block, url);
    if (around.table && around.row) {
      if (table?.node !== around.table) {
        table = { node: around.table, row: null, line: { kind: 'table', rows: [] } };
        lines.push(table.line);
      }
      if (table.row !== around.row) {
        table.row = around.row;
        table.line.rows.push([]);
      }
      table.line.rows[table.line.rows.length - 1]!.push(pieces);
      continue;
    }
    if (around.level > 0) lines.push({ kind: 'heading', level: around.level, pieces });
    else if (around.lists > 0) lines.push({ kind: 'item', depth: around.lists, ordered: around.ordered, pieces });
    else lines.push({ kind: around.quoted ? 'quote' : 'paragraph', pieces });
  }
  return lines;
}

interface Surroundings {
  pre: TreeNode | null;
  table: TreeNode | null;
  row: TreeNode | null;
  level: number;
  lists: number;
  ordered: boolean;
  quoted: boolean;
}

function surroundings(node: TreeNode): Surroundings {
  const out: Surroundings = { pre: null, table: null, row: null, level: 0, lists: 0, ordered: false, quoted: false };
  let inItem = false;
  for (let up: TreeNode | null = node, i = 0; up && i < MAX_UP; up = up.parent, i++) {
    if (up.tag === 'pre') out.pre ??= up;
    else if (up.tag === 'tr') out.row ??= up;
    else if (up.tag === 'table') out.table ??= up;
    else if (up.tag === 'blockquote') out.quoted = true;
    else if (up.tag === 'li' || up.tag === 'dd' || up.tag === 'dt') inItem = true;
    else if (inItem && (up.tag === 'ul' || up.tag === 'ol' || up.tag === 'dl')) {
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

function rawText(page: Page, top: TreeNode): string {
  let text = '';
  for (let i = top.index + 1; i < top.end; i++) text += page.nodes[i]!.tag === 'br' ? '\n' : page.nodes[i]!.text;
  return text.replace(/^\n+/, '').trimEnd();
}
