// Log lines for a person at a terminal: time, level and a sentence, then the fields that the sentence does not use. Programs get the JSON lines as they are.

import { styleText } from 'node:util';
import type { DestinationStream } from 'pino';
import { plainError, sentenceFor } from './log-sentences.ts';
import { runWords } from './run-words.ts';

const COLOURS: Record<string, Parameters<typeof styleText>[0]> = {
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
  debug: 'dim',
};
const VALUE_MAX = 200;
/** Texts of sites and callers could begin a line of their own, or speak to the terminal. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;
/** For programs that follow one request through the logs. */
const HIDDEN = new Set(['request_id', 'trace_id']);

/** What a run is made of: its end says it in one line. And the many steps of the first start. */
const DETAILS = new Set(['run.accepted', 'session.settled', 'postings.announced', 'store.migrated']);

export function forPeople(stream: NodeJS.WriteStream, options: { isVerbose: boolean }): DestinationStream {
  return {
    write(line) {
      if (options.isVerbose || !isDetail(line)) stream.write(`${prettyLine(line, stream)}\n`);
    },
  };
}

/** Warnings are never one. */
function isDetail(line: string): boolean {
  const { level, event } = JSON.parse(line) as { level: string; event: string };
  return level === 'info' && (event.startsWith('task.') || DETAILS.has(event));
}

export function prettyLine(line: string, stream?: NodeJS.WriteStream): string {
  const { ts, level, event, ...given } = JSON.parse(line) as Record<string, unknown>;
  const fields = event === 'run.settled' ? runWords(given) : given;
  const paint = (colour: Parameters<typeof styleText>[0] | undefined, text: string): string =>
    colour && stream && text !== '' ? styleText(colour, text, { stream }) : text;
  const field = (name: string): string | undefined => {
    const value = fields[name];
    return value === null || value === undefined ? undefined : textOf(name, value);
  };
  const { text, used } = sentenceFor(String(event), field);
  const rest = Object.keys(fields)
    .filter((name) => field(name) !== undefined && !used.has(name) && !HIDDEN.has(name))
    .map((name) => `${name}=${quoted(field(name)!)}`)
    .join(' ');
  const head = `${String(ts).slice(11, 19)} ${paint(COLOURS[String(level)], String(level).padEnd(5))} ${text}`;
  return rest === '' ? head : `${head} ${paint('dim', rest)}`;
}

/** Of an error a person wants the sentence; the whole of it is in the JSON lines. */
function textOf(name: string, value: unknown): string {
  const isError = typeof value === 'object' && value !== null && 'message' in value;
  const isList = Array.isArray(value) && value.every((one) => typeof one !== 'object');
  const text = isError
    ? String(value.message)
    : isList
      ? value.join(', ')
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);
  const plain = (name === 'error' ? plainError(text) : text).replaceAll(CONTROLS, ' ');
  return plain.length > VALUE_MAX ? `${plain.slice(0, VALUE_MAX)}…` : plain;
}

const quoted = (text: string): string => (/\s/.test(text) ? JSON.stringify(text) : text);
