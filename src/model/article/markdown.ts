// Lines of an article as Markdown (CommonMark with pipe tables). Text is escaped only where a mark would change its meaning.
import type { Line, Piece } from './lines.ts';

export function toMarkdown(lines: Line[]): string {
  let out = '';
  let last: Line | null = null;
  let number = 0;
  for (const line of lines) {
    const follows = last?.kind === 'item' && line.kind === 'item' && last.ordered === line.ordered;
    number = follows ? number + 1 : 1;
    if (last) out += follows ? '\n' : last.kind === 'quote' && line.kind === 'quote' ? '\n>\n' : '\n\n';
    out += print(line, number);
    last = line;
  }
  return out;
}

function print(line: Line, number: number): string {
  switch (line.kind) {
    case 'heading':
      return `${'#'.repeat(line.level)} ${inline(line.pieces)}`;
    case 'item':
      return `${'  '.repeat(line.depth - 1)}${line.ordered ? `${number}.` : '-'} ${inline(line.pieces)}`;
    case 'quote':
      return `> ${inline(line.pieces)}`;
    case 'code':
      return fenced(line.text);
    case 'picture':
      return `![${escapeMarks(line.picture.alt)}](${address(line.picture.src)})`;
    case 'table':
      return table(line.rows);
    default:
      return startSafe(inline(line.pieces));
  }
}

function fenced(text: string): string {
  let longest = 2;
  for (const [marks] of text.matchAll(/`+/g)) longest = Math.max(longest, marks.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** Rows are filled up to the widest one, as far as people write tables. */
const FILLED_CELLS = 100;

function table(rows: Piece[][][]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 1);
  const row = (cells: Piece[][]) =>
    `| ${Array.from({ length: Math.max(cells.length, Math.min(width, FILLED_CELLS)) }, (_, i) => inline(cells[i] ?? []).replace(/\|/g, '\\|')).join(' | ')} |`;
  const [head = [], ...rest] = rows;
  return [row(head), `|${' --- |'.repeat(width)}`, ...rest.map(row)].join('\n');
}

function inline(pieces: Piece[]): string {
  return pieces.map(piece).join('');
}

function piece({ text, href, strong, em, code }: Piece): string {
  const core = text.trim();
  if (core === '') return text;
  let out = code ? `\`${core.replace(/`/g, "'")}\`` : escapeMarks(core);
  if (em) out = `*${out}*`;
  if (strong) out = `**${out}**`;
  if (href) out = `[${out}](${address(href)})`;
  // Marks stand next to the text, spaces outside them.
  const from = text.length - text.trimStart().length;
  return text.slice(0, from) + out + text.slice(from + core.length);
}

const address = (url: string): string =>
  url
    .replace(/[<>\s]/g, encodeURIComponent)
    .replace(/\(/g, '%28')
    .replace(/\)/g, '%29');

const escapeMarks = (text: string): string =>
  text.replace(/[\\`*[\]<]/g, '\\$&').replace(/(^|\s)_|_(?=\s|$)/g, '$1\\_');

/** A paragraph that begins like a list or a heading is still a paragraph. */
const startSafe = (text: string): string => text.replace(/^([-+#>]|\d+[.)])(?=\s)/, '\\$1');
