// Lines of an article as clean HTML: the few tags a text needs, no attribute but the addresses of links and pictures and the language of code, everything escaped.
import { escapeHtml } from './escape.ts';
import type { Cell, Line, Piece } from './lines.ts';

type Item = Extract<Line, { kind: 'item' }>;
type List = 'ul' | 'ol';

export function toHtml(lines: Line[]): string {
  const out: string[] = [];
  const lists: List[] = [];
  let isQuoted = false;
  for (const line of lines) {
    if (line.kind !== 'item') close(lists, 0, out);
    if (isQuoted !== (line.kind === 'quote')) {
      out.push(isQuoted ? '</blockquote>' : '<blockquote>');
      isQuoted = !isQuoted;
    }
    if (line.kind === 'item') item(line, lists, out);
    else out.push(print(line));
  }
  close(lists, 0, out);
  if (isQuoted) out.push('</blockquote>');
  return out.join('\n');
}

/** Ends lists until as many are left, each with the item it is in the middle of. */
function close(lists: List[], left: number, out: string[]): void {
  while (lists.length > left) {
    endItem(out);
    out.push(`</${lists.pop()}>`);
  }
}

function endItem(out: string[]): void {
  out[out.length - 1] += '</li>';
}

/** An item stays open until the next, which may be a list inside it. */
function item({ depth, ordered, continues, pieces }: Item, lists: List[], out: string[]): void {
  if (continues && lists.length > 0) {
    out.push(`<p>${inline(pieces)}</p>`);
    return;
  }
  const tag = ordered ? 'ol' : 'ul';
  close(lists, depth, out);
  if (lists.length === depth && lists[depth - 1] !== tag) close(lists, depth - 1, out);
  if (lists.length === depth) endItem(out);
  while (lists.length < depth) {
    lists.push(tag);
    out.push(lists.length < depth ? `<${tag}>\n<li>` : `<${tag}>`);
  }
  out.push(`<li>${inline(pieces)}`);
}

const LANGUAGE = /^[\w+#.-]{1,20}$/;

function print(line: Exclude<Line, Item>): string {
  switch (line.kind) {
    case 'heading':
      return `<h${line.level}>${inline(line.pieces)}</h${line.level}>`;
    case 'code':
      return `<pre><code${LANGUAGE.test(line.language) ? ` class="language-${line.language}"` : ''}>${escapeHtml(line.text)}</code></pre>`;
    case 'picture':
      return `<p><img src="${escapeHtml(line.picture.src)}" alt="${escapeHtml(line.picture.alt)}"></p>`;
    case 'table':
      return `<table>${line.rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('')}</table>`;
    default:
      return `<p>${inline(line.pieces)}</p>`;
  }
}

function cell({ isHead, pieces }: Cell): string {
  const tag = isHead ? 'th' : 'td';
  return `<${tag}>${inline(pieces)}</${tag}>`;
}

const inline = (pieces: Piece[]): string => pieces.map(piece).join('');

function piece({ text, href, strong, em, code }: Piece): string {
  let out = escapeHtml(text);
  if (text.trim() === '') return out;
  if (code) out = `<code>${out}</code>`;
  if (em) out = `<em>${out}</em>`;
  if (strong) out = `<strong>${out}</strong>`;
  return href ? `<a href="${escapeHtml(href)}">${out}</a>` : out;
}
