// Output of a command: results on stdout, everything for a person on stderr. Colour and redrawing only on a terminal
// (NO_COLOR, FORCE_COLOR and TERM=dumb are obeyed by Node's own check).
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

export const SCHEMA_VERSION = 1;

export interface Terminal {
  /** stderr is a terminal, and JSON was not asked for. */
  readonly isWatched: boolean;
  /** A line of the result. */
  out(line: string): void;
  /** A document of the result, on one line when it goes to a program. */
  document(value: object): void;
  /** A line for the person, never part of the result. */
  say(line: string): void;
  /** Replaces the previous progress lines on a terminal; prints nothing otherwise. `null` removes them. */
  progress(lines: string | readonly string[] | null): void;
  style(style: Style, text: string): string;
}

export function createTerminal(options: { json?: boolean } = {}): Terminal {
  const { stdout, stderr } = process;
  const isWatched = Boolean(stderr.isTTY) && process.env.TERM !== 'dumb' && !options.json;
  let shown = 0;
  const clear = (): void => {
    if (shown > 0) stderr.write(`\r\x1b[2K${'\x1b[1A\x1b[2K'.repeat(shown - 1)}`);
    shown = 0;
  };
  return {
    isWatched,
    out(line) {
      if (stdout.isTTY) clear();
      stdout.write(`${line}\n`);
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
      const width = Math.max(20, stderr.columns ?? 80);
      const cut = [lines].flat().map((line) => line.slice(0, width));
      stderr.write(cut.join('\n'));
      shown = cut.length;
    },
    style: (style, text) => styleText(style, text, { stream: stderr }),
  };
}

const WIDTH = 24;

/** `[██████      ] 12/48 done · 1 failed` */
export function progressBar(state: { completed: number; failed: number; total: number }): string {
  const ended = state.completed + state.failed;
  const failed = state.failed > 0 ? ` · ${state.failed} failed` : '';
  return `${bar(ended, state.total)} ${ended}/${state.total} done${failed}`;
}

/** `[██████      ]`, full only at the end. */
export function bar(done: number, total: number): string {
  const filled = total === 0 ? WIDTH : Math.floor((Math.min(done, total) / total) * WIDTH);
  return `[${'█'.repeat(filled)}${' '.repeat(WIDTH - filled)}]`;
}

/** For a table; times are UTC. */
export const timeText = (time: string | null): string => time?.replace('T', ' ').slice(0, 19) ?? '';

/** Columns as wide as their widest cell; the last one is left ragged. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  return rows.map((row) => row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i]!))).join('  '));
}
