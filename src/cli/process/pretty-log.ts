// Log lines for a person at a terminal: time, level, event, then the fields as key=value. Programs get the JSON lines as they are.

import { styleText } from 'node:util';
import type { DestinationStream } from 'pino';

const COLOURS: Record<string, Parameters<typeof styleText>[0]> = {
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
  debug: 'dim',
};
const VALUE_MAX = 200;

export function forPeople(stream: NodeJS.WriteStream): DestinationStream {
  return { write: (line) => void stream.write(`${prettyLine(line, stream)}\n`) };
}

export function prettyLine(line: string, stream?: NodeJS.WriteStream): string {
  const { ts, level, event, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const shown = Object.entries(fields)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${textOf(value)}`);
  const colour = COLOURS[String(level)];
  const label = String(level).padEnd(5);
  const painted = colour && stream ? styleText(colour, label, { stream }) : label;
  return [String(ts).slice(11, 19), painted, event, ...shown].join(' ');
}

function textOf(value: unknown): string {
  // Of an error a person wants the sentence; the whole of it is in the JSON lines.
  const isError = typeof value === 'object' && value !== null && 'message' in value;
  const text = isError ? String(value.message) : typeof value === 'string' ? value : JSON.stringify(value);
  const short = text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text;
  return /\s/.test(short) ? JSON.stringify(short) : short;
}
