// Lines of an article as Markdown (CommonMark with pipe tables). Text is escaped only where a mark would change its meaning.
import type { Cell, Line, Piece } from './lines.ts';

type Item = Extract<Line, { kind: 'item' }>;

/** The lists that are open, the outermost first: the number of the last item, and how far what is inside is moved in. */
interface OpenList {
  ordered: boolean;
  number: number;
  width: number;
}

export function toMarkdown(lines: Line[]): string {
  let out = '';
  let last: Line | null = null;
  const lists: OpenList[] = [];
  for (const line of lines) {
    if (last) out += gap(last, line, lists);
    if (line.kind !== 'item') lists.length = 0;
    out += line.kind === 'item' ? item(line, lists) : print(line);
    last = line;
  }
  return out;
}

function gap(last: Line, line: Line, lists: OpenList[]): string {
  if (last.kind === 'quote' && line.kind === 'quote') return '\n>\n';
  if (last.kind !== 'item' || line.kind !== 'item' || line.continues) return '\n\n';
  const open = lists[line.depth - 1];
  return open !== undefined && open.ordered !== line.ordered ? '\n\n' : '\n';
}

function item({ depth, ordered, continues, pieces }: Item, lists: OpenList[]): string {
  const indent = (count: number) => ' '.repeat(lists.slice(0, count).reduce((sum, { width }) => sum + width, 0));
  if (continues && lists.length > 0) return indent(lists.length) + startSafe(inline(pieces));
  lists.length = Math.min(lists.length, depth);
  const same = lists.length === depth ? lists.pop() : undefined;
  const number = same?.ordered === ordered ? same.number + 1 : 1;
  const mark = ordered ? `${number}.` : '-';
  const before = indent(lists.length);
  lists.push({ ordered, number, width: mark.length + 1 });
  return `${before}${mark} ${startSafe(inline(pieces))}`;
}

function print(line: Exclude<Line, Item>): string {
  switch (line.kind) {
    case 'heading':
      return `${'#'.repeat(line.level)} ${inline(line.pieces)}`;
    case 'quote':
      return `> ${inline(line.pieces)}`;
    case 'code':
      return fenced(line.text, line.language);
    case 'picture':
      return `![${escapeMarks(line.picture.alt)}](${address(line.picture.src)})`;
    case 'table':
      return table(line.rows);
    default:
      return startSafe(inline(line.pieces));
  }
}

const LANGUAGE = /^[\w+#.-]{1,20}$/;

function fenced(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(2, longestMarks(text)) + 1);
  return `${fence}${LANGUAGE.test(language) ? language : ''}\n${text}\n${fence}`;
}

/** Rows are filled up to the widest one, as far as people write tables. */
const FILLED_CELLS = 100;

function table(rows: Cell[][]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 1);
  const row = (cells: Cell[]) =>
    `| ${Array.from({ length: Math.max(cells.length, Math.min(width, FILLED_CELLS)) }, (_, i) => inline(cells[i]?.pieces ?? []).replace(/\|/g, '\\|')).join(' | ')} |`;
  const [head = [], ...rest] = rows;
  return [row(head), `|${' --- |'.repeat(width)}`, ...rest.map(row)].join('\n');
}

function inline(pieces: Piece[]): string {
  return pieces.map(piece).join('');
}

function piece({ text, href, strong, em, code }: Piece): string {
  const core = text.trim();
  if (core === '') return text;
  let out = code ? codeSpan(core) : escapeMarks(core);
  if (em) out = `*${out}*`;
  if (strong) out = `**${out}**`;
  if (href) out = `[${out}](${address(href)})`;
  // Marks stand next to the text, spaces outside them.
  const from = text.length - text.trimStart().length;
  return text.slice(0, from) + out + text.slice(from + core.length);
}

/** Between more marks than are inside; a space keeps a mark at an end apart. */
function codeSpan(text: string): string {
  const marks = longestMarks(text);
  if (marks === 0) return `\`${text}\``;
  const fence = '`'.repeat(marks + 1);
  return `${fence} ${text} ${fence}`;
}

const longestMarks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, marks) => Math.max(longest, marks.length), 0);

const address = (url: string): string =>
  url
    .replace(/[<>\s]/g, encodeURIComponent)
    .replace(/\(/g, '%28')
    .replace(/\)/g, '%29');

const escapeMarks = (text: string): string =>
  text.replace(/[\\`*[\]<]/g, '\\$&').replace(/(^|\s)_|_(?=\s|$)/g, '$1\\_');

/** A paragraph that begins like a list or a heading is still a paragraph. */
const startSafe = (text: string): string => text.replace(/^([-+#>]|\d+[.)])(?=\s)/, '\\$1');
