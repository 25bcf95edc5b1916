// The structure of an article's text: what is a heading, an item, a quote, code, a table, a picture, and which words are linked or stressed.
// What a reader would get wrong: it is kept as marks over the plain text and never as a second copy of it. What no mark covers is paragraphs.
// Markdown and HTML are both printed from the two together, so they can never disagree about what the article says.
import { z } from 'zod';

export interface Piece {
  text: string;
  href: string | null;
  strong: boolean;
  em: boolean;
  code: boolean;
}

export interface Picture {
  src: string;
  alt: string;
}

export type Line =
  | { kind: 'paragraph' | 'quote'; pieces: Piece[] }
  | { kind: 'heading'; level: number; pieces: Piece[] }
  | { kind: 'item'; depth: number; ordered: boolean; continues: boolean; pieces: Piece[] }
  | { kind: 'code'; text: string; language: string }
  | { kind: 'picture'; picture: Picture }
  | { kind: 'table'; rows: Cell[][] };

export interface Cell {
  isHead: boolean;
  pieces: Piece[];
}

/** Of words inside a line: where they begin and end in the text, and what they are. */
const Span = z.object({
  from: z.number().int(),
  to: z.number().int(),
  href: z.string().optional(),
  strong: z.literal(true).optional(),
  em: z.literal(true).optional(),
  code: z.literal(true).optional(),
});
type Span = z.infer<typeof Span>;

const Mark = z.object({
  kind: z.enum(['paragraph', 'quote', 'heading', 'item', 'code', 'picture', 'cell']),
  from: z.number().int(),
  to: z.number().int(),
  level: z.number().int().optional(),
  ordered: z.literal(true).optional(),
  /** Of an item: more of the one before. */
  continues: z.literal(true).optional(),
  /** Of a cell: whether it begins a row, and whether it begins a table. */
  row: z.literal(true).optional(),
  table: z.literal(true).optional(),
  head: z.literal(true).optional(),
  /** Of a cell: where it begins, counted with those that span several columns or rows. */
  column: z.number().int().optional(),
  /** Of code. */
  language: z.string().optional(),
  src: z.string().optional(),
  alt: z.string().optional(),
  spans: z.array(Span).optional(),
});
type Mark = z.infer<typeof Mark>;

/** As it is stored beside the text. */
export const Markup = z.array(Mark);
export type Markup = z.infer<typeof Markup>;

/** A text longer than this in marks is stored without: it is a dump of links. */
const MAX_MARKS = 4_000;

export interface PlacedCell extends Cell {
  kind: 'cell';
  row: boolean;
  table: boolean;
  column: number;
}

/** One line of the text with its own place in it. */
export interface PlacedLine {
  line: Exclude<Line, { kind: 'table' }> | PlacedCell;
  from: number;
  to: number;
}

/** The marks of lines that stand in the text, leaving out what is a plain paragraph. */
export function markupOf(lines: PlacedLine[]): Markup {
  const marks = lines.flatMap(({ line, from, to }): Mark[] => {
    if (line.kind === 'code')
      return [{ kind: 'code', from, to, ...(line.language !== '' && { language: line.language }) }];
    if (line.kind === 'picture') return [{ kind: 'picture', from, to, ...line.picture }];
    const spans = spansOf(line.pieces, from);
    if (line.kind === 'paragraph' && spans.length === 0) return [];
    return [
      {
        kind: line.kind,
        from,
        to,
        ...(line.kind === 'heading' && { level: line.level }),
        ...(line.kind === 'item' && {
          level: line.depth,
          ...(line.ordered && { ordered: true as const }),
          ...(line.continues && { continues: true as const }),
        }),
        ...(line.kind === 'cell' && {
          ...(line.row && { row: true as const }),
          ...(line.table && { table: true as const }),
          ...(line.isHead && { head: true as const }),
          column: line.column,
        }),
        ...(spans.length > 0 && { spans }),
      },
    ];
  });
  return marks.length > MAX_MARKS ? [] : marks;
}

function spansOf(pieces: Piece[], from: number): Span[] {
  let at = from;
  return pieces.flatMap(({ text, href, strong, em, code }) => {
    const start = at;
    at += text.length;
    if (text.trim() === '' || (href === null && !strong && !em && !code)) return [];
    return [
      {
        from: start,
        to: at,
        ...(href !== null && { href }),
        ...(strong && { strong: true as const }),
        ...(em && { em: true as const }),
        ...(code && { code: true as const }),
      },
    ];
  });
}

/** A text and its marks as lines. Marks that do not fit the text (another make wrote them) are left out. */
export function linesFrom(text: string, markup: Markup): Line[] {
  const lines: Line[] = [];
  let at = 0;
  for (const mark of markup) {
    if (mark.from < at || mark.to < mark.from || mark.to > text.length) continue;
    addParagraphs(lines, text.slice(at, mark.from));
    addMarked(lines, text, mark);
    at = mark.to;
  }
  addParagraphs(lines, text.slice(at));
  return lines;
}

const plain = (text: string): Piece => ({ text, href: null, strong: false, em: false, code: false });

function addParagraphs(lines: Line[], text: string): void {
  for (const paragraph of text.split('\n\n')) {
    const bare = paragraph.trim();
    if (bare !== '') lines.push({ kind: 'paragraph', pieces: [plain(bare)] });
  }
}

function addMarked(lines: Line[], text: string, mark: Mark): void {
  if (mark.kind === 'code')
    lines.push({ kind: 'code', text: text.slice(mark.from, mark.to), language: mark.language ?? '' });
  else if (mark.kind === 'picture') {
    if (mark.src !== undefined) lines.push({ kind: 'picture', picture: { src: mark.src, alt: mark.alt ?? '' } });
  } else if (mark.kind === 'cell') addCell(lines, mark, piecesFrom(text, mark));
  else if (mark.kind === 'heading')
    lines.push({ kind: 'heading', level: Math.min(6, Math.max(1, mark.level ?? 2)), pieces: piecesFrom(text, mark) });
  else if (mark.kind === 'item')
    lines.push({
      kind: 'item',
      depth: Math.min(20, Math.max(1, mark.level ?? 1)),
      ordered: mark.ordered === true,
      continues: mark.continues === true && lines.at(-1)?.kind === 'item',
      pieces: piecesFrom(text, mark),
    });
  else lines.push({ kind: mark.kind, pieces: piecesFrom(text, mark) });
}

/** What stands further right is put into the last. */
const MAX_COLUMNS = 100;

function addCell(lines: Line[], mark: Mark, pieces: Piece[]): void {
  let table = lines.at(-1);
  if (mark.table === true || table?.kind !== 'table') {
    table = { kind: 'table', rows: [] };
    lines.push(table);
  }
  if (mark.row === true || table.rows.length === 0) table.rows.push([]);
  const row = table.rows.at(-1)!;
  const column = Math.min(MAX_COLUMNS, mark.column ?? row.length);
  const cell = row[column];
  // Several lines in one cell.
  if (cell) {
    cell.pieces.push(plain(' '), ...pieces);
    return;
  }
  while (row.length < column) row.push({ isHead: mark.head === true, pieces: [] });
  row.push({ isHead: mark.head === true, pieces });
}

function piecesFrom(text: string, { from, to, spans = [] }: Mark): Piece[] {
  const pieces: Piece[] = [];
  let at = from;
  for (const span of spans) {
    if (span.from < at || span.to <= span.from || span.to > to) continue;
    if (span.from > at) pieces.push(plain(text.slice(at, span.from)));
    pieces.push({
      text: text.slice(span.from, span.to),
      href: span.href ?? null,
      strong: span.strong === true,
      em: span.em === true,
      code: span.code === true,
    });
    at = span.to;
  }
  if (at < to) pieces.push(plain(text.slice(at, to)));
  return pieces;
}

/** Marks of a text that begins further on. */
export const shifted = (markup: Markup, by: number): Markup =>
  by === 0
    ? markup
    : markup.map((mark) => ({
        ...mark,
        from: mark.from + by,
        to: mark.to + by,
        ...(mark.spans && { spans: mark.spans.map((span) => ({ ...span, from: span.from + by, to: span.to + by })) }),
      }));
