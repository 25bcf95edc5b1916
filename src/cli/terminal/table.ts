// Rows as lines of a table, as wide as the terminal. Pure: cells and a width in, lines out.
// What a reader would get wrong: a column of ids, numbers or times is never cut, since people copy from it; texts and URLs give way, the longest first.
import { harmless, shorten, textWidth } from './text-width.ts';

const GAP = 2;
/** A text is not cut to less. */
const FLOOR = 12;
const URL = /^https?:\/\/\S+$/;
const TIME = /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?$/;
/** Longer ones are texts, whatever they look like. */
const WORD = /^\S{0,40}$/;

export interface TableOptions {
  /** Null where no terminal says it: nothing is cut. */
  width: number | null;
  /** URLs can be clicked, also the ones that are cut. */
  hasLinks?: boolean;
}

/** The first row is the head, where there is one. */
export function tableLines(rows: readonly (readonly string[])[], options: TableOptions): string[] {
  const cells = rows.map((row) => row.map(harmless));
  const natural: number[] = [];
  for (const row of cells)
    for (const [i, cell] of row.entries()) natural[i] = Math.max(natural[i] ?? 0, textWidth(cell));
  const widths = options.width === null ? natural : fitting(natural, cells, options.width);
  return cells.map((row) =>
    row
      .map((cell, i) => {
        const cut = shorten(cell, widths[i]!);
        const shown = options.hasLinks && URL.test(cell) ? link(cell, cut) : cut;
        return i === row.length - 1 ? shown : shown + ' '.repeat(widths[i]! - textWidth(cut) + GAP);
      })
      .join('')
      .trimEnd(),
  );
}

function fitting(natural: readonly number[], cells: readonly (readonly string[])[], width: number): number[] {
  const widths = [...natural];
  const isText = natural.map((_, i) =>
    cells.slice(1).some((row) => {
      const cell = row[i] ?? '';
      return URL.test(cell) || !(WORD.test(cell) || TIME.test(cell));
    }),
  );
  const over = (): number => widths.reduce((sum, one) => sum + one, GAP * (widths.length - 1)) - width;
  while (over() > 0) {
    const longest = widths.reduce(
      (best, one, i) => (isText[i] && one > FLOOR && (best === -1 || one > widths[best]!) ? i : best),
      -1,
    );
    // What is left may not be cut: the terminal wraps it.
    if (longest === -1) break;
    const next = Math.max(FLOOR, ...widths.filter((one, i) => isText[i] && one < widths[longest]!));
    widths[longest] = Math.max(next, widths[longest]! - over(), FLOOR);
  }
  return widths;
}

/** OSC 8: terminals that do not know it show the text alone. */
export const link = (url: string, text: string): string =>
  URL_SAFE.test(url) ? `\x1b]8;;${url}\x1b\\${text}\x1b]8;;\x1b\\` : text;

const URL_SAFE = /^https?:\/\/[\x21-\x7e]+$/;

/** Columns side by side, without a terminal's width. */
export const columns = (rows: readonly (readonly string[])[]): string[] => tableLines(rows, { width: null });
