// Output of a command: results on stdout, everything for a person on stderr. Colour and redrawing only on a terminal
// (NO_COLOR, FORCE_COLOR and TERM=dumb are obeyed by Node's own check).
import { styleText } from 'node:util';
import { tableLines } from './table.ts';
import { shorten, textWidth } from './text-width.ts';

type Style = Parameters<typeof styleText>[0];

export const SCHEMA_VERSION = 1;

export interface Terminal {
  /** stderr is a terminal, and JSON was not asked for. */
  readonly isWatched: boolean;
  /** A line of the result. */
  out(line: string): void;
  /** A document of the result, on one line when it goes to a program. */
  document(value: object): void;
  /** Rows of the result, as wide as the terminal; the first one is the head. */
  table(rows: readonly (readonly string[])[]): void;
  /** A line for the person, never part of the result. */
  say(line: string): void;
  /** Replaces the previous progress lines on a terminal; prints nothing otherwise. `null` removes them. */
  progress(lines: string | readonly string[] | null): void;
  style(style: Style, text: string): string;
}

export function createTerminal(options: { json?: boolean } = {}): Terminal {
  const { stdout, stderr } = process;
  const isWatched = Boolean(stderr.isTTY) && process.env.TERM !== 'dumb' && !options.json;
  // A pseudo terminal that nobody gave a size says 0.
  const width = (): number => Math.max(20, stderr.columns || 80);
  let shown: string[] = [];
  const clear = (): void => {
    // A terminal that was made narrower has broken the lines: as many rows are removed as they take now.
    const rows = shown.reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(line) / width())), 0);
    if (rows > 0) stderr.write(`\r\x1b[2K${'\x1b[1A\x1b[2K'.repeat(rows - 1)}`);
    shown = [];
  };
  const out = (line: string): void => {
    if (stdout.isTTY) clear();
    stdout.write(`${line}\n`);
  };
  return {
    isWatched,
    out,
    table(rows) {
      const hasLinks = Boolean(stdout.isTTY) && process.env.TERM !== 'dumb';
      for (const line of tableLines(rows, { width: (stdout.isTTY && stdout.columns) || null, hasLinks })) out(line);
    },
    document(value) {
      if (stdout.isTTY) clear();
      stdout.write(`${JSON.stringify({ schema_version: SCHEMA_VERSION, ...value }, null, stdout.isTTY ? 2 : 0)}\n`);
    },
    say(line) {
      clear();
      stderr.write(`${line}\n`);
    },
    progress(lines) {
      if (!isWatched) return;
      clear();
      if (lines === null) return;
      shown = [lines].flat().map((line) => shorten(line, width()));
      stderr.write(shown.join('\n'));
    },
    style: (style, text) => styleText(style, text, { stream: stderr }),
  };
}

/** For a table; times are UTC. */
export const timeText = (time: string | null): string => time?.replace('T', ' ').slice(0, 19) ?? '';
