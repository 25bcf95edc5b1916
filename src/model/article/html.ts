// Lines of an article as clean HTML: the few tags a text needs, no attribute but the addresses of links and pictures, everything escaped.
import { escapeHtml } from './escape.ts';
import type { Line, Piece } from './lines.ts';

export function toHtml(lines: Line[]): string {
  const out: string[] = [];
  let open: 'ul' | 'ol' | 'blockquote' | null = null;
  for (const line of lines) {
    const wanted = line.kind === 'item' ? (line.ordered ? 'ol' : 'ul') : line.kind === 'quote' ? 'blockquote' : null;
    if (open !== wanted) {
      if (open) out.push(`</${open}>`);
      if (wanted) out.push(`<${wanted}>`);
      open = wanted;
    }
    out.push(print(line));
  }
  if (open) out.push(`</${open}>`);
  return out.join('\n');
}

function print(line: Line): string {
  switch (line.kind) {
    case 'heading':
      return `<h${line.level}>${inline(line.pieces)}</h${line.level}>`;
    case 'item':
      return `<li>${inline(line.pieces)}</li>`;
    case 'code':
      return `<pre><code>${escapeHtml(line.text)}</code></pre>`;
    case 'picture':
      return `<p><img src="${escapeHtml(line.picture.src)}" alt="${escapeHtml(line.picture.alt)}"></p>`;
    case 'table':
      return `<table>${line.rows.map((row) => `<tr>${row.map((cell) => `<td>${inline(cell)}</td>`).join('')}</tr>`).join('')}</table>`;
    default:
      return `<p>${inline(line.pieces)}</p>`;
  }
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
